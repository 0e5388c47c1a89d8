/** A parsed generate request: every optional field has its value, every suffix is known and has a price. */
import type { NameRequest } from '@namewright/names'
import type { Suffix } from './domain.ts'
import type { Eligibility } from './eligibility.ts'
import type { Currency } from './money.ts'
import type { Candidate, Proposal } from './name.ts'
import type { NameHandles } from './namespace-verdict.ts'
import type { Offer, PriceLimits } from './offer.ts'
import type { Verdict } from './verdict.ts'

export const INCLUDES = ['evidence', 'pricing', 'register', 'score', 'rationale', 'understanding', 'handles'] as const
export type Include = (typeof INCLUDES)[number]

export const REJECTIONS = [
  'taken',
  'premium',
  'reserved',
  'restricted',
  'too_expensive',
  'unsafe',
  'famous',
  'excluded',
  'duplicate',
  'invalid',
  'unknown',
  'not_checked',
] as const
export type RejectionReason = (typeof REJECTIONS)[number]

export interface Rejection {
  /** As the caller wrote it. */
  readonly name: string
  readonly reason: RejectionReason
  /** A variant of a taken name that can be registered. */
  readonly nearest?: DomainOffer
}

/** The names of the caller. */
export interface Candidates {
  /** In the caller's order; those whose text or price alone decides are rejected. */
  readonly names: readonly (Candidate | Rejection)[]
  /** A rule that the request does not state excludes no candidate. */
  readonly rules: NameRequest
  /** Whether names of the model or of ours are added until there are enough. */
  readonly fill: boolean
}

export const ORIGINS = ['candidate', 'model', 'built_in'] as const
export type Origin = (typeof ORIGINS)[number]

export interface GenerateRequest {
  readonly names: NameRequest
  readonly candidates?: Candidates | undefined
  readonly count: number
  /** Best first. */
  readonly suffixes: readonly Suffix[]
  /** Of the registrant, in capitals; undefined if the caller does not say. */
  readonly country?: string | undefined
  readonly onlyAvailable: boolean
  readonly variants: boolean
  readonly premium: boolean
  readonly currency: Currency
  readonly priceLimits: PriceLimits
  readonly verify: 'fast' | 'full'
  /** fast: does not wait for a language model. */
  readonly quality: 'fast' | 'best'
  readonly deadlineMs: number
  readonly include: readonly Include[]
  /** The language of names and texts, as stored in history. */
  readonly language: string
  /** The optional fields as they were sent, without candidates, as JSON text. */
  readonly options: string
}

export interface Suggestion {
  readonly proposal: Proposal
  readonly domains: readonly DomainOffer[]
  /** Only in answers to a request with candidates. */
  readonly origin?: Origin
  /** Only if requested, and not before all namespaces have a verdict. */
  readonly handles?: NameHandles
}

export interface DomainOffer {
  readonly verdict: Verdict
  readonly registrable: boolean
  readonly offer: Offer
  /** Undefined if everybody may register it, as far as we know. */
  readonly eligibility?: Eligibility | undefined
}

export interface Shortfall {
  readonly wanted: number
  readonly returned: number
  readonly reason: 'no_more_names' | 'deadline' | 'max_price' | 'restricted' | 'availability_unknown'
  /** With `availability_unknown`: the sources that could not be used. */
  readonly sources?: readonly SourceTrouble[]
  /** Whole seconds until a source has budget again, if its budget was used up. */
  readonly retry_after?: number
}

export const TROUBLES = ['proving', 'untrusted', 'unreachable', 'failing', 'resting', 'rate_limited'] as const

/** A source whose results are missing, and why: the outcome of its test or of its last requests. */
export interface SourceTrouble {
  /** `dns` for all resolvers; otherwise the name of the registrar or the host of the registry. */
  readonly source: string
  readonly state: (typeof TROUBLES)[number]
}
