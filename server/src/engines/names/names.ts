/**
 * The naming of this node: `@namewright/names` in a thread of its own, and the queue in front of it.
 *
 * An answer is a few milliseconds of pure computing, and a tenth of a second where a language comes first. On the main
 * thread it would hold up every other request. Questions wait on this side, and are taken in turn per subject
 * (`task-queue.ts`). The thread has one of them, and the next while that one is short, so that it is never idle while this
 * side is busy and nobody waits behind two long ones. A caller who hangs up is answered at once and leaves the queue: what
 * nobody waits for any more is not worked on, but for what is at the thread, and that is reported as used. A question
 * whose turn would come after its caller's deadline is refused with `overloaded` instead.
 *
 * A thread that dies takes the process with it: what can kill it, being out of memory, is no state to go on in.
 */
import { Worker } from 'node:worker_threads'
import type { NameRequest, Objection, ProjectSummary } from '@namewright/names'
import { ApiError } from '../../model/errors.ts'
import type { Candidate, Proposal } from '../../model/name.ts'
import { createTaskQueue } from './task-queue.ts'

export interface Names extends AsyncDisposable {
  /**
   * Names for this ask, best first; fewer than wanted when no more are worth showing, and none where nothing is
   * understood. Fails with overloaded where its turn would come too late.
   */
  propose(ask: NameRequest, wanted: number, signal: AbortSignal, turn?: NamingTurn): Promise<readonly Proposal[]>
  /** Each candidate as a name with its score, or what speaks against it. Fails like `propose`. */
  admit(
    ask: NameRequest,
    candidates: readonly Candidate[],
    signal: AbortSignal,
    turn?: NamingTurn,
  ): Promise<readonly (Proposal | Objection)[]>
  /** What was understood of the description. Fails like `propose`. */
  summarise(ask: NameRequest, signal: AbortSignal, turn?: NamingTurn): Promise<ProjectSummary>
  queue(): NamingQueue
}

/** What waits for the thread or is with it. */
export interface NamingQueue {
  readonly length: number
  /** After how long it is shorter by one. */
  readonly eachMs: number
  /** What the thread has used since the start. */
  readonly cpuMs: number
}

/** Whose question it is. */
export interface NamingTurn {
  /** Turns are shared out by this text. */
  readonly subject?: string
  readonly withinMs?: number
  /** Called once the thread has worked on it, also if the caller has hung up by then or it has failed. */
  readonly onCpu?: (cpuMs: number) => void
}

interface NamingTasks {
  readonly propose: { readonly ask: NameRequest; readonly wanted: number }
  readonly admit: { readonly ask: NameRequest; readonly candidates: readonly Candidate[] }
  readonly summarise: { readonly ask: NameRequest }
}

interface NamingResults {
  readonly propose: readonly Proposal[]
  readonly admit: readonly (Proposal | Objection)[]
  readonly summarise: ProjectSummary
}

export type NamingRequest = {
  [Task in keyof NamingTasks]: { readonly id: number; readonly task: Task } & NamingTasks[Task]
}[keyof NamingTasks]

export type NamingAnswer = { readonly id: number; readonly tookMs: number; readonly cpuMs: number } & (
  | { readonly result: unknown }
  | { readonly failure: unknown }
)

// Whoever names no deadline.
const MAX_WAIT_MS = 10_000
// Whoever wants an answer sooner than this is let in, and may find that there was no time for names.
const MIN_WAIT_MS = 1_000
// What is at the thread cannot be overtaken.
const SHORT_MS = 10
// Until some have been measured.
const TOOK_MS = 10
// One in sixteen counts: the mean of about the last thirty.
const WEIGHT = 1 / 16

interface Waiter extends PromiseWithResolvers<unknown> {
  readonly question: NamingRequest
  readonly subject: string
  readonly onCpu: ((cpuMs: number) => void) | undefined
}

/** The thread reads its lists while the node starts: a question before that waits for half a second. */
export function openNames(): Names {
  let asked = 0
  let meanMs = TOOK_MS
  let cpuMs = 0
  const waiting = createTaskQueue<Waiter>()
  const working = new Map<number, { readonly task: Waiter; readonly expectedMs: number }>()
  const worker = new Worker(new URL('worker.ts', import.meta.url))
  worker.on('message', finish)

  function finish(answer: NamingAnswer): void {
    const worked = working.get(answer.id)
    if (worked === undefined) return
    const { task, expectedMs } = worked
    working.delete(answer.id)
    cpuMs += answer.cpuMs
    meanMs += (answer.tookMs - meanMs) * WEIGHT
    waiting.settle(task.subject, expectedMs, answer.cpuMs)
    handOut()
    task.onCpu?.(answer.cpuMs)
    if ('failure' in answer) task.reject(answer.failure)
    else task.resolve(answer.result)
  }

  function handOut(): void {
    while (waiting.length > 0 && isFree()) {
      const next = waiting.take()
      if (next === undefined) return
      working.set(next.task.question.id, next)
      worker.postMessage(next.task.question)
    }
  }

  function isFree(): boolean {
    const [one] = working.values()
    return one === undefined || (working.size === 1 && one.expectedMs <= SHORT_MS)
  }

  async function run<Task extends keyof NamingTasks>(
    task: Task,
    request: NamingTasks[Task],
    signal: AbortSignal,
    { subject = '', withinMs = MAX_WAIT_MS, onCpu }: NamingTurn = {},
  ): Promise<NamingResults[Task]> {
    signal.throwIfAborted()
    const ahead = waiting.countAhead(subject) + working.size
    if (ahead * meanMs > Math.max(withinMs, MIN_WAIT_MS)) throw new ApiError('overloaded')
    const question = { id: asked++, task, ...request } as NamingRequest
    const answered = Promise.withResolvers<unknown>()
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
    propose: (ask, wanted, signal, turn) => run('propose', { ask, wanted }, signal, turn),
    admit: (ask, candidates, signal, turn) => run('admit', { ask, candidates }, signal, turn),
    summarise: (ask, signal, turn) => run('summarise', { ask }, signal, turn),
    queue: () => ({ length: waiting.length + working.size, eachMs: meanMs, cpuMs }),
    [Symbol.asyncDispose]: async () => {
      await worker.terminate()
    },
  }
}
