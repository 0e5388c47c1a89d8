/**
 * Tasks that wait for a thread, served so that every subject gets the same time of the threads (start-time fair
 * queueing). A subject is an opaque text: an account, or the address of a visitor.
 *
 * Next is a task of the subject that has used the least time. How many tasks it has makes no difference to the others,
 * and costly tasks make its own turns rarer. A subject that was away has saved nothing up: it begins level with whoever
 * was served last. One that comes back soon still has what it used.
 */
export interface TaskQueue<Task> {
  /** Of all subjects. */
  readonly length: number
  add(subject: string, task: Task): void
  delete(subject: string, task: Task): void
  /** Removes the next task. Its expected time counts until `settle`. */
  take(): { readonly task: Task; readonly expectedMs: number } | undefined
  /** A task that was taken has ended, and used this time instead of the expected one. */
  settle(subject: string, expectedMs: number, usedMs: number): void
  /** How many waiting tasks would be taken before one that this subject adds now, if all take the same time. */
  countAhead(subject: string): number
}

interface SubjectTurns<Task> {
  readonly waiting: Set<Task>
  /** Taken and not settled. */
  running: number
  usedMs: number
  /** Of its tasks lately. */
  meanMs: number
}

// Until a subject has been measured. A request costs about ten milliseconds.
const FIRST_MS = 10
const WEIGHT = 1 / 4
// Of subjects that wait for nothing; the others forget only that one of these has had more than its share.
const MAX_REMEMBERED = 1_000

export function createTaskQueue<Task>(): TaskQueue<Task> {
  /** Ordered by last turn, oldest first. */
  const subjects = new Map<string, SubjectTurns<Task>>()
  /** What the subject that was served last had used by then. */
  let level = 0
  let length = 0

  function least(): [string, SubjectTurns<Task>] | undefined {
    let best: [string, SubjectTurns<Task>] | undefined
    for (const entry of subjects) {
      const [subject, turns] = entry
      if (turns.waiting.size > 0) {
        if (best === undefined || turns.usedMs < best[1].usedMs) best = entry
      } else if (turns.running === 0 && (turns.usedMs <= level || subjects.size > MAX_REMEMBERED)) {
        subjects.delete(subject)
      }
    }
    return best
  }

  return {
    get length() {
      return length
    },

    add(subject, task) {
      let turns = subjects.get(subject)
      if (turns === undefined)
        subjects.set(subject, (turns = { waiting: new Set(), running: 0, usedMs: level, meanMs: FIRST_MS }))
      if (turns.waiting.size === 0 && turns.running === 0) turns.usedMs = Math.max(turns.usedMs, level)
      turns.waiting.add(task)
      length++
    },

    delete(subject, task) {
      if (subjects.get(subject)?.waiting.delete(task) === true) length--
    },

    take() {
      const [subject, turns] = least() ?? []
      const [task] = turns?.waiting ?? []
      if (subject === undefined || turns === undefined || task === undefined) return undefined
      turns.waiting.delete(task)
      length--
      level = Math.max(level, turns.usedMs)
      const expectedMs = turns.meanMs
      turns.usedMs += expectedMs
      turns.running++
      subjects.delete(subject)
      subjects.set(subject, turns)
      return { task, expectedMs }
    },

    settle(subject, expectedMs, usedMs) {
      const turns = subjects.get(subject)
      if (turns === undefined) return
      turns.running--
      turns.usedMs += usedMs - expectedMs
      turns.meanMs += (usedMs - turns.meanMs) * WEIGHT
    },

    countAhead(subject) {
      const own = subjects.get(subject)?.waiting.size ?? 0
      let ahead = own
      for (const [other, { waiting }] of subjects) if (other !== subject) ahead += Math.min(waiting.size, own + 1)
      return ahead
    },
  }
}
