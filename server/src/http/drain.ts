/**
 * Reads and discards the rest of a body that was refused.
 *
 * A caller that is refused before its body was read gets the response while it is still sending. If the connection is
 * closed then, the kernel answers the remaining bytes with a reset, and the reset may arrive before the response. So
 * the remaining bytes are read first, for a short time. On a connection that is kept alive Node does the same by
 * itself.
 */
import type { IncomingMessage } from 'node:http'

// What an honest caller has in transit when it is refused. A caller that sends more or slower is cut off.
const MAX_BYTES = 1024 * 1024
export const DRAIN_MS = 1_000

export function drain(body: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    if (body.complete || body.destroyed) return resolve()
    let bytes = 0
    const startedAt = performance.now()
    let timer = setTimeout(onTimer, DRAIN_MS)
    // A timer counts from the beginning of the event loop's turn, which is earlier than now on a busy machine.
    function onTimer(): void {
      const leftMs = DRAIN_MS - (performance.now() - startedAt)
      if (leftMs > 0) timer = setTimeout(onTimer, leftMs)
      else stop()
    }
    function stop(): void {
      clearTimeout(timer)
      body.off('data', count).off('end', stop).off('close', stop).off('error', stop)
      resolve()
    }
    function count({ length }: Buffer): void {
      bytes += length
      if (bytes > MAX_BYTES) stop()
    }
    body.on('data', count).on('end', stop).on('close', stop).on('error', stop)
  })
}
