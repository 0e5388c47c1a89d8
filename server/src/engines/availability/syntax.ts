/** Reports texts that cannot be a domain, without any lookup. No malformed name gets past this source. */
import { isDomain } from '../../model/domain.ts'
import type { Domain } from '../../model/domain.ts'
import type { Evidence, EvidenceSource } from './evidence.ts'

export function syntax(now: () => number): EvidenceSource {
  return {
    name: 'syntax',
    ask(domains) {
      const found = new Map<Domain, Evidence>()
      for (const domain of domains) {
        if (isDomain(domain)) continue
        // Not worth caching: it is found again in a microsecond.
        found.set(domain, { domain, source: 'syntax', says: 'invalid', at: now(), ttlMs: 0 })
      }
      return Promise.resolve(found)
    },
  }
}
