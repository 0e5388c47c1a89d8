/** What a caller sees of a checked domain, in an answer and as events. */
import type { FoundSale } from '../../engines/availability/sale-offers.ts'
import { markOf, type StreamEncoder } from '../../http/stream/stream-encoder.ts'
import { evidenceOf, pricingOf, registerOf } from '../../http/wire/texts.ts'
import { formatPrice } from '../../model/money.ts'
import type { Checked } from './check-domains.ts'

export const CHECK_INCLUDES = ['register'] as const

export function checkedEntry(
  { input, verdict, registrable, offer, forSale, eligibility, seller }: Checked,
  include: readonly string[],
) {
  return {
    input,
    domain: verdict.domain,
    available: registrable,
    ...evidenceOf(verdict, registrable, offer, eligibility),
    price: offer ? formatPrice(offer.due) : null,
    pricing: offer ? pricingOf(offer, verdict.checkedAt) : null,
    ...(forSale ? { for_sale: saleEntry(forSale) } : {}),
    ...(include.includes('register') && registrable && seller ? registerOf(seller, verdict) : {}),
  }
}

function saleEntry({ owner, prices }: FoundSale) {
  const offers = prices.map(({ source, vendor, price }) => ({
    source,
    ...(vendor === undefined ? {} : { vendor }),
    price: formatPrice(price),
    currency: price.currency,
    amount_minor: price.minor,
  }))
  return { ...owner, ...(offers.length > 0 ? { offers } : {}) }
}

/** `domain` with the index of its input, for each first or changed verdict. */
export function createCheckedEncoder(include: readonly string[]): StreamEncoder<[index: number, checked: Checked]> {
  /** A hash of each event that was sent, because the text of a thousand domains is half a megabyte. */
  const sent = new Map<number, string>()
  const updates = new Map<number, Checked>()
  return {
    update: (index, checked) => void updates.set(index, checked),
    *changes() {
      for (const [index, checked] of updates) {
        updates.delete(index)
        const domain = JSON.stringify(checkedEntry(checked, include))
        if (sent.get(index) === markOf(domain)) continue
        sent.set(index, markOf(domain))
        yield { event: 'domain', data: `{"index":${index},"domain":${domain}}` }
      }
    },
  }
}
