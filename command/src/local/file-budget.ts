/**
 * Throttles the lookups at an external host for all commands of one user together: a bucket per host, in a file that
 * the commands share, so that five at once send a registry no more than one may.
 *
 * The rules are those of the service's budgets (`budget.ts`) as far as a command lives long enough for them: a rate to
 * begin with, halved when the host says "too many requests", and nothing before its Retry-After is over. It never grows
 * beyond what it began with; it is as it was an hour after it was last halved. While another process holds the file,
 * nothing may be sent. If there can be no file, each command has a bucket of its own.
 */
import type { LookupBudget } from '../../../server/src/engines/availability/budget.ts'
import { findJson, isRecord } from '../../../server/src/platform/outbound/shallow-json.ts'
import type { CacheFolder } from './cache-file.ts'

export interface FileBudgetOptions {
  readonly folder: CacheFolder
  readonly now: () => number
}

/** What is known of a host. All times are milliseconds since 1970. */
interface Bucket {
  /** Lookups per second. */
  readonly rate: number
  /** When the bucket is full again (GCRA). */
  readonly fullAt: number
  /** From the host's Retry-After. */
  readonly notBefore: number
  readonly halvedAt: number
}

const NAME = 'budgets.json'
// Reported limits of registries end at about five a second.
const PER_SECOND = 5
// Its limit is not published, and one request is about up to 200 names.
const SLOWER: ReadonlyMap<string, number> = new Map([['api.vercel.com', 1]])
const BURST = 5
// One per minute: less is of no use to somebody who waits.
const FLOOR_PER_SECOND = 1 / 60
// Requests in flight at the first "too many requests" get one too. They count as one event.
const SAME_EVENT_MS = 2_000
const RECOVERED_MS = 60 * 60_000
// A longer back-off is a clock error of the host or of this computer.
const MAX_BACK_OFF_MS = 24 * 60 * 60_000
// Until the file is tried again that another process holds.
const BUSY_MS = 50
// About 400 hosts are known; a bucket is about 100 bytes.
const MAX_HOSTS = 1_000
const MAX_BYTES = 512 * 1024

export function openFileBudget({ folder, now }: FileBudgetOptions): LookupBudget {
  const file = folder.open(NAME, MAX_BYTES)
  /** As this process last saw them. */
  const known = new Map<string, Bucket>()
  const waitUntil = new Map<string, number>()
  let seenAt = 0

  /** Replaces the bucket of a host, here and in the file; undefined from `change` leaves it as it is. */
  async function update(host: string, change: (bucket: Bucket, at: number) => Bucket | undefined) {
    const outcome = await file.update((bytes) => {
      const at = now()
      const { buckets, isAdjusted } = readBuckets(bytes, at)
      const bucket = merge(buckets.get(host), bucketOf(host, at))
      const next = change(bucket, at)
      known.set(host, next ?? bucket)
      if (next === undefined && !isAdjusted) return undefined
      return writeBuckets(at, buckets.set(host, next ?? bucket))
    })
    if (outcome !== 'failed') return outcome
    const at = now()
    const bucket = bucketOf(host, at)
    known.set(host, change(bucket, at) ?? bucket)
    return outcome
  }

  function bucketOf(host: string, at: number): Bucket {
    if (at < seenAt) for (const [name, bucket] of known) known.set(name, moved(bucket, at - seenAt))
    seenAt = at
    return current(known.get(host) ?? newBucket(host), host, at)
  }

  return {
    async take(host, wanted) {
      let granted = 0
      if (wanted <= 0 || (known.get(host)?.notBefore ?? 0) > now()) return granted
      const outcome = await update(host, (bucket, at) => {
        const taken = takeFrom(bucket, wanted, at)
        granted = taken.granted
        waitUntil.set(host, at + taken.waitMs)
        return granted > 0 ? taken.bucket : undefined
      })
      if (outcome !== 'busy') return granted
      waitUntil.set(host, now() + BUSY_MS)
      return 0
    },

    async limited(host, retryAfterMs = 0) {
      const halve = (bucket: Bucket, at: number) => halved(bucket, at, retryAfterMs)
      // Kept here as well, for as long as another process holds the file.
      if ((await update(host, halve)) === 'busy') known.set(host, halve(bucketOf(host, now()), now()))
    },

    rateOf: (host) => bucketOf(host, now()).rate,

    waitOf: (host) => Math.max(0, Math.max(waitUntil.get(host) ?? 0, known.get(host)?.notBefore ?? 0) - now()),
  }
}

function firstRateOf(host: string): number {
  return SLOWER.get(host) ?? PER_SECOND
}

