/**
 * The current prices as one immutable value: what is offered, and what it costs in a currency.
 *
 * A table is never changed, only replaced, so that a request sees one state of it. A suffix from an earlier table can
 * still be priced, so that a request in flight does not fail when a suffix is withdrawn.
 */
import type { Suffix } from '../../model/domain.ts'
import { exchange } from '../../model/money.ts'
import type { Currency, Money, Rate } from '../../model/money.ts'
import type { Offer } from '../../model/offer.ts'
import { listBill } from './bill.ts'
import type { PriceRow } from './price-row.ts'
import type { SellerOf } from './sellers.ts'

export interface PriceTable {
  /** Most popular first, then alphabetical. */
  readonly rows: readonly PriceRow[]
  find(suffix: string): PriceRow | undefined
  /** `from`: the rate of the currency in which it is sold; `to`: that of `currency`. */
  offerOf(row: PriceRow, from: Rate, currency: Currency, to: Rate): Offer
  readonly everOffered: ReadonlyMap<Suffix, PriceRow>
}

export function createTable(
  offered: ReadonlyMap<Suffix, PriceRow>,
  sellerOf: SellerOf,
  before?: PriceTable,
): PriceTable {
  const everOffered = new Map([...(before?.everOffered ?? []), ...offered])
  // Weak: prices are released together with an old rate.
  const pricedIn = new WeakMap<Rate, Map<PriceRow, { readonly from: Rate; readonly offer: Offer }>>()
  const rank = ({ popularity }: PriceRow) => popularity ?? Infinity
  return {
    rows: [...offered.values()].toSorted((a, b) =>
      rank(a) === rank(b) ? (a.suffix < b.suffix ? -1 : 1) : rank(a) - rank(b),
    ),
    find: (suffix) => offered.get(suffix as Suffix),
    offerOf(row, from, currency, to) {
      let offers = pricedIn.get(to)
      if (!offers) pricedIn.set(to, (offers = new Map()))
      const known = offers.get(row)
      if (known?.from === from) return known.offer
      const offer = { ...priceIn(row, from, currency, to), seller: sellerOf(row.suffix, [row.source]) }
      offers.set(row, { from, offer })
      return offer
    },
    everOffered,
  }
}

function priceIn(row: PriceRow, from: Rate, currency: Currency, to: Rate): Omit<Offer, 'seller'> {
  const money = (minor: number): Money => exchange({ minor, currency: row.currency }, from, currency, to)
  const { renewal, transfer, source, asOf } = row
  return {
    ...listBill(row, money),
    transfer: money(transfer ?? renewal),
    ...(transfer === null ? { isTransferEstimated: true as const } : {}),
    source,
    asOf,
    isQuote: false,
  }
}
