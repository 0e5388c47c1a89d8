/**
 * What this process remembers of keys, so that a request does not read the database to know its caller.
 *
 * Remembering for ten seconds alone would let a revoked key live that long. So each change of a key leaves a row in
 * `key_change`, every process reads the last seconds of that table three times a second, and forgets what it finds:
 * one small read for a process, however many keys it serves. **Invariant:** a record is only trusted while the last
 * successful look at the changes is less than a second old; otherwise it is read again. When the database cannot be
 * reached at all nobody can revoke either, and the last record holds.
 */
import type { Db } from '../db/db.ts'
import { ApiError } from '../errors.ts'

const LOOK_EVERY_MS = 300
const TRUST_MS = 1_000
const REMEMBER_MS = 10_000
// A look must cover any transaction that was still open at the look before; statements end after five seconds.
const LOOK_BACK_SECONDS = 10
// About 1 KB each. The oldest goes first; it costs one read to come back.
const MOST_ENTRIES = 50_000

interface Entry<T> {
  readonly value: Promise<T>
  readonly readAt: number
  keyId?: string
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
    const { rows } = await db.lookup<{ key_id: string }>({
      name: 'key_change_recent',
      text: `SELECT DISTINCT key_id FROM key_change WHERE changed_at > now() - $1 * interval '1 second'`,
      values: [LOOK_BACK_SECONDS],
    })
    if (rows.length > 0) {
      const changed = new Set(rows.map((row) => row.key_id))
      for (const [id, entry] of entries) if (entry.keyId && changed.has(entry.keyId)) entries.delete(id)
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
      const entry: Entry<T> = { value: read(id), readAt: at }
      entries.delete(id)
      entries.set(id, entry)
      if (entries.size > MOST_ENTRIES) entries.delete(entries.keys().next().value ?? id)
      try {
        const value = await entry.value
        const keyId = keyIdOf(value)
        if (keyId) entry.keyId = keyId
        return value
      } catch (error) {
        if (entries.get(id) === entry) entries.delete(id)
        if (!(known && error instanceof ApiError && error.code === 'unavailable')) throw error
        entries.set(id, { ...known, readAt: at })
        return known.value
      }
    },

    close() {
      closed = true
      clearTimeout(timer)
    },
  }
}
