/** The naming thread: opens the lists, answers questions one after the other. */
import { parentPort } from 'node:worker_threads'
import { openNamesFrom } from '@namewright/names/node'
import type { NamingAnswer, NamingRequest } from './names.ts'

const names = openNamesFrom()
const port = parentPort!

port.on('message', (request: NamingRequest) => {
  const startedAt = performance.now()
  const before = process.threadCpuUsage()
  let outcome: { result: unknown } | { failure: unknown }
  try {
    outcome = { result: answer(request) }
  } catch (failure) {
    outcome = { failure }
  }
  const used = process.threadCpuUsage(before)
  const spent = { tookMs: performance.now() - startedAt, cpuMs: (used.user + used.system) / 1000 }
  port.postMessage({ id: request.id, ...spent, ...outcome } satisfies NamingAnswer)
})

function answer(request: NamingRequest): unknown {
  if (request.task === 'admit') return names.admit(request.ask, request.candidates)
  if (request.task === 'summarise') return names.summarise(request.ask)
  return names.propose(request.ask, request.wanted)
}
