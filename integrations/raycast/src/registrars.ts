/**
 * Where a domain can be registered. Links carry the domain and nothing else.
 *
 * A registrar sells a domain for sure only if the dated price of the response is its own; it is named first, as
 * “Register at”. All others are mere searches, which promise nothing. registrars.json is that of the web app.
 */
import type { Pricing } from 'namewright'
import registrars from './registrars.json'

export interface RegisterLink {
  readonly title: string
  readonly url: string
}

export interface RegisterLinks {
  readonly sold: readonly RegisterLink[]
  readonly searches: readonly RegisterLink[]
}

export function registerLinksOf(domain: string, pricing: Pricing | null | undefined): RegisterLinks {
  // Quotes name the registrar in small letters; list prices name their list: “Porkbun public price list”.
  const seller = pricing?.registrar.toLowerCase().split(/\W/)[0]
  const links = registrars.map(({ id, name, search }) => ({
    isSold: id === seller,
    name,
    url: search.replaceAll('{domain}', encodeURIComponent(domain)),
  }))
  const those = (isSold: boolean, verb: string) =>
    links.filter((link) => link.isSold === isSold).map(({ name, url }) => ({ title: `${verb} at ${name}`, url }))
  return { sold: those(true, 'Register'), searches: those(false, 'Search') }
}
