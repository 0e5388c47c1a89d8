/**
 * Reads on what a caller is still sending, and forgets it.
 *
 * Who is refused before the body was read gets the answer while sending. If the connection is closed then, the kernel
 * meets what still comes with a reset, and a reset may overtake the answer. So what is on its way is let in first, for a
 * moment. Where the connection is kept Node does the same by itself.
 */
import type { IncomingMessage } from 'node:http'

// What an honest caller has on its way when it is refused; who sends more or slower is cut off.
const MOST_BYTES = 1024 * 1024
const PATIENCE_MS = 1_000

export function drain(body: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    if (body.complete || body.destroyed) return resolve()
    let bytes = 0
    const timer = setTimeout(stop, PATIENCE_MS)
    function stop(): void {
      clearTimeout(timer)
      body.off('data', count).off('end', stop).off('close', stop).off('error', stop)
      resolve()
    }
    function count({ length }: Buffer): void {
      bytes += length
      if (bytes > MOST_BYTES) stop()
    }
    body.on('data', count).on('end', stop).on('close', stop).on('error', stop)
  })
}
