/**
 * Domains in, one verdict each out.
 *
 * The chain, in the order written in `check`: what this process remembers, what it can tell by itself (`local`: the
 * form, the index), what other nodes have learned, what is cheap to ask (`screen`: DNS), and only for names that will
 * be shown those that are scarce (`confirm`: registrars, then RDAP). Each gets what the ones before it left open;
 * whatever is found registered goes no further. `combine.ts` makes the verdicts.
 *
 * What nobody answered before the deadline is `unknown`: a slow or broken world is a verdict here, never an exception,
 * and never `available`. Per call there is one read and at most one write of the cache, however many domains.
 */
import type { Domain } from '../model/domain.ts'
import type { Verdict } from '../model/verdict.ts'
import { step } from '../tracing/trail.ts'
import { combine } from './combine.ts'
import type { Doubts } from './combine.ts'
import type { Evidence, EvidenceSource, Says } from './evidence.ts'
import { createLookups } from './lookups.ts'
import type { LookedUp } from './lookups.ts'
import { syntax } from './syntax.ts'
import { createVerdictCache } from './verdict-cache.ts'
import type { LookupCache } from './verdict-cache.ts'
import { createVerdictMemory } from './verdict-memory.ts'

/** `strict`: only the word of a source that can know. `balanced`: absence from DNS is enough. */
export type AvailabilityMode = 'strict' | 'balanced'

export interface CheckOptions {
  readonly deadlineMs: number
  /** `screen` asks only what is cheap; `confirm` asks on until somebody who can know has spoken. */
  readonly depth: 'screen' | 'confirm'
  /** Nothing remembered is used. */
  readonly fresh: boolean
  /**
   * Nobody waits for it: asks from a share of the budgets, so that who waits finds room. What could not be asked
   * is then `unknown` and `unasked`, whatever the cheap sources say.
   */
  readonly polite?: boolean
  /** Of these, where they are taken, the registry is asked until when, which nothing else needs to know. */
  readonly endsOf?: ReadonlySet<Domain>
  readonly signal: AbortSignal
  /** Told each verdict once, as soon as nothing that is still to be heard can change it. */
  readonly onVerdict?: ((verdict: Verdict) => void) | undefined
}

export interface Availability {
  /** Never rejects: a passed deadline or a fired signal leaves the unanswered domains `unknown`. */
  check(domains: readonly Domain[], options: CheckOptions): Promise<ReadonlyMap<Domain, Verdict>>
  /** How many domains were looked up since the start of this process, and how many found. */
  lookedUp(): Readonly<Record<'memory' | 'shared', LookedUp>>
}

export interface AvailabilityOptions {
  readonly cache: LookupCache
  /** In this process, and cheaper to ask than the shared cache. */
  readonly local: readonly EvidenceSource[]
  readonly screen: readonly EvidenceSource[]
  readonly confirm: readonly EvidenceSource[]
  /** What is asked in place of `confirm` for who can wait. */
  readonly polite?: readonly EvidenceSource[]
  readonly doubtsOf: (domain: Domain) => Doubts
  readonly now: () => number
  /** How many domains of one check nobody answered by its deadline. */
  readonly onTimeout?: (domains: number) => void
}

