/**
 * The scheduler of a simulated run: who goes on next, when somebody dies, and what time it is.
 *
 * Whatever code under test waits for (a statement, a script, an answer, a timer) is a task in one queue. A step takes
 * one of them, lets it happen, and then lets everything run on that has nothing to wait for. So between two steps
 * nothing is under way but what is in the queue, and every order of the tasks is a schedule that could be.
 *
 * A node that crashes leaves its tasks: each has happened or has not, as the dice say, and no caller gets a result.
 *
 * **Invariants.** Nothing waits for real time. No task of a living node waits longer than `longestWaitMs`, which stands
 * for the timeouts of the real thing.
 */
import type { Dice } from './dice.ts'

export interface SimulatedNode {
  readonly name: string
  isAlive: boolean
  /** How far its clock is off. */
  skewMs: number
  /** Until then it reaches no database. */
  cutOffUntil: number
  readonly now: () => number
}

export interface Task {
  readonly label: string
  /** Undefined: it happens whoever lives. */
  readonly node: SimulatedNode | undefined
  readonly queuedAt: number
  /** False: not yet over, it stays in the queue. */
  run(): boolean
  /** False: there is nothing it could do now. */
  isReady(): boolean
  /** Its node has crashed. Whether the request reached the far side is for the dice. */
  abandon(): void
}

export interface NewTask {
  readonly label: string
  readonly node: SimulatedNode | undefined
  readonly run: () => boolean
  readonly isReady?: () => boolean
  readonly abandon?: () => void
}

export type Answered<T> = { readonly value: T } | { readonly error: unknown }

export interface Request<T> {
  readonly label: string
  readonly node: SimulatedNode
  /** `again`: it is not over, and goes on when it is ready. */
  readonly act: () => Answered<T> | 'again'
  readonly isReady?: () => boolean
  readonly abandon?: () => void
}

/** One in so many answers takes its time. */
const LATE_ONE_IN = 6

interface Timer {
  readonly at: number
  readonly node: SimulatedNode | undefined
  readonly callback: () => void
}

export type Schedule = ReturnType<typeof createSchedule>

export function createSchedule(options: { dice: Dice; startsAt: number; longestWaitMs: number }) {
  const { dice, longestWaitMs } = options
  const tasks: Task[] = []
  const timers = new Set<Timer>()
  const crashed: ((node: SimulatedNode) => void)[] = []
  const trace: string[] = []
  let clock = options.startsAt
  let current: SimulatedNode | undefined

  function note(line: string): void {
    trace.push(`${String(clock - options.startsAt).padStart(9)} ms  ${line}`)
  }

  function add({ label, node, run, isReady = () => true, abandon = () => {} }: NewTask): void {
    tasks.push({ label, node, run, isReady, abandon, queuedAt: clock })
  }

  function remove(task: Task): void {
    const at = tasks.indexOf(task)
    if (at >= 0) tasks.splice(at, 1)
  }

  /** A request to a system outside of the node: sent, done there, answered, each at its own time. */
  function ask<T>(request: Request<T>): Promise<T> {
    const { label, node, act, isReady, abandon } = request
    return new Promise((resolve, reject) => {
      const answer = (fate: Answered<T>) => ('error' in fate ? reject(fate.error) : resolve(fate.value))
      add({
        label,
        node,
        ...(isReady ? { isReady } : {}),
        ...(abandon ? { abandon } : {}),
        run() {
          const fate = act()
          if (fate === 'again') return false
          // A crashed node gets no result.
          if (!node.isAlive) return true
          if (!dice.oneIn(LATE_ONE_IN)) answer(fate)
          else
            add({
              label: `hears of: ${label}`,
              node,
              run: () => (node.isAlive && answer(fate), true),
              ...(abandon ? { abandon } : {}),
            })
          return true
        },
      })
    })
  }

  /** Lets everything run on that waits for nothing. */
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve))

  async function inside(node: SimulatedNode | undefined, what: () => void): Promise<void> {
    current = node
    what()
    await settle()
    current = undefined
  }

  /** One task or one timer that is due; false when there is none. */
  async function step(): Promise<boolean> {
    const ready = tasks.filter((task) => task.isReady())
    const due = [...timers].filter(({ at }) => at <= clock)
    if (ready.length + due.length === 0) return false
    const chosen = dice.below(ready.length + due.length)
    const task = ready[chosen]
    if (task) {
      note(`${task.node?.name ?? '-'}  ${task.label}`)
      await inside(task.node, () => {
        if (task.run()) remove(task)
      })
      return true
    }
    const timer = due[chosen - ready.length]
    if (timer) {
      timers.delete(timer)
      note(`${timer.node?.name ?? '-'}  timer`)
      await inside(timer.node, timer.callback)
    }
    return true
  }

  function pass(ms: number): void {
    const waiting = tasks.filter((task) => task.isReady() && task.node?.isAlive)
    const latest = Math.min(...waiting.map((task) => task.queuedAt + longestWaitMs))
    clock = Math.max(clock, Math.min(clock + ms, latest))
  }

  function crash(node: SimulatedNode): void {
    note(`${node.name}  CRASHES`)
    node.isAlive = false
    for (const task of tasks.filter((one) => one.node === node)) {
      if (dice.oneIn(2) && task.isReady()) task.run()
      task.abandon()
      remove(task)
    }
    for (const timer of timers) if (timer.node === node) timers.delete(timer)
    for (const callback of crashed) callback(node)
  }

  return {
    trace,
    note,
    add,
    ask,
    step,
    inside,
    pass,
    crash,
    now: () => clock,
    onCrash: (callback: (node: SimulatedNode) => void) => crashed.push(callback),
    isIdle: () => tasks.length === 0,
    waiting: () => tasks.map((task) => `${task.node?.name ?? '-'}  ${task.label}`),

    addNode(name: string): SimulatedNode {
      const node: SimulatedNode = { name, isAlive: true, skewMs: 0, cutOffUntil: 0, now: () => clock + node.skewMs }
      return node
    },

    /** When the next timer is due; undefined when there is none. */
    nextTimer: (): number | undefined =>
      timers.size === 0 ? undefined : Math.min(...timers.values().map(({ at }) => at)),

    /** For as long as it is not disposed of, timers are those of the simulated clock. */
    holdTimers(): Disposable {
      const { setTimeout: realSet, clearTimeout: realClear } = globalThis
      const set = (callback: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) => {
        const node = current
        const timer = {
          at: clock + ms,
          node,
          callback: () => callback(...args),
          unref: () => timer,
          ref: () => timer,
          hasRef: () => false,
        }
        timers.add(timer)
        return timer
      }
      const clear = (timer: unknown) => timers.delete(timer as Timer)
      Object.assign(globalThis, { setTimeout: set, clearTimeout: clear })
      return {
        [Symbol.dispose]() {
          Object.assign(globalThis, { setTimeout: realSet, clearTimeout: realClear })
        },
      }
    },
  }
}
