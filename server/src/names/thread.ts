/** One naming thread: opens the shared knowledge, answers questions one after the other. */
import { parentPort, workerData } from 'node:worker_threads'
import type { Candidate } from '../model/name.ts'
import { openKnowledge } from './knowledge/knowledge.ts'
import { propose } from './propose.ts'
import type { NamingAnswer, NamingRequest } from './threads.ts'

const knowledge = openKnowledge(workerData as SharedArrayBuffer)
const port = parentPort!

port.on('message', ({ id, ask, wanted }: NamingRequest) => {
  const startedAt = performance.now()
  let outcome: { candidates: readonly Candidate[] } | { failure: unknown }
  try {
    outcome = { candidates: propose(knowledge, ask, wanted, new AbortController().signal) }
  } catch (failure) {
    outcome = { failure }
  }
  port.postMessage({ id, tookMs: performance.now() - startedAt, ...outcome } satisfies NamingAnswer)
})
port.postMessage('ready')
