/**
 * Finds offers for taken domains: the owner's record in DNS, and aftermarket offers of registrars that list them.
 *
 * Both are asked at the same time and within the budgets of all other lookups. They are statements of others, and
 * change no verdict but `taken`, which becomes `for_sale`.
 */
import type { Domain } from '../../model/domain.ts'
import type { SalePrice } from '../../model/sale.ts'
import { parseSalePrice } from '../../model/sale.ts'
import type { ForSale, SaleOffer } from './dns-for-sale.ts'
import type { EvidenceSource, Turn } from './evidence.ts'

export interface FoundSale {
  /** What the owner has published in DNS. */
  readonly owner: SaleOffer | undefined
  /** Cheapest first within a currency. */
  readonly prices: readonly SalePrice[]
  readonly sources: readonly string[]
}

export interface SaleOffers {
  /** Leaves out domains without an offer, and those without a response before `signal` aborted. */
  findOffers(domains: readonly Domain[], signal: AbortSignal, turn: Turn): Promise<ReadonlyMap<Domain, FoundSale>>
}

const VALUE = /^([A-Z]{3})(.+)$/

/** `registrars`: those that list aftermarket offers; undefined if the operator uses none. */
export function createSaleOffers({
  dns,
  registrars,
}: {
  readonly dns: ForSale
  readonly registrars: EvidenceSource | undefined
}): SaleOffers {
  return {
    async findOffers(domains, signal, turn) {
      const [owners, listed] = await Promise.all([
        dns.findOffers(domains, signal),
        registrars?.ask(domains, signal, undefined, turn),
      ])
      return new Map(
        domains.flatMap((domain) => {
          const owner = owners.get(domain)
          const { source = '', offers = [] } = listed?.get(domain) ?? {}
          const prices = [...ownerPrice(owner), ...offers.map((offer) => ({ source, ...offer }))]
          if (!owner && prices.length === 0) return []
          const sources = [...(owner ? ['dns'] : []), ...(offers.length > 0 ? [source] : [])]
          return [[domain, { owner, prices: prices.toSorted(byPrice), sources }] as const]
        }),
      )
    },
  }
}

function ownerPrice(owner: SaleOffer | undefined): readonly SalePrice[] {
  const [, currency = '', amount = ''] = VALUE.exec(owner?.value ?? '') ?? []
  const price = parseSalePrice(currency, amount)
  return price ? [{ source: 'dns', price }] : []
}

function byPrice({ price: one }: SalePrice, { price: other }: SalePrice): number {
  return one.currency === other.currency ? one.minor - other.minor : one.currency < other.currency ? -1 : 1
}
