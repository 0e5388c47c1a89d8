/**
 * Corrects suggestions as they were stored by earlier versions. Records are corrected when they are read, so that no
 * migration has to rewrite every history.
 *
 * Amounts: until `*_minor` meant the minor units of ISO 4217, every amount was in hundredths, also of a yen. Nothing in a
 * stored record says which it is, but its price text does: `¥1500.00` beside `registration_minor: 150000` is from before.
 * Terms: `registration_minor` was once for `years` years together, and was the price; a renewal was for one. What such a record
 * says of the price stays what was said then.
 * Verdicts: an unknown had a confidence, and a name's `available` in a namespace was the text `unknown`.
 */
import { minorDigits } from './money.ts'

const AMOUNTS = ['registration_minor', 'renewal_minor', 'transfer_minor', 'total_5y_minor'] as const

interface StoredVerdict {
  available: boolean | 'unknown'
  readonly status?: string
  confidence?: string
}

type StoredPricing = { readonly currency: string } & Record<(typeof AMOUNTS)[number], number>
type PricingOfYears = StoredPricing & { readonly years: number }

interface StoredDomain extends StoredVerdict {
  readonly price?: string
  pricing?: StoredPricing
}

interface StoredSuggestion {
  readonly domains?: readonly StoredDomain[]
  readonly handles?: { readonly packages: readonly StoredVerdict[]; readonly code: readonly StoredVerdict[] }
}

/** `json`: a list of suggestions, or an object that has one under `suggestions`, as it was stored. */
export function correctStoredSuggestions(json: string): string {
  // Parsed only where there is something to correct: nearly every record is in dollars or euros, without evidence.
  const codes = new Set(json.matchAll(/"currency": ?"([A-Z]{3})"/g).map(([, code = '']) => code))
  const isUnknown = /"status": ?"unknown"/.test(json) && /"confidence": ?"likely"/.test(json)
  const hasYears = /"years": ?\d/.test(json)
  if (!isUnknown && !hasYears && codes.values().every((code) => minorDigits(code) === 2)) return json
  const stored = JSON.parse(json) as readonly StoredSuggestion[] | { suggestions?: readonly StoredSuggestion[] }
  const suggestions = 'suggestions' in stored ? (stored.suggestions ?? []) : (stored as readonly StoredSuggestion[])
  for (const { domains = [], handles } of suggestions) {
    for (const domain of domains) {
      correctAmounts(domain)
      if (domain.pricing && isOfYears(domain.pricing)) domain.pricing = withTerm(domain.pricing)
    }
    for (const one of [...domains, ...(handles?.packages ?? []), ...(handles?.code ?? [])]) correctVerdict(one)
  }
  return JSON.stringify(stored)
}

function correctVerdict(one: StoredVerdict): void {
  if (one.status !== 'unknown') return
  one.available = false
  delete one.confidence
}

function correctAmounts({ price, pricing }: StoredDomain): void {
  if (price === undefined || pricing === undefined) return
  const perHundredth = 10 ** (minorDigits(pricing.currency) - 2)
  const hundredths = Number(price.replaceAll(/\D/g, ''))
  if (perHundredth === 1 || hundredths === 0 || pricing.registration_minor !== hundredths) return
  for (const name of AMOUNTS) pricing[name] = Math.round(pricing[name] * perHundredth)
}

function isOfYears(pricing: StoredPricing): pricing is PricingOfYears {
  return 'years' in pricing
}

function withTerm({ years, ...pricing }: PricingOfYears) {
  const { currency, registration_minor: due, renewal_minor, transfer_minor, total_5y_minor, ...source } = pricing
  return {
    currency,
    registration_minor: Math.ceil(due / years),
    renewal_minor,
    transfer_minor,
    term_years: years,
    due_minor: due,
    renews_at_minor: renewal_minor,
    renewal_years: 1,
    total_5y_minor,
    ...source,
  }
}
