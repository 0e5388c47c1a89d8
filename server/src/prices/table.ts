/**
 * The current prices as one immutable value: what is offered, and what it costs in a currency.
 *
 * A table is never changed, only replaced, so that a request sees one state of it. A suffix from an earlier table can
 * still be priced, so that a request in flight does not fail when a suffix is withdrawn.
 */
import type { Suffix } from '../model/domain.ts'
import { exchange, USD_RATE } from '../model/money.ts'
import type { Currency, Money, Rate } from '../model/money.ts'
import type { Offer } from '../model/offer.ts'
import type { PriceRow } from './price-row.ts'

export interface PriceTable {
  /** Most popular first, then alphabetical. */
  readonly rows: readonly PriceRow[]
  has(suffix: string): suffix is Suffix
  findOffer(suffix: Suffix, currency: Currency, rate: Rate): Offer | undefined
  readonly everOffered: ReadonlyMap<Suffix, PriceRow>
}

export function createTable(offered: ReadonlyMap<Suffix, PriceRow>, before?: PriceTable): PriceTable {
  const everOffered = new Map([...(before?.everOffered ?? []), ...offered])
  const names: ReadonlySet<string> = new Set(offered.keys())
  // Weak: prices are released together with an old rate.
  const pricedIn = new WeakMap<Rate, Map<Suffix, Offer>>()
  const rank = ({ popularity }: PriceRow) => popularity ?? Infinity
  return {
    rows: [...offered.values()].toSorted((a, b) =>
      rank(a) === rank(b) ? (a.suffix < b.suffix ? -1 : 1) : rank(a) - rank(b),
    ),
    has: (suffix): suffix is Suffix => names.has(suffix),
    findOffer(suffix, currency, rate) {
      let offers = pricedIn.get(rate)
      if (!offers) pricedIn.set(rate, (offers = new Map()))
      const known = offers.get(suffix)
      if (known) return known
      const row = everOffered.get(suffix)
      const offer = row && offerOf(row, currency, rate)
      if (offer) offers.set(suffix, offer)
      return offer
    },
    everOffered,
  }
}

function offerOf(row: PriceRow, currency: Currency, rate: Rate): Offer {
  const money = (minor: number): Money => exchange({ minor, currency: 'USD' }, USD_RATE, currency, rate)
  const { registration, renewal, transfer, source, asOf } = row
  return {
    registration: money(registration),
    renewal: money(renewal),
    transfer: money(transfer),
    source,
    asOf,
    // List prices are per year, whatever the shortest term.
    years: 1,
    isQuote: false,
  }
}
