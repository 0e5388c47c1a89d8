/**
 * The caches of verdicts: what any node has found out and may still be used, in Redis and, in front of it, in this process.
 *
 * A value in Redis is one line, `status|confidence|checkedAt|expiresAt|sources|price`, because 80 of them are read per request
 * and fixed fields parse several times faster than JSON. Redis expires by its own clock; `expiresAt` is compared
 * again on reading, so that a late expiry or a lagging replica never returns an old "available".
 *
 * `unknown` must never be cached: it describes our sources, not the domain.
 */
import { LRUCache } from 'lru-cache'
import type { Cache } from '../../platform/cache/cache.ts'
import type { Domain } from '../../model/domain.ts'
import type { DomainPrice, Status, Verdict } from '../../model/verdict.ts'

export interface VerdictCache {
  /** Returns nothing once the signal has aborted: the cache is not awaited past the deadline. */
  find(domains: readonly Domain[], signal: AbortSignal): Promise<ReadonlyMap<Domain, Verdict>>
  remember(verdicts: readonly Verdict[]): Promise<void>
}

// Raised when the format or the meaning of a status changes, so that nodes of two versions do not misread each other.
export const VERDICT_PREFIX = 'av:3:'

const CODES: Readonly<Record<Exclude<Status, 'unknown'>, string>> = {
  available: 'a',
  premium: 'p',
  for_sale: 'f',
  taken: 't',
  reserved: 'r',
  restricted: 'x',
  unsupported: 's',
  invalid: 'i',
}
const STATUSES: ReadonlyMap<string, Status> = new Map(
  Object.entries(CODES).map(([status, code]) => [code, status as Status]),
)

/** The part of the cache that this folder needs. */
export type LookupCache = Pick<Cache, 'getMany' | 'setMany'>

export function createVerdictCache({ cache, now }: { cache: LookupCache; now: () => number }): VerdictCache {
  return {
    async find(domains, signal) {
      const verdicts = new Map<Domain, Verdict>()
      const values = await orNothing(cache.getMany(domains.map(keyOf)), signal)
      const at = now()
      for (let index = 0; index < values.length; index++) {
        const domain = domains[index]
        const value = values[index]
        if (domain === undefined || value === undefined || value === null) continue
        const verdict = readVerdict(domain, value)
        if (verdict !== undefined && verdict.expiresAt > at) verdicts.set(domain, verdict)
      }
      return verdicts
    },
    async remember(verdicts) {
      const at = now()
      const entries = verdicts.flatMap((verdict) => {
        const value = writeVerdict(verdict)
        const ttlMs = verdict.expiresAt - at
        return value === undefined || ttlMs <= 0 ? [] : [{ key: keyOf(verdict.domain), value, ttlMs }]
      })
      if (entries.length > 0) await cache.setMany(entries)
    },
  }
}

export function writeVerdict(verdict: Verdict): string | undefined {
  const { status, confidence, checkedAt, expiresAt, sources, price, premiumProne } = verdict
  if (status === 'unknown') return undefined
  const sure = confidence === 'definitive' ? 'd' : premiumProne ? 'p' : 'l'
  return `${CODES[status]}|${sure}|${checkedAt}|${expiresAt}|${sources.join(',')}${price ? `|${JSON.stringify(price)}` : ''}`
}

/** Undefined for anything that `writeVerdict` did not write. */
export function readVerdict(domain: Domain, value: string): Verdict | undefined {
  const status = STATUSES.get(value.charAt(0))
  const sure = value.charAt(2)
  const second = value.indexOf('|', 4)
  const third = value.indexOf('|', second + 1)
  if (status === undefined || (sure !== 'd' && sure !== 'l' && sure !== 'p') || second < 0 || third < 0)
    return undefined
  const fourth = value.indexOf('|', third + 1)
  const sources = value.slice(third + 1, fourth < 0 ? undefined : fourth)
  const checkedAt = Number(value.slice(4, second))
  const expiresAt = Number(value.slice(second + 1, third))
  const price = fourth < 0 ? undefined : findPrice(value.slice(fourth + 1))
  const isDamaged = !Number.isInteger(checkedAt) || !Number.isInteger(expiresAt) || (fourth >= 0 && price === undefined)
  if (isDamaged) return undefined
  return {
    domain,
    status,
    confidence: sure === 'd' ? 'definitive' : 'likely',
    sources: sources.includes(',') ? sources.split(',') : [sources],
    checkedAt,
    expiresAt,
    ...(sure === 'p' ? { premiumProne: true as const } : {}),
    ...(price === undefined ? {} : { price }),
  }
}

function findPrice(text: string): DomainPrice | undefined {
  try {
    const price = JSON.parse(text) as Partial<DomainPrice> | null
    return Number.isInteger(price?.registration?.minor) ? (price as DomainPrice) : undefined
  } catch {
    return undefined
  }
}

function keyOf(domain: Domain): string {
  return VERDICT_PREFIX + domain
}

/** A cache read cannot be aborted; past the deadline it is not awaited. */
async function orNothing<T>(work: Promise<readonly T[]>, signal: AbortSignal): Promise<readonly T[]> {
  const { promise, resolve } = Promise.withResolvers<readonly T[]>()
  const giveUp = () => resolve([])
  signal.addEventListener('abort', giveUp)
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
}

/**
 * The in-process cache in front of the shared cache: a name that many callers see is found without leaving the process.
 * The same expiry rules apply; nothing is kept that the shared cache would not keep.
 */
export interface VerdictMemory {
  find(domains: readonly Domain[]): ReadonlyMap<Domain, Verdict>
  remember(verdict: Verdict): void
}

// About 300 bytes each, so 30 MB at most.
const MAX_VERDICTS = 100_000

export function createVerdictMemory(options: { now: () => number; most?: number | undefined }): VerdictMemory {
  const { now, most = MAX_VERDICTS } = options
  const known = new LRUCache<Domain, Verdict>({ max: most })
  return {
    find(domains) {
      const at = now()
      const verdicts = new Map<Domain, Verdict>()
      for (const domain of domains) {
        const verdict = known.get(domain)
        if (verdict === undefined) continue
        if (verdict.expiresAt > at) verdicts.set(domain, verdict)
        else known.delete(domain)
      }
      return verdicts
    },
    remember(verdict) {
      if (verdict.status !== 'unknown') known.set(verdict.domain, verdict)
    },
  }
}

/** Of a cache: how often it was asked, and how often it had the answer. */
export interface LookupCounts {
  readonly asked: number
  readonly answered: number
  /** Milliseconds since 1970. */
  readonly lastAnswerAt: number | undefined
}

export interface Lookups {
  note<Found extends { readonly size: number }>(asked: { readonly length: number }, found: Found): Found
  read(): LookupCounts
}

export function createLookups(now: () => number): Lookups {
  let [asked, answered] = [0, 0]
  let lastAnswerAt: number | undefined
  return {
    note(wanted, found) {
      asked += wanted.length
      answered += found.size
      if (found.size > 0) lastAnswerAt = now()
      return found
    },
    read: () => ({ asked, answered, lastAnswerAt }),
  }
}
