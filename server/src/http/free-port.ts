/** Returns this port of the loopback address if it is free, otherwise another free port. */
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'

export async function findFreePort(preferred: number, host = '127.0.0.1'): Promise<number> {
  const server = createServer()
  try {
    server.listen(preferred, host)
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  } catch (error) {
    if (preferred === 0) throw error
    return findFreePort(0, host)
  } finally {
    server.close()
  }
}
