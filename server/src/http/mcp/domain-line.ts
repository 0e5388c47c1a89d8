/** A domain as agents get it: as data with few fields, and as a part of a line that says the same. */
import type { Static } from 'typebox'
import { formatPrice, isCurrency } from '../../model/money.ts'
import type { DomainEntry, NameVerdict } from '../wire/schemas.ts'

type Seen = Static<typeof DomainEntry>
type Pricing = Pick<NonNullable<Seen['pricing']>, 'currency' | 'term_years' | 'renews_at_minor' | 'renewal_years'>
type Entry = Pick<Seen, 'domain' | 'available' | 'status' | 'eligibility' | 'register_url' | 'registrar'> & {
  readonly price: string | null
  readonly pricing?: Pricing | null
}
type Verdict = Pick<Static<typeof NameVerdict>, 'namespace' | 'label' | 'available' | 'status' | 'rule' | 'url'>

/** What an entry must include to be shown. */
export const SHOWN_INCLUDES = ['evidence', 'pricing', 'register'] as const

export function briefDomain({ domain, available, status, price, pricing, ...more }: Entry) {
  const { eligibility, register_url: url, registrar } = more
  return {
    domain,
    available,
    status,
    price,
    ...(pricing ? { renewal: renewalOf(pricing), term_years: pricing.term_years } : {}),
    ...(eligibility === undefined ? {} : { eligibility }),
    ...(url === undefined ? {} : { register_url: url, registrar }),
  }
}

const REASONS: Readonly<Record<string, string>> = {
  unsupported: 'unsupported: the suffix does not exist or is not offered here',
  // Only of a command that runs the engines by itself.
  unproven: 'unproven: no record found, confirm at the registrar',
}

/** `crumbfolk.com available, $11.08 due now, renews at $11.08, register at Porkbun: https://…` */
export function domainText({ domain, available, status, price, pricing, ...more }: Entry): string {
  const { eligibility, register_url: url, registrar } = more
  const rule = eligibility === undefined ? [] : [`who can register: ${eligibility}`]
  const why = REASONS[status ?? ''] ?? status
  if (!available) return [`${domain} not available (${why})`, ...rule, ...confirmText(status, more)].join(', ')
  const years = pricing && pricing.term_years > 1 ? ` (${pricing.term_years} years minimum)` : ''
  return [
    `${domain} available${status === 'available' ? '' : ` (${status})`}`,
    price === null ? 'price not known' : `${price} due now${years}`,
    ...(pricing ? [`renews at ${renewalOf(pricing)}`] : []),
    ...rule,
    ...(url === undefined ? [] : [`register at ${registrar}: ${url}`]),
  ].join(', ')
}

/** Only of a command that runs the engines by itself. */
export function confirmText(
  status: string | undefined,
  { register_url: url, registrar }: Pick<Entry, 'register_url' | 'registrar'>,
): string[] {
  return status === 'unproven' && url !== undefined ? [`confirm at ${registrar}: ${url}`] : []
}

/** `$138.00 every 2 years` */
function renewalOf({ renews_at_minor: minor, renewal_years: years, currency }: Pricing): string {
  const price = isCurrency(currency) ? formatPrice({ minor, currency }) : `${currency} ${minor}`
  return years > 1 ? `${price} every ${years} years` : price
}

/** Without the evidence, which would fill the context window. */
export function briefVerdict({ namespace, label, available, status, rule, url }: Verdict) {
  return { namespace, label, available, status, rule, url }
}

/** `npm taken (exact), pypi crates unknown (switched_off)` */
export function verdictsText(verdicts: readonly Pick<Verdict, 'namespace' | 'status' | 'rule'>[]): string {
  const alike = Map.groupBy(verdicts, ({ status, rule }) => `${status} (${rule})`)
  return [...alike].map(([found, some]) => `${some.map(({ namespace }) => namespace).join(' ')} ${found}`).join(', ')
}

export function ignoredText({ tld, reason }: { readonly tld: string; readonly reason: string }): string {
  return `ignored ${JSON.stringify(tld)}: ${reason}`
}
