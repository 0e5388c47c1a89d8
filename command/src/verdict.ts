/** The verdict on a domain as a symbol, a word and a color. The symbol alone is enough to read it. */
import type { CheckedDomain, DomainEntry, Pricing } from '../../sdk/src/api-types.ts'
import { minorDigits, minorToDecimal } from '../../sdk/src/minor-units.ts'
import type { Colour } from './paint.ts'
import { domainToUnicode } from 'node:url'

export interface Verdict {
  readonly symbol: '✓' | '●' | '◆' | '?'
  readonly word: string
  readonly colour: Colour
}

type Known = Pick<DomainEntry, 'available' | 'status'> | Pick<CheckedDomain, 'available' | 'status'>

/** `unproven`: without a service, no source can prove it; a service says `available` and `likely`. */
const OTHERS: Readonly<Record<NonNullable<DomainEntry['status']> | 'unproven' | 'not_looked_up', Verdict>> = {
  available: { symbol: '?', word: 'likely', colour: 'yellow' },
  not_looked_up: { symbol: '?', word: 'not looked up', colour: 'yellow' },
  unproven: { symbol: '?', word: 'unproven', colour: 'yellow' },
  premium: { symbol: '◆', word: 'premium', colour: 'magenta' },
  for_sale: { symbol: '●', word: 'for sale', colour: 'red' },
  taken: { symbol: '●', word: 'taken', colour: 'red' },
  reserved: { symbol: '●', word: 'reserved', colour: 'red' },
  restricted: { symbol: '●', word: 'restricted', colour: 'red' },
  unsupported: { symbol: '?', word: 'no such suffix', colour: 'yellow' },
  invalid: { symbol: '?', word: 'not a domain', colour: 'yellow' },
  unknown: { symbol: '?', word: 'unknown', colour: 'yellow' },
}

/** Without evidence, as in an old history record, there is only `free` and `not free`. */
export function verdictOf({ available, status }: Known): Verdict {
  if (available && status !== 'premium') return { symbol: '✓', word: 'free', colour: 'green' }
  if (status === undefined) return { symbol: '●', word: 'not free', colour: 'red' }
  return OTHERS[status] ?? OTHERS.unknown
}

// More would push the table off the screen.
const MAX_LINKS = 3

/** Where to register the first available domains: an address is too long for a table. */
export function registerNotes(entries: readonly (DomainEntry | CheckedDomain)[]): readonly string[] {
  return entries
    .flatMap(({ available, domain, register_url: url, registrar }) =>
      url === undefined || !available ? [] : [`Register ${domain} at ${registrar ?? ''}: ${url}`],
    )
    .slice(0, MAX_LINKS)
}

/** Whether no source has given a reliable result: the domain may be available or not. */
export function isUndetermined(known: Known): boolean {
  if (known.available) return false
  return known.status === 'unknown' || known.status === 'available' || isUnproven(known) || isNotLookedUp(known)
}

export const NO_NETWORK = 'There is no network, so nothing was looked up.'

/** Without a service and without a network. */
export function isNotLookedUp({ status }: Known): boolean {
  return String(status) === 'not_looked_up'
}

/** The engines of the command say so in place of `available` and `likely`. */
export function isUnproven({ status }: Known): boolean {
  return String(status) === 'unproven'
}

/** Where to confirm the first domains of which no record was found. */
export function unprovenNotes(entries: readonly (DomainEntry | CheckedDomain)[]): readonly string[] {
  const unproven = entries.filter(isUnproven)
  if (unproven.length === 0) return []
  const links = unproven.flatMap(({ domain, register_url: url }) => (url === undefined ? [] : [`${domain}: ${url}`]))
  return [
    'Unproven: no record found, and nobody who was asked can prove it. Confirm at the registrar:',
    ...links.slice(0, MAX_LINKS),
  ]
}

/** What one renewal costs, in the format of `price`, which has the currency symbol. */
export function renewalOf(price: string | null, pricing: Pricing | null | undefined): string {
  const [, symbol, decimals = ''] = /^(\D*)\d+(?:\.(\d+))?$/.exec(price ?? '') ?? []
  if (symbol === undefined || !pricing) return ''
  const { renews_at_minor: minor, currency } = pricing
  // A price may show decimals that the currency does not have (¥1650.00).
  const isPadded = minorDigits(currency) === 0 && decimals !== ''
  return `${symbol}${minorToDecimal(minor, currency)}${isPadded ? `.${'0'.repeat(decimals.length)}` : ''}`
}

/** Says of a price for more than a year that nothing shorter is sold. */
export function priceText(price: string | null | undefined, termYears: number | undefined): string {
  return termYears !== undefined && termYears > 1 ? `${price ?? ''}, ${termYears} years minimum` : (price ?? '')
}

/** In Unicode and in ASCII form; the ASCII form distinguishes domains that look alike. */
export function domainText(domain: string): string {
  const readable = domain.includes('xn--') ? domainToUnicode(domain) : ''
  return readable === '' || readable === domain ? domain : `${readable} (${domain})`
}
