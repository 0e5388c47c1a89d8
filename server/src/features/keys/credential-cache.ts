/**
 * Caches resolved credentials in this process, so that a request does not read the database to authenticate its caller.
 *
 * A cache of ten seconds alone would keep a revoked key alive for that long. So each change of a key inserts a row into
 * `key_change`, and every process reads the last seconds of that table three times a second and drops the entries it
 * finds there. That is one small read per process, however many keys it serves.
 *
 * **Invariant:** an entry is trusted only while the last successful read of the changes is less than a second old;
 * otherwise it is read again, at most every half second. While the database is unreachable nobody can revoke a key
 * either, so the last value stays valid until changes can be read again. If only this node was cut off, keys may have
 * changed meanwhile; after a gap longer than GAP_MS it drops every entry.
 */
import { LRUCache } from 'lru-cache'
import type { Db } from '../../platform/db/db.ts'
import { ApiError } from '../../model/errors.ts'

const READ_EVERY_MS = 300
const TRUST_MS = 1_000
const REMEMBER_MS = 10_000
// Each read must cover every transaction that was open at the previous read; statements time out after five seconds.
const READ_BACK_SECONDS = 10
// The longest gap between two reads in which no change can be missed.
const GAP_MS = 5_000
// About 1 KB each. Reloading an evicted entry costs one read.
const MAX_ENTRIES = 50_000

interface CacheEntry<T> {
  readonly value: Promise<T>
  readonly readAt: number
  keyId?: string
  /** The last value read successfully; used while the database is unreachable. */
  last?: { readonly value: T }
}

export interface CredentialCache<T> {
  /** `id`: the kind and the hash of a credential. */
  get(id: string): Promise<T>
  /** Whether `get` reads the database for a credential that it has not found before. */
  isUnseen(id: string): boolean
  close(): void
}

export function createCredentialCache<T>(options: {
  db: Db
  now: () => number
  read: (id: string) => Promise<T>
  keyIdOf: (value: T) => string | undefined
}): CredentialCache<T> {
  const { db, now, read, keyIdOf } = options
  const entries = new LRUCache<string, CacheEntry<T>>({ max: MAX_ENTRIES })
  let changesReadAt = now()
  let closed = false

  async function readChanges(): Promise<void> {
    const startedAt = now()
    const { rows } = await db.find<{ key_id: string }>({
      name: 'key_change_recent',
      text: `SELECT DISTINCT key_id FROM key_change WHERE changed_at > now() - $1 * interval '1 second'`,
      values: [READ_BACK_SECONDS],
    })
    if (startedAt - changesReadAt > GAP_MS) entries.clear()
    if (rows.length > 0) {
      const changed = new Set(rows.map((row) => row.key_id))
      // The key of an entry that is still loading is unknown, and the entry may predate the change.
      const isChanged = ([, { keyId }]: [string, CacheEntry<T>]) => !keyId || changed.has(keyId)
      // Found first: an iterator of the cache does not bear deletions.
      for (const [id] of Array.from(entries.entries()).filter(isChanged)) entries.delete(id)
    }
    changesReadAt = startedAt
  }

  let timer = setTimeout(function again() {
    readChanges()
      .catch(() => {})
      .finally(() => {
        if (!closed) timer = setTimeout(again, READ_EVERY_MS).unref()
      })
  }, READ_EVERY_MS).unref()

  const isFresh = ({ readAt }: CacheEntry<T>, at: number) =>
    at - readAt < (at - changesReadAt < TRUST_MS ? REMEMBER_MS : TRUST_MS / 2)

  return {
    isUnseen(id) {
      const cached = entries.peek(id)
      if (!cached) return true
      return cached.last?.value === undefined && !isFresh(cached, now())
    },

    async get(id) {
      const cached = entries.get(id)
      const at = now()
      if (cached && isFresh(cached, at)) return cached.value
      const entry: CacheEntry<T> = { ...cached, value: read(id).then(keep, hold), readAt: at }
      entries.set(id, entry)
      return entry.value

      function keep(value: T): T {
        const keyId = keyIdOf(value)
        if (keyId) entry.keyId = keyId
        entry.last = { value }
        return value
      }

      /**
       * After a failed read: while the database is unreachable, returns the last value, unless `readChanges` has
       * dropped the entry meanwhile, because then the key may have changed.
       */
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
