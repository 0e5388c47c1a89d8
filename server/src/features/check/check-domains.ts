/**
 * POST /v1/domains/check: for each input, whether that domain can be registered, and what it costs.
 *
 * Input order is kept and every input gets a result. A text that is not a domain is `invalid`, a suffix that is neither on
 * offer nor in the root zone is `unsupported`, and neither causes a lookup. The rest is checked once, as one list, up to
 * full confirmation; without a list price it has a verdict and no price.
 */
import { isNamedRegistrable } from '../../engines/availability/availability.ts'
import type { Availability, AvailabilityMode } from '../../engines/availability/availability.ts'
import type { FoundSale, SaleOffers } from '../../engines/availability/sale-offers.ts'
import { behindLabel, findDomain } from '../../model/domain.ts'
import type { Domain } from '../../model/domain.ts'
import { restrictTo } from '../../model/eligibility.ts'
import type { Eligibility } from '../../model/eligibility.ts'
import type { Offer } from '../../model/offer.ts'
import type { Seller } from '../../model/seller.ts'
import type { Verdict } from '../../model/verdict.ts'
import type { Prices } from '../../engines/prices/prices.ts'

export interface CheckContext {
  readonly availability: Availability
  readonly availabilityMode: AvailabilityMode
  readonly prices: Prices
  readonly forSale: SaleOffers
  readonly now: () => number
}

export interface Checked {
  /** The input as it was sent. */
  readonly input: string
  readonly verdict: Verdict
  readonly registrable: boolean
  readonly offer: Offer | undefined
  /** Offers of its owner and of aftermarket vendors, if they were requested and exist. */
  readonly forSale: FoundSale | undefined
  /** Undefined if everybody may register it, as far as we know. */
  readonly eligibility?: Eligibility | undefined
  /** Where to register it; undefined if the input is no domain that can be checked. */
  readonly seller?: Seller | undefined
}

export interface CheckRequest {
  readonly deadlineMs: number
  readonly fresh: boolean
  readonly forSale: boolean
  /** Of the registrant, in any case; undefined if the caller does not say. */
  readonly country?: string | undefined
  /** The key for fair queueing while it waits for budget. */
  readonly fairnessKey: string
}

/** Calls `onUpdate` with the index of an input when it has a verdict, and again when it is offered for sale. */
export async function checkDomains(
  ctx: CheckContext,
  inputs: readonly string[],
  { deadlineMs, fresh, forSale, country, fairnessKey }: CheckRequest,
  signal: AbortSignal,
  onUpdate?: (index: number, checked: Checked) => void,
): Promise<readonly Checked[]> {
  const askedAt = ctx.now()
  const parsed = inputs.map((input) => {
    const domain = findDomain(input)
    const suffix = domain && ctx.prices.findCheckable(behindLabel(domain))
    return { input, domain, suffix, isPriced: suffix !== undefined && ctx.prices.findSuffix(suffix) !== undefined }
  })
  const asked = parsed.flatMap(({ domain, suffix }) => (domain && suffix ? [domain] : []))
  const onVerdict = onUpdate && updatesOf(onUpdate)
  const options = { deadlineMs, depth: 'confirm', fresh, fairnessKey, signal, onVerdict } as const
  const verdicts = await ctx.availability.check(asked, options)
  const taken = forSale ? asked.filter((domain) => verdicts.get(domain)?.status === 'taken') : []
  const patience = AbortSignal.any([signal, AbortSignal.timeout(deadlineMs)])
  const turn = { fairnessKey, giveUpAt: ctx.now() + deadlineMs }
  const offers = taken.length > 0 ? await ctx.forSale.findOffers(taken, patience, turn) : new Map<Domain, FoundSale>()
  signal.throwIfAborted()
  const checked = parsed.map(({ domain }, index) => checkedOf(index, domain && verdicts.get(domain), offers))
  for (const [index, one] of checked.entries()) if (one.forSale) onUpdate?.(index, one)
  return checked

  function checkedOf(index: number, found: Verdict | undefined, sales?: ReadonlyMap<Domain, FoundSale>): Checked {
    const { input = '', domain, suffix, isPriced = false } = parsed[index] ?? {}
    const refused = (status: Verdict['status']): Checked => ({
      input,
      verdict: refusal(domain ?? (input as Domain), status, askedAt),
      registrable: false,
      offer: undefined,
      forSale: undefined,
    })
    if (!domain) return refused('invalid')
    if (!suffix) return refused('unsupported')
    if (!found) throw new Error(`${domain} was checked but has no result`)
    const eligibility = ctx.prices.eligibilityOf(suffix)
    const verdict = restrictTo(country?.toUpperCase(), eligibility, found)
    const offer = isPriced ? ctx.prices.findDomainOffer(suffix, verdict) : undefined
    const sale = sales?.get(domain)
    return {
      input,
      verdict: sale
        ? { ...verdict, status: 'for_sale', sources: [...new Set([...verdict.sources, ...sale.sources])] }
        : verdict,
      registrable: isNamedRegistrable(verdict, ctx.availabilityMode),
      offer,
      forSale: sale,
      eligibility,
      seller: offer?.seller ?? ctx.prices.sellerOf(suffix, verdict),
    }
  }

  /** Reports refused inputs at once. The same domain may occur more than once. */
  function updatesOf(updateOf: (index: number, checked: Checked) => void): (verdict: Verdict) => void {
    const places = Map.groupBy(parsed.keys(), (index) => parsed[index]?.suffix && parsed[index].domain)
    for (const index of places.get(undefined) ?? []) updateOf(index, checkedOf(index, undefined))
    return (verdict) => {
      if (signal.aborted) return
      for (const index of places.get(verdict.domain) ?? []) updateOf(index, checkedOf(index, verdict))
    }
  }
}

function refusal(domain: Domain, status: Verdict['status'], at: number): Verdict {
  return { domain, status, confidence: 'definitive', sources: [], checkedAt: at, expiresAt: at }
}
