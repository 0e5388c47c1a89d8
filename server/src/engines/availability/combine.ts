/**
 * Turns the evidence of all sources into a verdict. No other file does this.
 *
 * `RULES` is read from top to bottom and the first rule that decides wins; each carries its reason. The order is the
 * policy: "registered" overrides "available", a registrar's result overrides absence from a list, and a domain that
 * no registrar has confirmed is `definitive` only if two independent lists agree and nothing about the name or its
 * suffix makes that doubtful.
 *
 * This file must never do I/O, read a clock or depend on the internals of a source.
 */
import type { Domain } from '../../model/domain.ts'
import type { DomainPrice, Verdict } from '../../model/verdict.ts'
import type { Evidence, Says } from './evidence.ts'

/** Reasons why absence from the lists is weaker evidence for a domain. */
export interface Doubts {
  /** The registry charges more for such names, or may: short names, dictionary words, or a suffix with price tiers. */
  readonly premiumProne: boolean
  /** The suffix's RDAP server is known to respond 404 for names that are registered or reserved. */
  readonly rdapLies: boolean
}

type VerdictDecision = Pick<Verdict, 'status' | 'confidence' | 'premiumProne'>

interface VerdictRule {
  readonly why: string
  readonly decide: (evidence: GatheredEvidence, doubts: Doubts) => VerdictDecision | undefined
}

/** All evidence for one domain, indexed by claim. */
interface GatheredEvidence {
  has(says: Says): boolean
  from(source: string, says: Says): boolean
  readonly price: DomainPrice | undefined
  /** A source answered and contradicted itself. */
  readonly isUnclear: boolean
  /** A registrar that sells the suffix and is healthy has no result for the domain. */
  readonly isUnanswered: boolean
}

const definitive = (status: Verdict['status']) => ({ status, confidence: 'definitive' }) as const
const likely = (status: Verdict['status']) => ({ status, confidence: 'likely' }) as const

export const RULES: readonly VerdictRule[] = [
  {
    why: 'A text that is not a domain cannot be registered.',
    decide: (evidence) => (evidence.has('invalid') ? definitive('invalid') : undefined),
  },
  {
    why: 'The owner offers it for sale. The domain is still registered.',
    decide: (evidence) => (evidence.has('for_sale') ? definitive('for_sale') : undefined),
  },
  {
    why: 'One registered result is proof and overrides every "available": a false "taken" costs a suggestion, a false "available" a customer.',
    decide: (evidence) => (evidence.has('registered') ? definitive('taken') : undefined),
  },
  {
    why: 'The registry has reserved it.',
    decide: (evidence) => (evidence.has('reserved') ? definitive('reserved') : undefined),
  },
  {
    why: 'Only some registrants are eligible, and the service does not know whether the caller is.',
    decide: (evidence) => (evidence.has('restricted') ? definitive('restricted') : undefined),
  },
  {
    why: 'Without its own price, a premium domain would be shown at the list price of its suffix, which is wrong.',
    decide: (evidence) =>
      evidence.has('premium') ? (evidence.price ? definitive('premium') : likely('unknown')) : undefined,
  },
  {
    why: 'The registrar confirms that it sells the domain.',
    decide: (evidence) => (evidence.has('available') ? definitive('available') : undefined),
  },
  {
    why: 'The registrar does not sell this suffix.',
    decide: (evidence) => (evidence.has('unsupported') ? definitive('unsupported') : undefined),
  },
  {
    why: 'The registrar contradicted itself. Its absence from two lists does not show which result is true.',
    decide: (evidence) => (evidence.isUnclear ? likely('unknown') : undefined),
  },
  {
    why: 'Lists contain no price tiers: a premium domain can be absent from every list and cost a thousand times more.',
    decide: (evidence, { premiumProne }) =>
      premiumProne && evidence.has('absent') ? { ...likely('available'), premiumProne: true } : undefined,
  },
  {
    why:
      'It is absent from two independent lists: the RDAP database of the registry and the zone. Neither list shows ' +
      'reserved domains, so they are no proof while a registrar that could confirm has not answered.',
    decide: (evidence, { rdapLies }) =>
      !rdapLies && !evidence.isUnanswered && evidence.from('rdap', 'absent') && evidence.from('dns', 'absent')
        ? definitive('available')
        : undefined,
  },
  {
    why: 'It is absent from one list only: 3 to 10 % of such domains are held, reserved or in redemption.',
    decide: (evidence) => (evidence.has('absent') ? likely('available') : undefined),
  },
]

