/**
 * The registrars in the operator's order, as one source of evidence.
 *
 * The first is asked for everything, each next one only for what those before it left open. Open is also a premium name
 * whose price nobody has told yet, and one about which somebody has contradicted itself: the next may know. But once
 * somebody has called a name premium, a plain "available" from another does not clear it: one of the two is wrong, and
 * the name stays premium without a price.
 */
import type { Domain } from '../../model/domain.ts'
import type { Evidence, EvidenceSource } from '../evidence.ts'
import type { RegistrarBudget } from './batcher.ts'
import { createBatcher } from './batcher.ts'
import type { Registrar } from './registrar.ts'

export interface RegistrarsOptions {
  readonly order: readonly Registrar[]
  readonly budget: RegistrarBudget
  readonly tellsSilence?: boolean
  /** The operator has switched it off. */
  readonly isOff?: (registrar: string) => boolean
}

export function openRegistrars({ order, budget, tellsSilence, isOff }: RegistrarsOptions): EvidenceSource {
  const batchers = order.map((registrar) => ({
    name: registrar.name,
    batcher: createBatcher({ registrar, budget, tellsSilence }),
  }))

  return {
    name: 'registrars',
    async ask(domains, signal) {
      const heard = new Map<Domain, Evidence>()
      let rest: readonly Domain[] = domains
      for (const { name, batcher } of batchers) {
        if (rest.length === 0 || signal.aborted) break
        if (isOff?.(name)) continue
        for (const [domain, evidence] of await batcher.ask(rest, signal)) {
          const isContradiction = heard.get(domain)?.says === 'premium' && evidence.says === 'available'
          const isNews = evidence.says !== 'unknown' || !heard.has(domain)
          if (isNews && !isContradiction) heard.set(domain, evidence)
        }
        rest = rest.filter((domain) => isOpen(heard.get(domain)))
      }
      return heard
    },
  }
}

function isOpen(evidence: Evidence | undefined): boolean {
  if (evidence === undefined || evidence.says === 'unknown') return true
  return evidence.says === 'premium' && evidence.price === undefined
}
