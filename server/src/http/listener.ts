/**
 * The port. With a certificate it speaks HTTPS, and answers plain HTTP with 403 instead of redirecting: a key that
 * was sent in the clear once is already a leaked key, and a redirect would make that look fine.
 *
 * Both arrive at one port, so the first byte decides: a TLS handshake record begins with 22 (RFC 8446 §5.1), no HTTP
 * method does.
 */
import { createServer as createPlain } from 'node:http'
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import { createServer as createSecure } from 'node:https'
import type { Socket } from 'node:net'

const TLS_HANDSHAKE = 22
// A caller gets this long to send its headers, and this long for the whole request.
const HEADERS_TIMEOUT_MS = 15_000
const REQUEST_TIMEOUT_MS = 30_000
// Longer than the idle timeout of common proxies (60 s), so that they close first and no request meets a closed door.
const KEEP_ALIVE_MS = 72_000
// Ten times what a node can have in flight, for those that are only kept; more are closed as they come. About 20 KB each.
const MOST_CONNECTIONS = 20_000

export interface Tls {
  readonly cert: string
  readonly key: string
}

export function createListener(
  tls: Tls | undefined,
  refusePlain: (request: IncomingMessage, response: ServerResponse) => void,
  mostConnections = MOST_CONNECTIONS,
) {
  return (handler: RequestListener): Server => {
    // A request without a host is refused by the handler, in our own words.
    const lax = { requireHostHeader: false }
    if (!tls) return patient(createPlain(lax, handler), mostConnections)
    const shaking = { minVersion: 'TLSv1.2', handshakeTimeout: HEADERS_TIMEOUT_MS } as const
    const secure = createSecure({ ...tls, ...lax, ...shaking }, handler)
    // Refused before it is invited to send its body in the clear too.
    const plain = createPlain(lax, refusePlain).on('checkContinue', refusePlain)
    plain.on('clientError', (error, socket) => secure.emit('clientError', error, socket))
    const shake = secure.listeners('connection') as ((socket: Socket) => void)[]
    secure.removeAllListeners('connection')
    secure.on('connection', (socket: Socket) => {
      socket.once('error', () => socket.destroy())
      // Whoever says nothing, and the whole of a plain request: a server that does not listen keeps no time itself.
      const deadline = setTimeout(() => socket.destroy(), HEADERS_TIMEOUT_MS)
      socket.once('close', () => clearTimeout(deadline))
      socket.once('data', (first: Buffer) => {
        socket.pause()
        socket.unshift(first)
        if (first[0] === TLS_HANDSHAKE) {
          clearTimeout(deadline)
          for (const listener of shake) listener.call(secure, socket)
        } else plain.emit('connection', socket)
        // The new owner has its listeners by then.
        process.nextTick(() => socket.resume())
      })
    })
    secure.on('close', () => plain.close())
    return patient(secure, mostConnections)
  }
}

function patient<S extends Server | ReturnType<typeof createSecure>>(server: S, mostConnections: number): S {
  server.maxConnections = mostConnections
  server.headersTimeout = HEADERS_TIMEOUT_MS
  server.requestTimeout = REQUEST_TIMEOUT_MS
  server.keepAliveTimeout = KEEP_ALIVE_MS
  return server
}
