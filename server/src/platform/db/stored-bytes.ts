/**
 * How many bytes an account stores of one kind, for the limits of its plan.
 *
 * A counter per account would make its concurrent commits wait for one row, and a sum at every write would read all
 * rows. So the sum is read only when this process does not know it well: at first, when it has itself written a
 * sixty-fourth of the limit since, and every few seconds while the limit is reached, because rows may have been deleted
 * elsewhere. In between, the process adds what it writes. So each process can exceed a limit by a sixty-fourth.
 */
import { LRUCache } from 'lru-cache'
import { ApiError } from '../../model/errors.ts'
import type { AccountId } from '../../model/caller.ts'

export interface StoredBytes {
  /** As far as this process knows. */
  sum(account: AccountId, limit: number): Promise<number>
  add(account: AccountId, bytes: number): void
  /** Adds them, or fails with storage_limit if they do not fit. A null limit does not bind. */
  take(account: AccountId, bytes: number, limit: number | null): Promise<void>
  /** After a deletion. */
  forget(account: AccountId): void
}

export interface StoredBytesOptions {
  /** The limit as the plan names it. */
  readonly what: string
  /** Reads the sum; it may stop once that is certainly above the limit. */
  readonly measure: (account: AccountId, limit: number) => Promise<number>
  readonly now: () => number
}

interface MeasuredBytes {
  readonly measured: number
  readonly at: number
  /** Written since, in all. */
  written: number
  /** Of what was written before or since: what the next measurement may not see yet. */
  readonly recent: { readonly bytes: number; readonly at: number }[]
}

const PARTS = 64
/** What was written longer ago is committed, or was never. */
const SETTLED_MS = 5_000
const MAX_KNOWN = 10_000

/** More rows than fit. */
export const rowsIn = (limit: number, rowBytes: number): number => Math.ceil(limit / rowBytes) + 1

export function createStoredBytes({ what, measure, now }: StoredBytesOptions): StoredBytes {
  const known = new LRUCache<AccountId, MeasuredBytes>({ max: MAX_KNOWN })

  function totalOf(account: AccountId): number {
    const { measured = 0, recent = [] } = known.get(account) ?? {}
    return recent.reduce((sum, { bytes }) => sum + bytes, measured)
  }

  async function refresh(account: AccountId, limit: number, more: number): Promise<void> {
    const last = known.get(account)
    const isFull = totalOf(account) + more > limit
    if (last && last.written <= limit / PARTS && !(isFull && now() - last.at >= SETTLED_MS)) return
    const measured = await measure(account, limit)
    const at = now()
    // Others may have written meanwhile.
    const recent = known.get(account)?.recent.filter((one) => at - one.at < SETTLED_MS) ?? []
    known.set(account, { measured, at, written: 0, recent })
  }

  function add(account: AccountId, bytes: number): void {
    const last = known.get(account)
    if (!last) return
    last.written += bytes
    last.recent.push({ bytes, at: now() })
  }

  return {
    async sum(account, limit) {
      await refresh(account, limit, 0)
      return totalOf(account)
    },
    add,
    async take(account, bytes, limit) {
      if (limit === null) return
      await refresh(account, limit, bytes)
      // Nothing is awaited between the comparison and the addition.
      if (totalOf(account) + bytes > limit) throw new ApiError('storage_limit', { params: { what, limit } })
      add(account, bytes)
    },
    forget: (account) => void known.delete(account),
  }
}
