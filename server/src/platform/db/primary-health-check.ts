/**
 * Health checks of the primary and the standby, so that no request of this process waits for an unreachable server.
 *
 * Without it every request finds out on its own: while a server is down, each waits for a connection until its timeout,
 * and a pool of ten refuses only three requests a second. Here the first failure starts a probe: a separate connection
 * that asks whether this is a primary, or whether a standby responds. Without a positive response within seconds the
 * server counts as down, all waiting requests fail, and the probe repeats until the server recovers.
 *
 * A single broken connection, or a busy pool, proves nothing: then the probe succeeds and nothing changes.
 */
import pg from 'pg'
import { startPauseTolerantTimer } from '../pause-tolerant-timer.ts'

export interface PrimaryHealthCheck {
  isDown(): boolean
  /** Call after a failure or a suspiciously long wait: starts a probe, unless one is running. */
  suspect(): void
  /** Called once, when the server goes down; the returned function removes the listener. */
  onDown(listener: () => void): () => void
  close(): void
}

const PROBE_EVERY_MS = 250
// A reachable server responds to this in a millisecond. But machines are busy at times: declaring a slow server down
// delays work that it could have done. Probing a server that is already down with a shorter timeout costs nothing.
const LEAVING_TIMEOUT_MS = 2_000
const RETURNING_TIMEOUT_MS = 1_000

export function createPrimaryHealthCheck(url: string, wanted: 'primary' | 'any'): PrimaryHealthCheck {
  let isDown = false
  let probing: Promise<void> | undefined
  let closed = false
  const downListeners = new Set<() => void>()

  async function probe(): Promise<void> {
    for (;;) {
      const isThere = await answersAs(wanted, url, isDown ? RETURNING_TIMEOUT_MS : LEAVING_TIMEOUT_MS)
      if (closed) return
      if (isThere) {
        isDown = false
        return
      }
      isDown = true
      const notified = [...downListeners]
      downListeners.clear()
      for (const listener of notified) listener()
      await new Promise((resolve) => setTimeout(resolve, PROBE_EVERY_MS).unref())
    }
  }

  return {
    isDown: () => isDown,
    suspect() {
      probing ??= probe().finally(() => (probing = undefined))
    },
    onDown(listener) {
      downListeners.add(listener)
      return () => downListeners.delete(listener)
    },
    close() {
      closed = true
    },
  }
}

async function answersAs(wanted: 'primary' | 'any', url: string, timeoutMs: number): Promise<boolean> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  // Closing the socket fails whatever waits for it. A busy process of ours is no reason to call the server down.
  const stopTimer = startPauseTolerantTimer(timeoutMs, () => client.connection.stream.destroy())
  try {
    await client.connect()
    const { rows } = await client.query<{ follows: boolean }>('SELECT pg_is_in_recovery() AS follows')
    return wanted === 'any' || rows[0]?.follows === false
  } catch {
    return false
  } finally {
    stopTimer()
    client.end().catch(() => {})
  }
}
