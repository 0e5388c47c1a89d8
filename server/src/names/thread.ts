/** One naming thread: opens the shared knowledge, answers questions one after the other. */
import { parentPort, workerData } from 'node:worker_threads'
import { admit } from './admit.ts'
import { openKnowledge } from './knowledge/knowledge.ts'
import type { WasmMemory } from './knowledge/nearness.ts'
import { propose } from './propose.ts'
import { summarise } from './summarise.ts'
import type { NamingAnswer, NamingRequest, NamingResults } from './threads.ts'

const knowledge = openKnowledge(workerData as WasmMemory)
const port = parentPort!

port.on('message', (request: NamingRequest) => {
  const startedAt = performance.now()
  const before = process.threadCpuUsage()
  let outcome: { result: NamingResults[keyof NamingResults] } | { failure: unknown }
  try {
    outcome = { result: answer(request) }
  } catch (failure) {
    outcome = { failure }
  }
  const used = process.threadCpuUsage(before)
  const spent = { tookMs: performance.now() - startedAt, cpuMs: (used.user + used.system) / 1000 }
  port.postMessage({ id: request.id, ...spent, ...outcome } satisfies NamingAnswer)
})

function answer(request: NamingRequest): NamingResults[keyof NamingResults] {
  if (request.task === 'admit') return admit(knowledge, request.ask, request.candidates)
  if (request.task === 'summarise') return summarise(knowledge, request.ask)
  return propose(knowledge, request.ask, request.wanted)
}

port.postMessage('ready')
