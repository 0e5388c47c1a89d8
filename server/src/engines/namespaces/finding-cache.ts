/**
 * What namespaces have shown, in the memory of this process and in the cache that nodes share. It keeps only what an
 * API has said, never a failure, which describes our connection and not the name.
 */
import { LRUCache } from 'lru-cache'
import type { LookupCache } from '../availability/verdict-cache.ts'

export interface KnownFinding {
  readonly rule: 'exists' | 'similar_exists' | 'not_found'
  /** Milliseconds since 1970. */
  readonly at: number
}

export interface FindingCache {
  find(keys: readonly string[]): Promise<ReadonlyMap<string, KnownFinding>>
  remember(key: string, finding: KnownFinding): void
}

// Entries are rarely deleted. A name that nobody has may be registered at any minute.
const TTL_MS = { exists: 6 * 3_600_000, similar_exists: 6 * 3_600_000, not_found: 300_000 } as const
// About 200 bytes each.
const MOST = 20_000
// Raised when the format or the meaning of a rule changes.
const PREFIX = 'ns:1:'

export function expiryOf({ rule, at }: KnownFinding): number {
  return at + TTL_MS[rule]
}

export function createFindingCache({ cache, now }: { cache: LookupCache; now: () => number }): FindingCache {
  const memory = new LRUCache<string, KnownFinding>({ max: MOST })

  return {
    async find(keys) {
      const isFresh = (finding: KnownFinding | undefined) => finding !== undefined && expiryOf(finding) > now()
      const missing = keys.filter((key) => !isFresh(memory.get(key)))
      const values = missing.length === 0 ? [] : await cache.getMany(missing.map((key) => PREFIX + key))
      missing.forEach((key, index) => {
        const finding = readFinding(values[index] ?? '')
        if (finding && isFresh(finding)) memory.set(key, finding)
      })
      return new Map(
        keys.flatMap((key) => {
          const finding = memory.get(key)
          return finding && isFresh(finding) ? [[key, finding] as const] : []
        }),
      )
    },
    remember(key, finding) {
      memory.set(key, finding)
      const value = `${finding.rule}|${finding.at}`
      void cache.setMany([{ key: PREFIX + key, value, ttlMs: TTL_MS[finding.rule] }])
    },
  }
}

/** Undefined for anything that `remember` did not write. */
function readFinding(value: string): KnownFinding | undefined {
  const [rule = '', at = ''] = value.split('|')
  if (!Object.hasOwn(TTL_MS, rule) || !/^\d{1,15}$/.test(at)) return undefined
  return { rule: rule as KnownFinding['rule'], at: Number(at) }
}
