/**
 * The one place where what sources say becomes a verdict.
 *
 * `RULES` is read from top to bottom and the first rule that speaks wins; each carries its reason. The order is the
 * policy: whatever says "taken" beats whatever says "free", the word of one who sells beats the silence of a list, and
 * a free name that nobody who sells it has confirmed is `definitive` only where two independent lists agree and
 * nothing about the name or its suffix makes that doubtful.
 *
 * Nothing here asks anybody, looks at a clock or knows a source's internals.
 */
import type { Domain } from '../model/domain.ts'
import type { DomainPrice, Verdict } from '../model/verdict.ts'
import type { Evidence, Says } from './evidence.ts'

/** What makes silence about a domain worth less than it seems. */
export interface Doubts {
  /** The registry keeps such names for more money, or may: short, a plain word, or a suffix with price tiers. */
  readonly premiumProne: boolean
  /** The suffix's RDAP is known to say 404 for names that are registered or reserved. */
  readonly rdapLies: boolean
}

type Decision = Pick<Verdict, 'status' | 'confidence' | 'premiumProne'>

interface Rule {
  readonly why: string
  readonly decide: (heard: Heard, doubts: Doubts) => Decision | undefined
}

/** Everything said about one domain, by what was said. */
interface Heard {
  has(says: Says): boolean
  from(source: string, says: Says): boolean
  readonly price: DomainPrice | undefined
  /** Somebody answered about it and contradicted itself. */
  readonly isUnclear: boolean
}

const definitive = (status: Verdict['status']) => ({ status, confidence: 'definitive' }) as const
const likely = (status: Verdict['status']) => ({ status, confidence: 'likely' }) as const

export const RULES: readonly Rule[] = [
  {
    why: 'A text that is no domain cannot be registered, whatever anybody says.',
    decide: (heard) => (heard.has('invalid') ? definitive('invalid') : undefined),
  },
  {
    why: 'Its owner says so; it is registered all the same.',
    decide: (heard) => (heard.has('for_sale') ? definitive('for_sale') : undefined),
  },
  {
    why: 'One listing is proof, and it beats every "free": a false "taken" costs a suggestion, a false "free" a customer.',
    decide: (heard) => (heard.has('registered') ? definitive('taken') : undefined),
  },
  {
    why: 'Nobody may have it.',
    decide: (heard) => (heard.has('reserved') ? definitive('reserved') : undefined),
  },
  {
    why: 'Only some may have it, and we do not know whether the caller is one of them.',
    decide: (heard) => (heard.has('restricted') ? definitive('restricted') : undefined),
  },
  {
    why: 'A premium domain without its price would be shown at the price of its suffix, which is a lie.',
    decide: (heard) => (heard.has('premium') ? (heard.price ? definitive('premium') : likely('unknown')) : undefined),
  },
  {
    why: 'The word of who would sell it.',
    decide: (heard) => (heard.has('available') ? definitive('available') : undefined),
  },
  {
    why: 'Who sells every other name of this kind does not sell this suffix.',
    decide: (heard) => (heard.has('unsupported') ? definitive('unsupported') : undefined),
  },
  {
    why: 'Whoever sells it has said both things of it: that two lists lack it does not say which of the two is true.',
    decide: (heard) => (heard.isUnclear ? likely('unknown') : undefined),
  },
  {
    why: 'Lists do not know price tiers: such a name may be absent everywhere and still cost a thousand times more.',
    decide: (heard, { premiumProne }) =>
      premiumProne && heard.has('absent') ? { ...likely('available'), premiumProne: true } : undefined,
  },
  {
    why: 'Two lists that do not copy each other, the registry’s database and the zone, both without it.',
    decide: (heard, { rdapLies }) =>
      !rdapLies && heard.from('rdap', 'absent') && heard.from('dns', 'absent') ? definitive('available') : undefined,
  },
  {
    why: 'One list without it: 3 to 10 in 100 such names are held, reserved or in redemption.',
    decide: (heard) => (heard.has('absent') ? likely('available') : undefined),
  },
]

export function combine(
  domain: Domain,
  evidence: readonly Evidence[],
  doubtsOf: (domain: Domain) => Doubts,
  now: number,
): Verdict {
  const telling = evidence.filter(({ says }) => says !== 'unknown')
  const heard: Heard = {
    has: (says) => telling.some((one) => one.says === says),
    from: (source, says) => telling.some((one) => one.source === source && one.says === says),
    price: telling.flatMap(({ price, source }) => (price ? [{ ...price, seller: source }] : []))[0],
    isUnclear: telling.length > 0 && telling.length < evidence.length,
  }
  // Only an absence can be doubted, and looking for doubts costs more than the rest of this.
  const doubts = heard.has('absent') ? doubtsOf(domain) : NO_DOUBTS
  for (const { decide } of RULES) {
    const decided = decide(heard, doubts)
    if (!decided) continue
    const verdict = verdictOf(domain, decided, telling, heard.price, now)
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
// Long enough that a client in a loop does not repeat a failing question, short enough to recover within a coffee.
const UNKNOWN_MS = 15_000
// A cached "taken" may outlive a drop by this much: RFC-wise nothing is lost, commercially a day late is fine.
const TAKEN_MAX_MS = 24 * 3_600_000

function verdictOf(
  domain: Domain,
  decided: Decision,
  telling: readonly Evidence[],
  price: DomainPrice | undefined,
  now: number,
): Verdict {
  const isTaken = decided.status === 'taken' || decided.status === 'for_sale'
  // "Taken" rests on any one listing, "free" on all that was said: the longest may be repeated there, the shortest here.
  const basis = isTaken ? telling.filter(({ says }) => says === 'registered' || says === 'for_sale') : telling
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
