/**
 * Ports for servers that must know their own before they start, and keep them when they start again.
 *
 * Below 32768, where the kernel never takes one for an outgoing connection: a port that was free a moment ago stays free.
 */
import { once } from 'node:events'
import { createServer } from 'node:net'

const LOWEST = 15_000
const HIGHEST = 32_000

export async function takePorts<const Name extends string>(names: readonly Name[]): Promise<Record<Name, number>> {
  const taken = new Map<Name, number>()
  for (const name of names) {
    let port = anyPort()
    while ([...taken.values()].includes(port) || !(await isFree(port))) port = anyPort()
    taken.set(name, port)
  }
  return Object.fromEntries(taken) as Record<Name, number>
}

function anyPort(): number {
  return LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST))
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  const isListening = once(server, 'listening').then(
    () => true,
    () => false,
  )
  server.listen(port, '127.0.0.1')
  if (!(await isListening)) return false
  server.close()
  await once(server, 'close')
  return true
}