export function openAvailability(options: AvailabilityOptions): Availability {
  const { cache, screen, confirm, polite: patient = confirm, doubtsOf, now, onTimeout } = options
  const memory = createVerdictMemory({ now })
  const shared = createVerdictCache({ cache, now })
  const local = [syntax(now), ...options.local]
  const cheap = new Set([...local, ...screen].map(({ name }) => name))

  const memoryTally = createLookups(now)
  const sharedTally = createLookups(now)
  const isCostly = ({ source, says }: Evidence) => says !== 'unknown' && !cheap.has(source)

  return {
    lookedUp: () => ({ memory: memoryTally.read(), shared: sharedTally.read() }),
    check: (domains, checking) =>
      step('availability.check', async (note) => {
        note?.({ domains: domains.length, depth: checking.depth })
        return check(domains, checking)
      }),
  }

  async function check(domains: readonly Domain[], checking: CheckOptions): Promise<ReadonlyMap<Domain, Verdict>> {
    const { deadlineMs, depth, fresh, signal, polite = false, endsOf, onVerdict } = checking
    const stop = new AbortController()
    const halt = () => stop.abort()
    const timer = setTimeout(halt, deadlineMs)
    signal.addEventListener('abort', halt)
    if (signal.aborted) halt()

    const verdicts = new Map<Domain, Verdict>()
    const heard = new Map<Domain, Evidence[]>()
    const unique = [...new Set(domains)]
    let rest: readonly Domain[] = unique
    const confirming = polite ? patient : confirm
    /** Takes what may still be repeated and is good enough for this depth. */
    const take = (found: ReadonlyMap<Domain, Verdict>) => {
      for (const [domain, verdict] of found) {
        if (depth === 'screen' || verdict.confidence === 'definitive') verdicts.set(domain, verdict)
        if (verdicts.has(domain)) onVerdict?.(verdict)
      }
      rest = rest.filter((domain) => !verdicts.has(domain))
    }
    const told = new Map<Domain, Verdict>()
    const tellEarly = (domain: Domain, said: readonly Evidence[], isLast: boolean) => {
      // A seller's word alone is no verdict before everybody else was heard.
      if (told.has(domain) || !(isSettled(said) || (isLast && !isSoldAlone(said)))) return
      const verdict = combine(domain, said, doubtsOf, now())
      told.set(domain, verdict)
      onVerdict?.(verdict)
    }
    const hear = async (source: EvidenceSource, asked: readonly Domain[]) => {
      const isLast = depth === 'confirm' && source === confirming.at(-1)
      const onEvidence = (one: Evidence) => tellEarly(one.domain, [...(heard.get(one.domain) ?? []), one], isLast)
      const found = await step(`ask ${source.name}`, async (note) => {
        const answers = await source.ask(asked, stop.signal, onVerdict && onEvidence)
        note?.({ asked: asked.length, answered: answers.size })
        return answers
      })
      for (const [domain, evidence] of found) {
        const said = heard.get(domain)
        if (said) said.push(evidence)
        else heard.set(domain, [evidence])
      }
    }
    const listenTo = async (sources: readonly EvidenceSource[]) => {
      for (const source of sources) {
        if (rest.length === 0 || stop.signal.aborted) return
        await hear(source, rest)
        if (onVerdict) for (const domain of rest) tellEarly(domain, heard.get(domain) ?? [], false)
        rest = rest.filter((domain) => !isSettled(heard.get(domain) ?? []))
      }
    }

    if (!fresh) take(memoryTally.note(rest, memory.find(rest)))
    await listenTo(local)
    if (!fresh && rest.length > 0 && !stop.signal.aborted) {
      const found = sharedTally.note(rest, await shared.find(rest, stop.signal))
      for (const verdict of found.values()) memory.remember(verdict)
      take(found)
    }
    await listenTo(screen)
    if (depth === 'confirm') await listenTo(confirming)
    // Where there was no room for what had to be asked, there is none for what would only be good to know.
    const isCrowded = heard.values().some((said) => said.some(({ unasked }) => unasked))
    const wantsEnd = (domain: Domain) => endsOf?.has(domain) && !isCrowded && isEndless(heard.get(domain) ?? [])
    const endless = unique.filter(wantsEnd)
    for (const source of confirming) {
      if (source.tellsEnds && endless.length > 0 && !stop.signal.aborted) await hear(source, endless)
    }
    clearTimeout(timer)
    signal.removeEventListener('abort', halt)

    const isCutShort = stop.signal.aborted
    const learned: Verdict[] = []
    let unanswered = 0
    for (const domain of unique) {
      if (verdicts.has(domain)) continue
      const said = heard.get(domain) ?? []
      const isUnasked = polite && isCutShort && !isSettled(said) && !said.some(isCostly)
      // Whoever could have contradicted the seller was not heard: then nobody has spoken yet.
      const isUnheard = isCutShort || confirming.some((source) => source.covers?.(domain))
      const evidence = isUnasked || (isUnheard && isSoldAlone(said)) ? [] : said
      const combined = told.get(domain) ?? combine(domain, evidence, doubtsOf, now())
      const verdict: Verdict = isUnasked ? { ...combined, unasked: true } : combined
      verdicts.set(domain, verdict)
      if (!told.has(domain)) onVerdict?.(verdict)
      if (evidence.length === 0) unanswered++
      else if (verdict.status !== 'unknown' && !isAtHand(evidence)) learned.push(verdict)
    }
    if (isCutShort && !signal.aborted && unanswered > 0) onTimeout?.(unanswered)
    for (const verdict of learned) memory.remember(verdict)
    // Not waited for: the caller has the answer, and a lost write costs one more question later.
    void shared.remember(learned)
    return verdicts
  }
}

/** What the index says costs less to ask again than to remember. */
function isAtHand(evidence: readonly Evidence[]): boolean {
  return evidence.length === 1 && evidence[0]?.source === 'index'
}

/**
 * Nothing that could still be said would change the verdict. A seller's "free" is settled only beside a list that
 * lacks the name: while DNS is down a registry that has it may still be asked, and would be right.
 */
function isSettled(evidence: readonly Evidence[]): boolean {
  return !isSoldAlone(evidence) && evidence.some(({ says }) => says !== 'absent' && says !== 'unknown')
}

/** Registered, and nobody has said until when. */
function isEndless(evidence: readonly Evidence[]): boolean {
  return evidence.some(({ says }) => says === 'registered') && evidence.every(({ registeredUntil }) => !registeredUntil)
}

/** A seller says "free", and nobody else has said anything. */
function isSoldAlone(evidence: readonly Evidence[]): boolean {
  return (
    evidence.some(({ says }) => SOLD.has(says)) && evidence.every(({ says }) => SOLD.has(says) || says === 'unknown')
  )
}

const SOLD: ReadonlySet<Says> = new Set(['available', 'premium'])

export function isRegistrable(verdict: Verdict, mode: AvailabilityMode, premium = false): boolean {
  if (premium && verdict.status === 'premium') return verdict.confidence === 'definitive'
  if (verdict.status !== 'available') return false
  return verdict.confidence === 'definitive' || (mode === 'balanced' && !verdict.premiumProne)
}
