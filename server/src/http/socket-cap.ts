/**
 * Caps how many connections one address may have open, whatever they are used for: idle ones, half-sent headers and
 * slow bodies all count. Decided when a connection arrives, before TLS and before a byte is read.
 *
 * A trusted proxy holds the connections of everybody behind it and is not capped. It has to cap its own callers.
 */
import type { Socket } from 'node:net'
import { includes, rangesOf } from '../model/address-ranges.ts'
import { addressSubject } from '../platform/limits/limits.ts'
import { createConcurrencyCap } from './concurrency-cap.ts'

export interface SocketCap {
  /** False: the address is at its cap, and the socket is to be closed. */
  admits(socket: Socket): boolean
  /** Connections that were refused since the start. */
  refused(): number
}

export function createSocketCap(most: number, trustedProxies: readonly string[]): SocketCap {
  const cap = createConcurrencyCap(most)
  const proxies = rangesOf(trustedProxies)
  let refused = 0
  return {
    admits(socket) {
      const { remoteAddress } = socket
      // A Unix domain socket has no address, and neither has a socket that is already closed.
      if (remoteAddress === undefined) return true
      if (proxies && includes(proxies, remoteAddress)) return true
      const release = cap.take(addressSubject(remoteAddress))
      if (!release) {
        refused++
        return false
      }
      socket.once('close', release)
      return true
    },
    refused: () => refused,
  }
}
