/**
 * What this process remembers of keys, so that a request does not read the database to know its caller.
 *
 * Remembering for ten seconds alone would let a revoked key live that long. So each change of a key leaves a row in
 * `key_change`, every process reads the last seconds of that table three times a second, and forgets what it finds:
 * one small read for a process, however many keys it serves. **Invariant:** a record is only trusted while the last
 * successful look at the changes is less than a second old; otherwise it is read again. When the database cannot be
 * reached at all nobody can revoke either, and the last record holds, until the next look: a node that was cut off alone
 * forgets everything then, since its look does not go back far enough.
 */
import type { Db } from '../db/db.ts'
import { ApiError } from '../errors.ts'

const LOOK_EVERY_MS = 300
const TRUST_MS = 1_000
const REMEMBER_MS = 10_000
// A look must cover any transaction that was still open at the look before; statements end after five seconds.
const LOOK_BACK_SECONDS = 10
// So the look before may be this long ago, and nothing in between is missed.
const GAP_MS = 5_000
// About 1 KB each. The oldest goes first; it costs one read to come back.
const MOST_ENTRIES = 50_000

interface Entry<T> {
  readonly value: Promise<T>
  readonly readAt: number
  keyId?: string
  /** What was read last, this time or before: what holds while the database cannot be reached. */
  last?: { readonly value: T }
}

export interface Recall<T> {
  get(id: string): Promise<T>
  close(): void
}

export function createRecall<T>(options: {
  db: Db
  now: () => number
  read: (id: string) => Promise<T>
  keyIdOf: (value: T) => string | undefined
}): Recall<T> {
  const { db, now, read, keyIdOf } = options
  const entries = new Map<string, Entry<T>>()
  let lookedAt = now()
  let closed = false

  async function look(): Promise<void> {
    const startedAt = now()
    const { rows } = await db.find<{ key_id: string }>({
      name: 'key_change_recent',
      text: `SELECT DISTINCT key_id FROM key_change WHERE changed_at > now() - $1 * interval '1 second'`,
      values: [LOOK_BACK_SECONDS],
    })
    if (startedAt - lookedAt > GAP_MS) entries.clear()
    if (rows.length > 0) {
      const changed = new Set(rows.map((row) => row.key_id))
      // Whose one is that is still being read nobody knows, and it may have been read before the change.
      for (const [id, { keyId }] of entries) if (!keyId || changed.has(keyId)) entries.delete(id)
    }
    lookedAt = startedAt
  }

  let timer = setTimeout(function again() {
    look()
      .catch(() => {})
      .finally(() => {
        if (!closed) timer = setTimeout(again, LOOK_EVERY_MS).unref()
      })
  }, LOOK_EVERY_MS).unref()

  return {
    async get(id) {
      const known = entries.get(id)
      const at = now()
      if (known && at - known.readAt < (at - lookedAt < TRUST_MS ? REMEMBER_MS : TRUST_MS / 2)) return known.value
      const entry: Entry<T> = { ...known, value: read(id).then(keep, hold), readAt: at }
      entries.delete(id)
      entries.set(id, entry)
      if (entries.size > MOST_ENTRIES) entries.delete(entries.keys().next().value ?? id)
      return entry.value

      function keep(value: T): T {
        const keyId = keyIdOf(value)
        if (keyId) entry.keyId = keyId
        entry.last = { value }
        return value
      }

      /** For all who wait for it, unless a look has dropped it meanwhile: then there may be a change. */
      function hold(error: unknown): T {
        const current = entries.get(id)
        if (current?.last && error instanceof ApiError && error.code === 'unavailable') return current.last.value
        if (current === entry) entries.delete(id)
        throw error
      }
    },

    close() {
      closed = true
      clearTimeout(timer)
    },
  }
}
