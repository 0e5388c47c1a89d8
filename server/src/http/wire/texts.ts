/** What responses of several features say of a domain and its price, and the text around their data. */
import type { Static } from 'typebox'
import type { Eligibility } from '../../model/eligibility.ts'
import { isOutdated, standingOf, totalOf, type Offer } from '../../model/offer.ts'
import { registerUrlOf, type Seller } from '../../model/seller.ts'
import type { Verdict } from '../../model/verdict.ts'
import type { Pricing } from './schemas.ts'

/** Responses are concatenated from JSON texts; `data` must be one. */
export function successOf(data: string): string {
  return `{"status":"success","data":${data}}`
}

export function registerOf(seller: Seller, { domain }: Verdict) {
  return { register_url: registerUrlOf(seller, domain), registrar: seller.name }
}

/** The evidence fields beside `available`, which never contradict it. */
export function evidenceOf(
  verdict: Verdict,
  registrable: boolean,
  offer: Offer | undefined,
  eligibility: Eligibility | undefined,
) {
  return {
    ...standingOf(verdict, registrable, offer),
    sources: verdict.sources,
    checked_at: new Date(verdict.checkedAt).toISOString(),
    expires_at: new Date(verdict.expiresAt).toISOString(),
    ...(eligibility ? { eligibility: eligibility.code } : {}),
    ...(eligibility?.countries ? { eligible_countries: eligibility.countries } : {}),
  }
}

/** `at`: when the price was read, in milliseconds. */
export function pricingOf(offer: Offer, at: number): Static<typeof Pricing> {
  const { registration, renewal, transfer, termYears, due, renewsAt, renewalYears, source, asOf, isQuote } = offer
  return {
    currency: registration.currency,
    registration_minor: registration.minor,
    renewal_minor: renewal.minor,
    transfer_minor: transfer.minor,
    ...(offer.isTransferEstimated ? { transfer_estimated: true as const } : {}),
    term_years: termYears,
    due_minor: due.minor,
    renews_at_minor: renewsAt.minor,
    renewal_years: renewalYears,
    total_5y_minor: totalOf(offer).minor,
    kind: isQuote ? 'quote' : 'list',
    registrar: source,
    as_of: isQuote ? new Date(at).toISOString() : asOf,
    ...(isOutdated(offer, at) ? { outdated: true as const } : {}),
  }
}
