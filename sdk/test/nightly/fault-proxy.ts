/**
 * A proxy on loopback that injects network faults between a client and the service: it resets connections before or
 * after the service has handled the request, returns its own errors, truncates responses, stalls, and is down for a while.
 */
import { once } from 'node:events'
import { createServer, request as ask } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/**
 * `reset_before`: the service does not receive the request. `reset_after`: it does, and its response is lost.
 * `truncate`: half of the response arrives. `stall`: the service receives the request, and no response arrives.
 * `stall_half`: half of the response arrives, and then nothing.
 */
export type Fault =
  | 'none'
  | 'reset_before'
  | 'reset_after'
  | 'refuse_429'
  | 'refuse_503'
  | 'truncate'
  | 'stall'
  | 'stall_half'

export interface FaultProxy extends AsyncDisposable {
  readonly url: string
  /** The number of injected faults by kind. */
  readonly counts: ReadonlyMap<Fault, number>
  /** Closes the port for this time and resets all connections. */
  takeDown(ms: number): Promise<void>
}

const REFUSALS = {
  refuse_429: { status: 429, code: 'rate_limited', retryAfter: '1' },
  refuse_503: { status: 503, code: 'unavailable', retryAfter: '0' },
} as const

export async function openFaultProxy(target: string, choose: () => Fault): Promise<FaultProxy> {
  const counts = new Map<Fault, number>()
  const sockets = new Set<Socket>()

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const fault = choose()
    counts.set(fault, (counts.get(fault) ?? 0) + 1)
    const body: Buffer[] = []
    for await (const chunk of request) body.push(chunk as Buffer)
    if (fault === 'reset_before') return void request.socket.resetAndDestroy()
    if (fault === 'refuse_429' || fault === 'refuse_503') {
      const { status, code, retryAfter } = REFUSALS[fault]
      const error = { code, message: code, request_id: 'proxy', docs: '' }
      response.writeHead(status, { 'content-type': 'application/json', 'retry-after': retryAfter })
      return void response.end(JSON.stringify({ status: 'error', error }))
    }
    const upstream = ask(`${target}${request.url}`, { method: request.method, headers: request.headers })
    upstream.on('error', () => request.socket.resetAndDestroy())
    response.once('close', () => upstream.destroy())
    upstream.end(Buffer.concat(body))
    const [answer] = (await once(upstream, 'response')) as [IncomingMessage]
    if (fault === 'none') {
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      return void answer.on('error', () => response.destroy()).pipe(response)
    }
    const parts: Buffer[] = []
    for await (const chunk of answer) parts.push(chunk as Buffer)
    if (fault === 'stall') return
    if (fault === 'reset_after') return void request.socket.resetAndDestroy()
    const whole = Buffer.concat(parts)
    response.writeHead(answer.statusCode ?? 500, answer.headers)
    response.write(whole.subarray(0, Math.ceil(whole.length / 2)), () => {
      if (fault === 'truncate') request.socket.resetAndDestroy()
    })
  }

  const server = createServer((request, response) => {
    // Clients that disconnect are expected here.
    handle(request, response).catch(() => request.socket.destroy())
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket)).on('error', () => {})
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  async function close(): Promise<void> {
    const closed = once(server, 'close')
    server.close()
    for (const socket of sockets) socket.resetAndDestroy()
    await closed
  }

  return {
    url: `http://127.0.0.1:${port}`,
    counts,
    async takeDown(ms) {
      await close()
      await new Promise((resolve) => setTimeout(resolve, ms))
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
    },
    [Symbol.asyncDispose]: close,
  }
}

/** A seeded random number generator (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
