/**
 * The registrars in the operator's order, as one source of evidence.
 *
 * The first is asked for everything, each next one only for names that are still open. A premium name without a price
 * and a name with contradictory results are open too: the next registrar may have the result. But once a registrar
 * has reported a name as premium, a plain "available" from another does not override it: one of the two is wrong, and
 * the name stays premium without a price.
 *
 * Registrars without budget are skipped while another may have the result. Names that could not be checked then wait,
 * if the caller waits, for the registrar that has budget first.
 *
 * A name without any result is reported as `unanswered` if a registrar should have had one: it was late, failed or
 * out of budget, and only a registrar knows which names the registry has reserved.
 */
import type { Domain } from '../../../model/domain.ts'
import type { Evidence, EvidenceSource } from '../evidence.ts'
import { createShortages } from '../shortages.ts'
import type { Batcher, RegistrarBudget } from './batcher.ts'
import { createBatcher } from './batcher.ts'
import type { Registrar } from './registrar.ts'

export interface RegistrarsOptions {
  readonly order: readonly Registrar[]
  readonly budget: RegistrarBudget
  readonly now?: () => number
  readonly reportsSilence?: boolean
  /** Whether the operator has switched it off. */
  readonly isOff?: (registrar: string) => boolean
}

export function openRegistrars(options: RegistrarsOptions): EvidenceSource {
  const { order, budget, now = Date.now, reportsSilence, isOff } = options
  const batchers = order.map((registrar) => ({
    name: registrar.name,
    covers: (domain: Domain) => registrar.covers?.(domain) ?? false,
    batcher: createBatcher({ registrar, budget, now, reportsSilence }),
  }))

  return {
    name: 'registrars',
    supersedes: (domain, sources) =>
      !batchers.some(({ name }) => sources.includes(name)) &&
      batchers.some(({ name, covers }) => !isOff?.(name) && covers(domain)),
    async ask(domains, signal, _, turn) {
      const collected = new Map<Domain, Evidence>()
      const shortages = createShortages<Batcher>()
      const { fairnessKey = '', giveUpAt = now(), onShortage } = turn ?? {}
      const askOne = async (batcher: Batcher, some: readonly Domain[], until: number) => {
        if (some.length === 0 || signal.aborted) return
        const found = await batcher.ask(some, signal, {
          fairnessKey,
          giveUpAt: until,
          onShortage: (domain, shortage) => shortages.note(domain, batcher, shortage),
        })
        for (const [domain, evidence] of found) {
          const isContradiction = collected.get(domain)?.says === 'premium' && evidence.says === 'available'
          const isNewEvidence = evidence.says !== 'unknown' || !collected.has(domain)
          if (isNewEvidence && !isContradiction) collected.set(domain, evidence)
        }
      }
      const openOnes = () => domains.filter((domain) => isOpen(collected.get(domain)))
      for (const { name, batcher } of batchers) if (!isOff?.(name)) await askOne(batcher, openOnes(), now())
      while (giveUpAt > now() && !signal.aborted) {
        const next = shortages.takeNext(openOnes())
        if (next.size === 0) break
        await Promise.all([...next].map(([batcher, some]) => askOne(batcher, some, giveUpAt)))
      }
      // A name that already has a result is not worth a retry at the other registrars.
      const silent = domains.filter((domain) => (collected.get(domain)?.says ?? 'unknown') === 'unknown')
      for (const domain of silent) for (const shortage of shortages.of(domain)) onShortage?.(domain, shortage)
      const used = batchers.filter(({ name }) => !isOff?.(name))
      for (const domain of domains) {
        const gap = collected.has(domain) ? undefined : used.find(({ covers }) => covers(domain))
        if (gap) collected.set(domain, { domain, source: gap.name, says: 'unknown', unanswered: true, at: 0, ttlMs: 0 })
      }
      return collected
    },
  }
}

function isOpen(evidence: Evidence | undefined): boolean {
  if (evidence === undefined || evidence.says === 'unknown') return true
  return evidence.says === 'premium' && evidence.price === undefined
}