function takeFrom(bucket: Bucket, wanted: number, at: number) {
  if (bucket.notBefore > at) return { granted: 0, bucket, waitMs: bucket.notBefore - at }
  const step = 1000 / bucket.rate
  const fullAt = Math.max(bucket.fullAt, at)
  const room = BURST * step - (fullAt - at)
  const granted = Math.max(0, Math.min(wanted, Math.floor(room / step)))
  const left = room - granted * step
  return { granted, bucket: { ...bucket, fullAt: fullAt + granted * step }, waitMs: Math.max(0, step - left) }
}

/** Also emptied: the host has just shown that it accepts no more. */
function halved(bucket: Bucket, at: number, retryAfterMs: number): Bucket {
  const isSameEvent = at - bucket.halvedAt < SAME_EVENT_MS
  const rate = isSameEvent ? bucket.rate : Math.max(FLOOR_PER_SECOND, bucket.rate / 2)
  const notBefore = Math.max(bucket.notBefore, at + Math.min(Math.ceil(retryAfterMs), MAX_BACK_OFF_MS))
  const step = 1000 / rate
  const fullAt = Math.max(notBefore, at + step) + (BURST - 1) * step
  return { rate, fullAt, notBefore, halvedAt: isSameEvent ? bucket.halvedAt : at }
}

/** What this process knows holds as well: it may not have been able to write it. */
function merge(stored: Bucket | undefined, own: Bucket): Bucket {
  if (stored === undefined) return own
  return {
    rate: Math.min(stored.rate, own.rate),
    fullAt: Math.max(stored.fullAt, own.fullAt),
    notBefore: Math.max(stored.notBefore, own.notBefore),
    halvedAt: Math.max(stored.halvedAt, own.halvedAt),
  }
}

function newBucket(host: string): Bucket {
  return { rate: firstRateOf(host), fullAt: 0, notBefore: 0, halvedAt: 0 }
}

/** As it is at this time: recovered, and waiting no longer than the longest back-off. */
function current(bucket: Bucket, host: string, at: number): Bucket {
  const rate = at - bucket.halvedAt >= RECOVERED_MS ? firstRateOf(host) : bucket.rate
  const notBefore = Math.min(bucket.notBefore, at + MAX_BACK_OFF_MS)
  const fullAt = Math.min(bucket.fullAt, Math.max(at, notBefore) + (BURST * 1000) / rate)
  return { rate, fullAt, notBefore, halvedAt: Math.min(bucket.halvedAt, at) }
}

function moved({ rate, fullAt, notBefore, halvedAt }: Bucket, ms: number): Bucket {
  return { rate, fullAt: fullAt + ms, notBefore: notBefore + ms, halvedAt: halvedAt + ms }
}

/**
 * No buckets for anything that `writeBuckets` did not write. Times move with a clock that has gone back; they are then
 * `isAdjusted`, and have to be written, or they would move at every reading.
 */
function readBuckets(bytes: Buffer | undefined, at: number) {
  const buckets = new Map<string, Bucket>()
  let isAdjusted = false
  const found = bytes === undefined ? undefined : findJson(bytes, 3)
  if (!isRecord(found) || !isTime(found.at) || !Array.isArray(found.hosts)) return { buckets, isAdjusted }
  const back = Math.min(0, at - found.at)
  for (const entry of (found.hosts as readonly unknown[]).slice(0, MAX_HOSTS)) {
    const [host, rate, ...times] = Array.isArray(entry) ? (entry as readonly unknown[]) : []
    const [fullAt, notBefore, halvedAt] = times
    if (typeof host !== 'string' || !isTime(rate) || !isTime(fullAt) || !isTime(notBefore) || !isTime(halvedAt))
      continue
    if (rate < FLOOR_PER_SECOND || rate > firstRateOf(host)) continue
    const bucket = current(moved({ rate, fullAt, notBefore, halvedAt }, back), host, at)
    isAdjusted ||= bucket.fullAt < fullAt || bucket.notBefore < notBefore
    buckets.set(host, bucket)
  }
  return { buckets, isAdjusted }
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}

/** Without the hosts whose bucket is full again, of which there is nothing to know. */
function writeBuckets(at: number, buckets: ReadonlyMap<string, Bucket>): string {
  const used = [...buckets].filter(
    ([host, { rate, fullAt, notBefore }]) => fullAt > at || notBefore > at || rate < firstRateOf(host),
  )
  const latest = used.toSorted(([, a], [, b]) => b.fullAt - a.fullAt).slice(0, MAX_HOSTS)
  const hosts = latest.map(([host, { rate, fullAt, notBefore, halvedAt }]) => [host, rate, fullAt, notBefore, halvedAt])
  return JSON.stringify({ at, hosts })
}
