/**
 * Is the primary there, or the standby? Known to this process at once, so that nobody waits for what cannot answer.
 *
 * The naive way lets every request find out for itself: while a server is away each of them waits for a connection
 * until it may give up, and a pool of ten hands out three refusals a second. Here the first failure makes a probe: one
 * connection of its own that asks whether this is a primary, or of a standby whether it answers. Unless it says so within
 * seconds the server is away, all who wait for it are told, and the probe is repeated until it is back.
 *
 * A single broken connection, or a pool that is only busy, is no proof: then the probe gets through and nothing changes.
 */
import pg from 'pg'

export interface Presence {
  isAway(): boolean
  /** Something failed or takes suspiciously long: look, unless somebody is looking. */
  suspect(): void
  /** Called once, when it is away; what is answered takes that back. */
  onAway(tell: () => void): () => void
  /** Called every time it is back. */
  onBack(tell: () => void): void
  close(): void
}

const PROBE_EVERY_MS = 250
// A server that answers at all answers this in a millisecond. But machines are busy at times, and to call one away that is
// only slow puts off what it could have done; to ask one that is away when it is back costs nothing.
const LEAVING_TIMEOUT_MS = 2_000
const RETURNING_TIMEOUT_MS = 1_000

export function createPresence(url: string, wanted: 'primary' | 'any'): Presence {
  let isAway = false
  let looking: Promise<void> | undefined
  let closed = false
  const whenAway = new Set<() => void>()
  const whenBack: (() => void)[] = []

  async function look(): Promise<void> {
    for (;;) {
      const isThere = await answersAs(wanted, url, isAway ? RETURNING_TIMEOUT_MS : LEAVING_TIMEOUT_MS)
      if (closed) return
      if (isThere) {
        const wasAway = isAway
        isAway = false
        if (wasAway) for (const tell of whenBack) tell()
        return
      }
      isAway = true
      const told = [...whenAway]
      whenAway.clear()
      for (const tell of told) tell()
      await new Promise((resolve) => setTimeout(resolve, PROBE_EVERY_MS).unref())
    }
  }

  return {
    isAway: () => isAway,
    suspect() {
      looking ??= look().finally(() => (looking = undefined))
    },
    onAway(tell) {
      whenAway.add(tell)
      return () => whenAway.delete(tell)
    },
    onBack: (tell) => whenBack.push(tell),
    close() {
      closed = true
    },
  }
}

async function answersAs(wanted: 'primary' | 'any', url: string, timeoutMs: number): Promise<boolean> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ follows: boolean }>('SELECT pg_is_in_recovery() AS follows')
    return wanted === 'any' || rows[0]?.follows === false
  } catch {
    return false
  } finally {
    client.end().catch(() => {})
  }
}
