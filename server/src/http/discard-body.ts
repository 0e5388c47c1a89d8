/**
 * Reads and discards the rest of a body that was refused.
 *
 * A caller that is refused before its body was read gets the response while it is still sending. If the connection is
 * closed then, the kernel answers the remaining bytes with a reset, and the reset may arrive before the response. So
 * the remaining bytes are read first. On a connection that is kept alive Node does the same by itself.
 */
import type { IncomingMessage } from 'node:http'
import { startPauseTolerantTimer } from '../platform/pause-tolerant-timer.ts'

// A caller that sends more, or nothing for this long, is cut off. The timeout of the whole request ends a slow drip.
const MAX_BYTES = 1024 * 1024
export const MAX_SILENCE_MS = 5_000

export function discardBody(body: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    if (body.complete || body.destroyed) return resolve()
    let bytes = 0
    let stopTimer = startPauseTolerantTimer(MAX_SILENCE_MS, stop)
    function stop(): void {
      stopTimer()
      body.off('data', count).off('end', stop).off('close', stop).off('error', stop)
      resolve()
    }
    function count({ length }: Buffer): void {
      bytes += length
      if (bytes > MAX_BYTES) return stop()
      stopTimer()
      stopTimer = startPauseTolerantTimer(MAX_SILENCE_MS, stop)
    }
    body.on('data', count).on('end', stop).on('close', stop).on('error', stop)
  })
}
