/**
 * A few threads that name, each with a view of the same knowledge.
 *
 * Questions wait in one line on this side; a thread has at most two of them, so that it is never idle while this side is
 * busy. A caller who hangs up is answered at once and leaves the line: what nobody waits for any more is not worked on,
 * but for those two. A question whose turn would come after its caller's deadline is refused with `overloaded` instead.
 *
 * A thread that dies takes the process with it: what can kill one, being out of memory, is no state to go on in.
 */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { ApiError } from '../errors.ts'
import type { Candidate, NameRequest, ProjectSummary } from '../model/name.ts'
import type { WasmMemory } from './knowledge/nearness.ts'

/** What a thread can do. */
export interface NamingTasks {
  readonly propose: { readonly ask: NameRequest; readonly wanted: number }
  readonly summarise: { readonly ask: NameRequest }
}

export interface NamingResults {
  readonly propose: readonly Candidate[]
  readonly summarise: ProjectSummary
}

export type NamingRequest = {
  [Task in keyof NamingTasks]: { readonly id: number; readonly task: Task } & NamingTasks[Task]
}[keyof NamingTasks]

export type NamingAnswer = { readonly id: number; readonly tookMs: number } & (
  | { readonly result: NamingResults[keyof NamingResults] }
  | { readonly failure: unknown }
)

/** What waits for a thread or is with one. */
export interface NamingQueue {
  readonly length: number
  /** After how long it is shorter by one. */
  readonly eachMs: number
}

export interface Threads extends AsyncDisposable {
  /** Fails with overloaded when its turn would come too late. */
  run<Task extends keyof NamingTasks>(
    task: Task,
    request: NamingTasks[Task],
    signal: AbortSignal,
    withinMs?: number,
  ): Promise<NamingResults[Task]>
  queue(): NamingQueue
}

// Whoever names no deadline.
const MAX_WAIT_MS = 10_000
// Whoever wants an answer sooner than this is let in, and may find that there was no time for names.
const MIN_WAIT_MS = 1_000
// The one that is worked on, and the next.
const AT_A_THREAD = 2
// Until some have been measured. A request costs about ten milliseconds.
const TOOK_MS = 10
// One in sixteen counts: the mean of about the last thirty.
const WEIGHT = 1 / 16

interface Waiter extends PromiseWithResolvers<NamingResults[keyof NamingResults]> {
  readonly question: NamingRequest
}

interface Thread {
  readonly worker: Worker
  readonly working: Map<number, Waiter>
}

export async function openThreads(memory: WasmMemory, count: number): Promise<Threads> {
  let asked = 0
  let meanMs = TOOK_MS
  /** In the order they came; by the number of the question. */
  const waiting = new Map<number, Waiter>()
  const threads = await Promise.all(Array.from({ length: count }, () => start()))

  async function start(): Promise<Thread> {
    const worker = new Worker(new URL('thread.ts', import.meta.url), { workerData: memory })
    const thread: Thread = { worker, working: new Map() }
    worker.on('message', (answer: NamingAnswer | 'ready') => {
      if (answer === 'ready') return
      const waiter = thread.working.get(answer.id)
      thread.working.delete(answer.id)
      meanMs += (answer.tookMs - meanMs) * WEIGHT
      handOut()
      if ('failure' in answer) waiter?.reject(answer.failure)
      else waiter?.resolve(answer.result)
    })
    await once(worker, 'message')
    return thread
  }

  function handOut(): void {
    for (const [id, waiter] of waiting) {
      const thread = threads.reduce((best, one) => (one.working.size < best.working.size ? one : best))
      if (thread.working.size >= AT_A_THREAD) return
      waiting.delete(id)
      thread.working.set(id, waiter)
      thread.worker.postMessage(waiter.question)
    }
  }

  function queue(): NamingQueue {
    const length = threads.reduce((sum, { working }) => sum + working.size, waiting.size)
    return { length, eachMs: meanMs / count }
  }

  async function run<Task extends keyof NamingTasks>(
    task: Task,
    request: NamingTasks[Task],
    signal: AbortSignal,
    withinMs = MAX_WAIT_MS,
  ): Promise<NamingResults[Task]> {
    signal.throwIfAborted()
    const { length, eachMs } = queue()
    if (length * eachMs > Math.max(withinMs, MIN_WAIT_MS)) throw new ApiError('overloaded')
    const id = asked++
    const question = { id, task, ...request } as NamingRequest
    const waiter: Waiter = { ...Promise.withResolvers<NamingResults[keyof NamingResults]>(), question }
    const hangUp = () => {
      waiting.delete(id)
      waiter.reject(signal.reason)
    }
    waiting.set(id, waiter)
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
