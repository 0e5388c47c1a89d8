/** A receipt as JSON, for whoever has its link. */
import type { OpenedReceipt } from '../flows/open-receipt.ts'
import { pricingOf } from './texts.ts'

/** `at`: now, in milliseconds. */
export function receiptEntry({ receipt, facts, offers }: OpenedReceipt, at: number) {
  const { name, domains, asks } = receipt
  return {
    name,
    domains: domains.map(({ domain, available, status, confidence, sources, checkedAt }, index) => ({
      domain,
      available,
      status,
      confidence,
      sources,
      checked_at: new Date(checkedAt).toISOString(),
      offers: (offers[index] ?? []).map((offer) => pricingOf(offer, offer.isQuote ? checkedAt : at)),
    })),
    sound: facts.sound,
    risks: { ...facts.risks, languages: facts.languages },
    asks,
  }
}
