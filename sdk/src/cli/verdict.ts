/** How a domain stands, as a symbol, a word and a colour; the symbol alone says it, too. */
import type { CheckedDomain, DomainEntry, Pricing } from '../api-types.ts'
import type { Colour } from './paint.ts'
import { domainToUnicode } from 'node:url'

export interface Verdict {
  readonly symbol: '✓' | '●' | '◆' | '?'
  readonly word: string
  readonly colour: Colour
}

type Known = Pick<DomainEntry, 'available' | 'status'> | Pick<CheckedDomain, 'available' | 'status'>

const OTHERS: Readonly<Record<NonNullable<DomainEntry['status']>, Verdict>> = {
  available: { symbol: '?', word: 'likely', colour: 'yellow' },
  premium: { symbol: '◆', word: 'premium', colour: 'magenta' },
  for_sale: { symbol: '●', word: 'for sale', colour: 'red' },
  taken: { symbol: '●', word: 'taken', colour: 'red' },
  reserved: { symbol: '●', word: 'reserved', colour: 'red' },
  restricted: { symbol: '●', word: 'restricted', colour: 'red' },
  unsupported: { symbol: '?', word: 'no such suffix', colour: 'yellow' },
  invalid: { symbol: '?', word: 'not a domain', colour: 'yellow' },
  unknown: { symbol: '?', word: 'unknown', colour: 'yellow' },
}

/** Without evidence, as in an old history, only free and not free can be told apart. */
export function verdictOf({ available, status }: Known): Verdict {
  if (available && status !== 'premium') return { symbol: '✓', word: 'free', colour: 'green' }
  if (status === undefined) return { symbol: '●', word: 'not free', colour: 'red' }
  return OTHERS[status] ?? OTHERS.unknown
}

/** Nobody has said anything that counts: it may be free, or not. */
export function isOpen({ available, status }: Known): boolean {
  return !available && (status === 'unknown' || status === 'available')
}

/** Written like the price, which has the symbol that the parts of the price have not. */
export function renewalOf(price: string | null, pricing: Pricing | null | undefined): string {
  const [, symbol, amount] = /^(\D*)([\d.]+)$/.exec(price ?? '') ?? []
  if (symbol === undefined || !pricing || pricing.registration_minor <= 0) return ''
  // Some currencies have no cents, and the price shows two digits all the same.
  const unit = Number(amount) / pricing.registration_minor
  return `${symbol}${(pricing.renewal_minor * unit).toFixed(2)}`
}

/** In its own letters, and as it is registered: two that look alike are told apart by the second. */
export function domainText(domain: string): string {
  const readable = domain.includes('xn--') ? domainToUnicode(domain) : ''
  return readable === '' || readable === domain ? domain : `${readable} (${domain})`
}
