/**
 * A few threads that name, each with a view of the same knowledge.
 *
 * A question goes to the thread with the fewest waiting. A caller who hangs up is answered at once and the thread's
 * answer is dropped: it is a few milliseconds from done. A thread that dies takes the process with it: what can kill
 * one, being out of memory, is no state to go on in.
 */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Candidate, NameAsk } from '../model/name.ts'

export interface Question {
  readonly id: number
  readonly ask: NameAsk
  readonly wanted: number
}

export type Answer =
  | { readonly id: number; readonly candidates: readonly Candidate[] }
  | { readonly id: number; readonly failure: unknown }

export interface Threads extends AsyncDisposable {
  propose(ask: NameAsk, wanted: number, signal: AbortSignal): Promise<readonly Candidate[]>
}

interface Thread {
  readonly worker: Worker
  readonly waiting: Map<number, PromiseWithResolvers<readonly Candidate[]>>
}

export async function openThreads(block: SharedArrayBuffer, count: number): Promise<Threads> {
  let asked = 0
  const threads = await Promise.all(Array.from({ length: count }, () => start()))

  async function start(): Promise<Thread> {
    const worker = new Worker(new URL('thread.ts', import.meta.url), { workerData: block })
    const thread: Thread = { worker, waiting: new Map() }
    worker.on('message', (answer: Answer | 'ready') => {
      if (answer === 'ready') return
      const waiter = thread.waiting.get(answer.id)
      thread.waiting.delete(answer.id)
      if ('failure' in answer) waiter?.reject(answer.failure)
      else waiter?.resolve(answer.candidates)
    })
    await once(worker, 'message')
    return thread
  }

  async function propose(ask: NameAsk, wanted: number, signal: AbortSignal): Promise<readonly Candidate[]> {
    signal.throwIfAborted()
    const thread = threads.reduce((best, one) => (one.waiting.size < best.waiting.size ? one : best))
    const id = asked++
    const waiter = Promise.withResolvers<readonly Candidate[]>()
    const hangUp = () => waiter.reject(signal.reason)
    thread.waiting.set(id, waiter)
    signal.addEventListener('abort', hangUp, { once: true })
    thread.worker.postMessage({ id, ask, wanted } satisfies Question)
    try {
      return await waiter.promise
    } finally {
      signal.removeEventListener('abort', hangUp)
    }
  }

  return {
    propose,
    [Symbol.asyncDispose]: async () => {
      await Promise.all(threads.map(({ worker }) => worker.terminate()))
    },
  }
}
