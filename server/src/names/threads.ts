/**
 * A few threads that name, each with a view of the same knowledge.
 *
 * Questions wait on this side, and are taken in turn per subject (`task-queue.ts`). A thread has one of them, and the next
 * while that one is short, so that it is never idle while this side is busy and nobody waits behind two long ones. A caller
 * who hangs up is answered at once and leaves the queue: what nobody waits for any more is not worked on, but for what is
 * at a thread, and that is reported as used. A question whose turn would come after its caller's deadline is refused with
 * `overloaded` instead.
 *
 * A thread that dies takes the process with it: what can kill one, being out of memory, is no state to go on in.
 */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { ApiError } from '../errors.ts'
import type { Candidate, NameRequest, Objection, ProjectSummary, Proposal } from '../model/name.ts'
import type { WasmMemory } from './knowledge/nearness.ts'
import { createTaskQueue } from './task-queue.ts'

/** What a thread can do. */
export interface NamingTasks {
  readonly propose: { readonly ask: NameRequest; readonly wanted: number }
  readonly admit: { readonly ask: NameRequest; readonly candidates: readonly Candidate[] }
  readonly summarise: { readonly ask: NameRequest }
}

export interface NamingResults {
  readonly propose: readonly Proposal[]
  readonly admit: readonly (Proposal | Objection)[]
  readonly summarise: ProjectSummary
}

export type NamingRequest = {
  [Task in keyof NamingTasks]: { readonly id: number; readonly task: Task } & NamingTasks[Task]
}[keyof NamingTasks]

export type NamingAnswer = { readonly id: number; readonly tookMs: number; readonly cpuMs: number } & (
  | { readonly result: NamingResults[keyof NamingResults] }
  | { readonly failure: unknown }
)

/** What waits for a thread or is with one. */
export interface NamingQueue {
  readonly length: number
  /** After how long it is shorter by one. */
  readonly eachMs: number
  /** What the threads have used since the start. */
  readonly cpuMs: number
}

/** Whose question it is. */
export interface NamingTurn {
  /** Turns are shared out by this text. */
  readonly subject?: string
  readonly withinMs?: number
  /** Called once a thread has worked on it, also if the caller has hung up by then or it has failed. */
  readonly onCpu?: (cpuMs: number) => void
}

export interface Threads extends AsyncDisposable {
  /** Fails with overloaded when its turn would come too late. */
  run<Task extends keyof NamingTasks>(
    task: Task,
    request: NamingTasks[Task],
    signal: AbortSignal,
    turn?: NamingTurn,
  ): Promise<NamingResults[Task]>
  queue(): NamingQueue
}

// Whoever names no deadline.
const MAX_WAIT_MS = 10_000
// Whoever wants an answer sooner than this is let in, and may find that there was no time for names.
const MIN_WAIT_MS = 1_000
// What is at a thread cannot be overtaken.
const SHORT_MS = 10
// Until some have been measured.
const TOOK_MS = 10
// One in sixteen counts: the mean of about the last thirty.
const WEIGHT = 1 / 16

interface Waiter extends PromiseWithResolvers<NamingResults[keyof NamingResults]> {
  readonly question: NamingRequest
  readonly subject: string
  readonly onCpu: ((cpuMs: number) => void) | undefined
}

interface Thread {
  readonly worker: Worker
  readonly working: Map<number, { readonly task: Waiter; readonly expectedMs: number }>
}

export async function openThreads(memory: WasmMemory, count: number): Promise<Threads> {
  let asked = 0
  let meanMs = TOOK_MS
  let cpuMs = 0
  const waiting = createTaskQueue<Waiter>()
  const threads = await Promise.all(Array.from({ length: count }, () => start()))

  async function start(): Promise<Thread> {
    const worker = new Worker(new URL('thread.ts', import.meta.url), { workerData: memory })
    const thread: Thread = { worker, working: new Map() }
    worker.on('message', (answer: NamingAnswer | 'ready') => {
      if (answer === 'ready') return
      const worked = thread.working.get(answer.id)
      if (worked === undefined) return
      const { task, expectedMs } = worked
      thread.working.delete(answer.id)
      cpuMs += answer.cpuMs
      meanMs += (answer.tookMs - meanMs) * WEIGHT
      waiting.settle(task.subject, expectedMs, answer.cpuMs)
      handOut()
      task.onCpu?.(answer.cpuMs)
      if ('failure' in answer) task.reject(answer.failure)
      else task.resolve(answer.result)
    })
    await once(worker, 'message')
    return thread
  }

  function handOut(): void {
    while (waiting.length > 0) {
      const thread = threads.find(({ working }) => working.size === 0) ?? threads.find(hasOneThatIsShort)
      if (thread === undefined) return
      const next = waiting.take()
      if (next === undefined) return
      thread.working.set(next.task.question.id, next)
      thread.worker.postMessage(next.task.question)
    }
  }

  function queue(): NamingQueue {
    return { length: waiting.length + countWorking(), eachMs: meanMs / count, cpuMs }
  }

  function countWorking(): number {
    return threads.reduce((sum, { working }) => sum + working.size, 0)
  }

  async function run<Task extends keyof NamingTasks>(
    task: Task,
    request: NamingTasks[Task],
    signal: AbortSignal,
    { subject = '', withinMs = MAX_WAIT_MS, onCpu }: NamingTurn = {},
  ): Promise<NamingResults[Task]> {
    signal.throwIfAborted()
    const ahead = waiting.countAhead(subject) + countWorking()
    if ((ahead * meanMs) / count > Math.max(withinMs, MIN_WAIT_MS)) throw new ApiError('overloaded')
    const question = { id: asked++, task, ...request } as NamingRequest
    const answered = Promise.withResolvers<NamingResults[keyof NamingResults]>()
    const waiter: Waiter = { ...answered, question, subject, onCpu }
    const hangUp = () => {
      waiting.delete(subject, waiter)
      waiter.reject(signal.reason)
    }
    waiting.add(subject, waiter)
    signal.addEventListener('abort', hangUp, { once: true })
    handOut()
    try {
      return (await waiter.promise) as NamingResults[Task]
    } finally {
      signal.removeEventListener('abort', hangUp)
    }
  }

  return {
    run,
    queue,
    [Symbol.asyncDispose]: async () => {
      await Promise.all(threads.map(({ worker }) => worker.terminate()))
    },
  }
}

function hasOneThatIsShort({ working }: Thread): boolean {
  const [one] = working.values()
  return working.size === 1 && one !== undefined && one.expectedMs <= SHORT_MS
}