export function combine(
  domain: Domain,
  evidence: readonly Evidence[],
  doubtsOf: (domain: Domain) => Doubts,
  now: number,
): Verdict {
  const conclusive = evidence.filter(({ says }) => says !== 'unknown')
  const gathered: GatheredEvidence = {
    has: (says) => conclusive.some((one) => one.says === says),
    from: (source, says) => conclusive.some((one) => one.source === source && one.says === says),
    price: conclusive.flatMap(({ price, source }) => (price ? [{ ...price, seller: source }] : []))[0],
    isUnclear: conclusive.length > 0 && evidence.some(({ says, unanswered }) => says === 'unknown' && !unanswered),
    isUnanswered: evidence.some(({ unanswered }) => unanswered),
  }
  // Only an absence can be doubted, and finding doubts costs more than the rest of this function.
  const doubts = gathered.has('absent') ? doubtsOf(domain) : NO_DOUBTS
  for (const { decide } of RULES) {
    const decided = decide(gathered, doubts)
    if (!decided) continue
    const verdict = verdictOf(domain, decided, conclusive, gathered.price, now)
    return decided.status === 'unknown' ? { ...verdict, ...unaskedIn(evidence) } : verdict
  }
  return {
    ...likely('unknown'),
    domain,
    sources: [],
    checkedAt: now,
    expiresAt: now + UNKNOWN_MS,
    ...unaskedIn(evidence),
  }
}

function unaskedIn(evidence: readonly Evidence[]): Pick<Verdict, 'unasked'> {
  return evidence.some(({ unasked }) => unasked) ? { unasked: true } : {}
}

const NO_DOUBTS: Doubts = { premiumProne: false, rdapLies: false }
// Long enough that a client in a loop does not repeat a failing check, short enough to recover quickly.
const UNKNOWN_MS = 15_000
// A cached "taken" can outlive the deletion of the domain by this much. A day late is acceptable.
const TAKEN_MAX_MS = 24 * 3_600_000

function verdictOf(
  domain: Domain,
  decided: VerdictDecision,
  conclusive: readonly Evidence[],
  price: DomainPrice | undefined,
  now: number,
): Verdict {
  const isTaken = decided.status === 'taken' || decided.status === 'for_sale'
  // "Taken" needs one listing, so the longest TTL applies. "Available" needs all evidence, so the shortest applies.
  const basis = isTaken ? conclusive.filter(({ says }) => says === 'registered' || says === 'for_sale') : conclusive
  const ends = basis.map(({ at, ttlMs }) => at + ttlMs)
  const registeredUntil = isTaken ? basis.find((one) => one.registeredUntil !== undefined)?.registeredUntil : undefined
  const expiresAt = isTaken ? Math.min(Math.max(...ends), now + TAKEN_MAX_MS) : Math.min(...ends)
  return {
    domain,
    ...decided,
    sources: [...new Set(basis.map(({ source }) => source))],
    checkedAt: Math.min(...basis.map(({ at }) => at)),
    expiresAt: decided.status === 'unknown' ? Math.min(expiresAt, now + UNKNOWN_MS) : expiresAt,
    ...(price === undefined ? {} : { price }),
    ...(registeredUntil === undefined ? {} : { registeredUntil }),
  }
}
