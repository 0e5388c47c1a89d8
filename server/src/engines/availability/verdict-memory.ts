/**
 * The in-process cache in front of the shared cache: a name that many callers see is found without leaving the
 * process. The same expiry rules apply; nothing is kept that the shared cache would not keep.
 */
import { LRUCache } from 'lru-cache'
import type { Domain } from '../../model/domain.ts'
import type { Verdict } from '../../model/verdict.ts'

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
