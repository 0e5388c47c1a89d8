/**
 * Where a domain can be registered. A registrar sells a suffix only if a dated price says so: the quote of this domain, or
 * the list price of its suffix. All others are mere searches, which promise nothing.
 *
 * The service names the registrars, each with the address of its search. Links carry the domain and nothing else.
 */
import type { DomainEntry } from '@namewright/client'
import type { Session } from '../../api/session.ts'

type Pricing = NonNullable<DomainEntry['pricing']>

export interface Offer {
  readonly id: string
  readonly registrar: string
  readonly url: string
  /** A dated price of this registrar. */
  readonly pricing?: Pricing
}

export interface Offers {
  readonly sold: readonly Offer[]
  readonly searches: readonly Offer[]
}

export const linkOf = (template: string, domain: string): string =>
  template.replaceAll('{domain}', encodeURIComponent(domain))

/** `listed`: the list price of the suffix. Of a premium domain it says who sells the suffix, and not what the domain costs. */
export function offersOf(entry: DomainEntry, listed: Pricing | undefined, registrars: Session['registrars']): Offers {
  const offers = registrars.map(({ id, name, search }) => {
    const known = [entry.pricing, listed].find((pricing) => pricing && isBy(pricing, id))
    const isPriced = known !== undefined && (entry.status !== 'premium' || known.kind === 'quote')
    const offer: Offer = { id, registrar: name, url: linkOf(search, entry.domain) }
    return { isSold: known !== undefined, offer: isPriced ? { ...offer, pricing: known } : offer }
  })
  const those = (sold: boolean) => offers.filter(({ isSold }) => isSold === sold).map(({ offer }) => offer)
  return { sold: those(true), searches: those(false) }
}

/** Quotes name the registrar in small letters; list prices name their list: “Porkbun public price list”. */
function isBy({ registrar }: Pricing, id: string): boolean {
  return registrar.toLowerCase().split(/\W/)[0] === id
}
