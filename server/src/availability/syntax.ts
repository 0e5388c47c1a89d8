/** What can be said of a domain without asking anyone: that it cannot be one. Nothing malformed gets past here. */
import { isDomain } from '../model/domain.ts'
import type { Domain } from '../model/domain.ts'
import type { Evidence, EvidenceSource } from './evidence.ts'

export function syntax(now: () => number): EvidenceSource {
  return {
    name: 'syntax',
    ask(domains) {
      const found = new Map<Domain, Evidence>()
      for (const domain of domains) {
        if (isDomain(domain)) continue
        // Not worth a place in the cache: it is found again in a microsecond.
        found.set(domain, { domain, source: 'syntax', says: 'invalid', at: now(), ttlMs: 0 })
      }
      return Promise.resolve(found)
    },
  }
}
