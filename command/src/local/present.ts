/**
 * What the command says where a service would only say `unknown`: that nothing was looked up, or that no record was found
 * and nobody who was asked can prove that the domain can be registered. Then a registrar has to be asked, so its link is
 * there.
 */
import { behindLabel } from '../../../server/src/model/domain.ts'
import type { Domain } from '../../../server/src/model/domain.ts'
import { registerUrlOf } from '../../../server/src/model/seller.ts'
import type { Engines } from './engines.ts'

/** Changes every domain in an answer, however deep it stands. */
export function createPresenter({ isUnproven, isKnownOffline, prices }: Engines): <Answer>(answer: Answer) => Answer {
  function present(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(present)
    if (typeof value !== 'object' || value === null) return value
    const entry = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, present(one)] as const))
    if (entry['status'] !== 'unknown' || typeof entry['domain'] !== 'string') return entry
    if (isKnownOffline()) return { ...entry, status: 'not_looked_up' }
    return isUnproven(entry['domain']) ? { ...entry, status: 'unproven', ...linkOf(entry['domain'] as Domain) } : entry
  }

  function linkOf(domain: Domain) {
    const suffix = prices.findCheckable(behindLabel(domain))
    const seller = suffix && prices.sellerOf(suffix, { sources: [] })
    return seller ? { register_url: registerUrlOf(seller, domain), registrar: seller.name } : {}
  }

  return <Answer>(answer: Answer) => present(answer) as Answer
}
