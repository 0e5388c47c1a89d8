/** Evidence: what one source reports about one domain. `combine.ts` turns all evidence into a verdict. */
import type { Domain } from '../../model/domain.ts'
import type { SalePrice } from '../../model/sale.ts'
import type { DomainPrice } from '../../model/verdict.ts'

export interface Evidence {
  readonly domain: Domain
  /** 'dns', 'index', 'rdap', 'vercel', …; 'sandbox' for simulated results */
  readonly source: string
  readonly says: Says
  /** Milliseconds since 1970, and how long it may be cached. */
  readonly at: number
  readonly ttlMs: number
  /** The registrar's price for this exact domain. */
  readonly price?: Omit<DomainPrice, 'seller'>
  /** Only with `for_sale`: what aftermarket vendors ask for it. */
  readonly offers?: readonly Omit<SalePrice, 'source'>[]
  /** When the registration expires, according to the registry. */
  readonly registeredUntil?: number
  /** Only with `unknown`: the source could not be asked, because its budget was used up or it is unreachable. */
  readonly unasked?: true
  /** Only with `unknown`: the registrar sells this suffix and is healthy, but has no result for this domain. */
  readonly unanswered?: true
}

/** A source has no result for a domain because its budget was used up. */
export interface Shortage {
  /** The name of the registrar, or the host of the registry. */
  readonly source: string
  /** Milliseconds until a retry makes sense. */
  readonly retryMs: number
  /** The source was asked and responded "too many requests": it is not asked a second time for the same request. */
  readonly wasAsked?: boolean
}

/** How a lookup waits for a budget that is used up. */
export interface Turn {
  /** Lookups that wait for one host are served in turn per key. Opaque. */
  readonly fairnessKey: string
  /** Milliseconds since 1970. It waits only while a token can arrive before then. */
  readonly giveUpAt: number
  /** Called once for each source that could have had a result for the domain. */
  readonly onShortage?: ((domain: Domain, shortage: Shortage) => void) | undefined
}

/**
 * `absent`: not found in a list of registrations (a zone, DNS, RDAP), which does not prove that it can be registered.
 * `available` and `premium`: confirmed by a registrar or a registry that sells it.
 */
export type Says =
  | 'registered'
  | 'absent'
  | 'available'
  | 'premium'
  | 'for_sale'
  | 'reserved'
  | 'restricted'
  | 'unsupported'
  | 'invalid'
  | 'unknown'

export interface EvidenceSource {
  readonly name: string
  /** Whether its list would contain this domain: a missing result is then a gap and not an absence. */
  readonly covers?: (domain: Domain) => boolean
  /**
   * Whether it can confirm the domain now, and none of the sources of an earlier verdict is one of its own. Lists that
   * stood in for it while it was unreachable are then no longer proof.
   */
  readonly supersedes?: (domain: Domain, sources: readonly string[]) => boolean
  /** Reports when a registration expires. */
  readonly reportsExpiryDates?: boolean
  /**
   * Leaves out domains without a result. `signal` aborts when the deadline has passed or the caller has gone; the
   * source then returns at once with what it has. Never rejects for an external reason. A source that asks one by one
   * may report each result when it arrives; all of them are in the return value. Without a `turn` the source decides
   * whether and how long it waits for budget.
   */
  ask(
    domains: readonly Domain[],
    signal: AbortSignal,
    onEvidence?: (evidence: Evidence) => void,
    turn?: Turn,
  ): Promise<ReadonlyMap<Domain, Evidence>>
}
