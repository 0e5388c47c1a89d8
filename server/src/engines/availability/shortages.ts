/** Within one check: which sources had no budget for which domain, and which of them to wait for. */
import type { Domain } from '../../model/domain.ts'
import type { Shortage } from './evidence.ts'

export interface Shortages<Source> {
  note(domain: Domain, source: Source, shortage: Shortage): void
  has(domain: Domain): boolean
  of(domain: Domain): readonly Shortage[]
  /** For each of these domains the source that has budget first; each source once, and none that was already asked. */
  takeNext(domains: readonly Domain[]): ReadonlyMap<Source, readonly Domain[]>
}

export function createShortages<Source>(): Shortages<Source> {
  const noted = new Map<Domain, { source: Source; shortage: Shortage }[]>()
  const waitedFor = new Map<Domain, Set<Source>>()

  function findNext(domain: Domain): Source | undefined {
    const waited = waitedFor.get(domain)
    const left = noted.get(domain)?.filter(({ source, shortage }) => !shortage.wasAsked && !waited?.has(source)) ?? []
    return left.toSorted((a, b) => a.shortage.retryMs - b.shortage.retryMs)[0]?.source
  }

  return {
    note(domain, source, shortage) {
      noted.set(domain, [...(noted.get(domain) ?? []), { source, shortage }])
    },
    has: (domain) => (noted.get(domain)?.length ?? 0) > 0,
    of: (domain) => noted.get(domain)?.map(({ shortage }) => shortage) ?? [],
    takeNext(domains) {
      const next = new Map<Source, Domain[]>()
      for (const domain of domains) {
        const source = findNext(domain)
        if (source === undefined) continue
        next.set(source, [...(next.get(source) ?? []), domain])
        waitedFor.set(domain, (waitedFor.get(domain) ?? new Set()).add(source))
        noted.set(domain, noted.get(domain)?.filter((one) => one.source !== source) ?? [])
      }
      return next
    },
  }
}
