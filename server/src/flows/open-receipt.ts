/**
 * A receipt, opened: what its link says, and what can be said of the name and the prices today.
 *
 * Verdicts are as old as the receipt, and come with their times. The sound and the risks of a name depend on nothing but
 * the name. Prices of lists are today's, with their own dates; a quote is as old as the verdict it came with.
 */
import type { Receipt, ReceiptDomain } from '../library/receipts/receipt-token.ts'
import type { NameInspection } from '../model/name.ts'
import type { Offer } from '../model/offer.ts'
import type { Names } from '../names/names.ts'
import type { Prices } from '../prices/prices.ts'

export interface ReceiptContext {
  readonly names: Pick<Names, 'inspect'>
  readonly prices: Pick<Prices, 'suffixOf' | 'findDomainOffer' | 'listOfferOf'>
}

export interface OpenedReceipt {
  readonly receipt: Receipt
  readonly facts: NameInspection
  /** Of each domain, in their order: every price that we know, the quote first. */
  readonly offers: readonly (readonly Offer[])[]
}

export async function openReceipt(ctx: ReceiptContext, receipt: Receipt, signal: AbortSignal): Promise<OpenedReceipt> {
  const facts = await ctx.names.inspect(receipt.name, signal)
  return { receipt, facts, offers: receipt.domains.map((one) => offersOf(ctx, one)) }
}

export function offersOf({ prices }: Pick<ReceiptContext, 'prices'>, one: ReceiptDomain): readonly Offer[] {
  const suffix = prices.suffixOf(one.domain)
  if (suffix === undefined) return []
  const quote = one.price && prices.findDomainOffer(suffix, { price: one.price, status: one.status })
  const quoted = quote?.isQuote ? [quote] : []
  // What the suffix costs says nothing about a domain that is sold for more.
  return one.status === 'premium' ? quoted : [...quoted, prices.listOfferOf(suffix)]
}
