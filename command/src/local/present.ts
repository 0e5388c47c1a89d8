/**
 * What the command says where a service would only say `unknown`: that nothing was looked up, or that no record was found
 * and nobody who was asked can prove that the domain can be registered. Then a registrar has to be asked, so its link is
 * there.
 */
import { behindLabel, domainOf } from '../../../server/src/model/domain.ts'
import type { Domain } from '../../../server/src/model/domain.ts'
import type { GenerateRequest } from '../../../server/src/model/generate-request.ts'
import { registerUrlOf } from '../../../server/src/model/seller.ts'
import { FIND_CAUSE } from '../session.ts'
import type { Engines } from './engines.ts'

type Entry = Readonly<Record<string, unknown>>

/** Changes every domain in an answer, however deep it stands, and what is said of the candidates of `request`. */
export function createPresenter(engines: Engines): <Answer>(answer: Answer, request?: GenerateRequest) => Answer {
  const { isUnproven, isKnownOffline, prices } = engines

  function present(value: unknown, request: GenerateRequest | undefined): unknown {
    if (Array.isArray(value)) return value.map((one) => present(one, request))
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value).map(([name, one]) => [name, present(one, request)] as const)
    const entry: Entry = Object.fromEntries(entries)
    if (typeof entry['domain'] === 'string') return presentDomain(entry, entry['domain'] as Domain)
    if (entry['reason'] === 'unknown' && request) return presentRejected(entry, request)
    // Otherwise it names a command of the service's operator.
    return entry['reason'] === 'availability_unknown' && 'hint' in entry ? { ...entry, hint: FIND_CAUSE } : entry
  }

  function presentDomain(entry: Entry, domain: Domain): Entry {
    if (entry['status'] !== 'unknown') return entry
    if (isKnownOffline()) return { ...entry, status: 'not_looked_up' }
    return isUnproven(domain) ? { ...entry, status: 'unproven', ...linkOf(domain) } : entry
  }

  function presentRejected(entry: Entry, { candidates, suffixes }: GenerateRequest): Entry {
    const candidate = candidates?.names.find(({ name }) => name === entry['name'])
    if (candidate === undefined || 'reason' in candidate) return entry
    const { label, suffix } = candidate
    const domains = (suffix === undefined ? suffixes : [suffix]).map((one) => domainOf(label, one))
    const domain = domains.find(isUnproven)
    return domain === undefined ? entry : { ...entry, reason: 'unproven', domain, ...linkOf(domain) }
  }

  /** Of the registrar whose price stands beside it. */
  function linkOf(domain: Domain) {
    const suffix = prices.findCheckable(behindLabel(domain))
    if (suffix === undefined) return {}
    const isPriced = prices.findSuffix(suffix) !== undefined
    const seller = isPriced ? prices.listOfferOf(suffix, 'USD').seller : prices.sellerOf(suffix, { sources: [] })
    return { register_url: registerUrlOf(seller, domain), registrar: seller.name }
  }

  return <Answer>(answer: Answer, request?: GenerateRequest) => present(answer, request) as Answer
}
