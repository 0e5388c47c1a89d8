/** What one source says about one domain. `combine.ts` makes a verdict of what all of them say. */
import type { Domain } from '../model/domain.ts'
import type { DomainPrice } from '../model/verdict.ts'

export interface Evidence {
  readonly domain: Domain
  /** 'dns', 'index', 'rdap', 'vercel', … */
  readonly source: string
  readonly says: Says
  /** Milliseconds since 1970, and how long it may be repeated. */
  readonly at: number
  readonly ttlMs: number
  /** The price of this very domain, from who sells it. */
  readonly price?: Omit<DomainPrice, 'seller'>
  /** When the registration ends, by the registry's word. */
  readonly registeredUntil?: number
  /** Only with `unknown`: it could not be asked now, for want of room or because it is away. */
  readonly unasked?: true
}

/**
 * `absent`: not found where registrations are listed (a zone, DNS, RDAP); that is not yet proof that it can be
 * registered. `available` and `premium`: the word of a registrar or a registry that sells it.
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
  /** Whether it keeps a list that this domain would be on: its silence is then a gap and no answer. */
  readonly covers?: (domain: Domain) => boolean
  /** Knows of a registration when it ends. */
  readonly tellsEnds?: boolean
  /**
   * Leaves out what it cannot answer. `signal` fires when the deadline has passed or the caller has gone; then it
   * returns at once with what it has. Never rejects for an outside reason. Who asks one by one may tell each answer
   * when it comes; all of them are in the result.
   */
  ask(
    domains: readonly Domain[],
    signal: AbortSignal,
    onEvidence?: (evidence: Evidence) => void,
  ): Promise<ReadonlyMap<Domain, Evidence>>
}
