/**
 * POST /v1/domains/check: for each text a caller sent, whether that domain can be registered, and what it costs.
 *
 * Input order is kept and every input is answered: a text that is no domain is `invalid`, a suffix that we cannot
 * price is `unsupported`, and neither is asked of anybody. The rest is asked once, as one list, all the way.
 */
import { isRegistrable } from './availability/availability.ts'
import type { Availability, AvailabilityMode } from './availability/availability.ts'
import type { ForSale, SaleOffer } from './availability/dns-for-sale.ts'
import { findDomain } from './model/domain.ts'
import type { Domain } from './model/domain.ts'
import type { Offer } from './model/offer.ts'
import type { Verdict } from './model/verdict.ts'
import type { Prices } from './prices/prices.ts'

export interface CheckContext {
  readonly availability: Availability
  readonly availabilityMode: AvailabilityMode
  readonly prices: Prices
  readonly forSale: ForSale
  readonly now: () => number
}

export interface Checked {
  /** As it was sent. */
  readonly input: string
  readonly verdict: Verdict
  readonly registrable: boolean
  readonly offer: Offer | undefined
  /** What its owner says in DNS, where that was asked for and there is something. */
  readonly forSale: SaleOffer | undefined
}

/** `tell` hears of each input, by its place, when there is a verdict, and again when its owner turns out to sell it. */
export async function checkDomains(
  ctx: CheckContext,
  inputs: readonly string[],
  { deadlineMs, fresh, forSale }: { deadlineMs: number; fresh: boolean; forSale: boolean },
  signal: AbortSignal,
  tell?: (index: number, checked: Checked) => void,
): Promise<readonly Checked[]> {
  const askedAt = ctx.now()
  const parsed = inputs.map((input) => {
    const domain = findDomain(input)
    return { input, domain, suffix: domain && ctx.prices.suffixOf(domain) }
  })
  const asked = parsed.flatMap(({ domain, suffix }) => (domain && suffix ? [domain] : []))
  const onVerdict = tell && tellingOf(tell)
  const verdicts = await ctx.availability.check(asked, { deadlineMs, depth: 'confirm', fresh, signal, onVerdict })
  const taken = forSale ? asked.filter((domain) => verdicts.get(domain)?.status === 'taken') : []
  const patience = AbortSignal.any([signal, AbortSignal.timeout(deadlineMs)])
  const offers = taken.length > 0 ? await ctx.forSale.findOffers(taken, patience) : new Map<Domain, SaleOffer>()
  signal.throwIfAborted()
  const checked = parsed.map(({ domain }, index) => checkedOf(index, domain && verdicts.get(domain), offers))
  for (const [index, one] of checked.entries()) if (one.forSale) tell?.(index, one)
  return checked

  function checkedOf(index: number, verdict: Verdict | undefined, sales?: ReadonlyMap<Domain, SaleOffer>): Checked {
    const { input = '', domain, suffix } = parsed[index] ?? {}
    const refused = (status: Verdict['status']): Checked => ({
      input,
      verdict: refusal(domain ?? (input as Domain), status, askedAt),
      registrable: false,
      offer: undefined,
      forSale: undefined,
    })
    if (!domain) return refused('invalid')
    if (!suffix) return refused('unsupported')
    if (!verdict) throw new Error(`${domain} was asked and not answered`)
    const offer = ctx.prices.offerFor(suffix, verdict)
    const sale = sales?.get(domain)
    return {
      input,
      verdict: sale ? { ...verdict, status: 'for_sale', sources: [...new Set([...verdict.sources, 'dns'])] } : verdict,
      registrable: isRegistrable(verdict, ctx.availabilityMode, true),
      offer,
      forSale: sale,
    }
  }

  /** What is refused is told at once. The same domain may have been sent twice. */
  function tellingOf(tellOf: (index: number, checked: Checked) => void): (verdict: Verdict) => void {
    const places = Map.groupBy(parsed.keys(), (index) => parsed[index]?.suffix && parsed[index].domain)
    for (const index of places.get(undefined) ?? []) tellOf(index, checkedOf(index, undefined))
    return (verdict) => {
      if (signal.aborted) return
      for (const index of places.get(verdict.domain) ?? []) tellOf(index, checkedOf(index, verdict))
    }
  }
}

function refusal(domain: Domain, status: Verdict['status'], at: number): Verdict {
  return { domain, status, confidence: 'definitive', sources: [], checkedAt: at, expiresAt: at }
}
