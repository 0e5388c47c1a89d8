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
import { combine } from './combine.ts'
import type { Doubts } from './combine.ts'
import type { Evidence, EvidenceSource, Says } from './evidence.ts'
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
  readonly signal: AbortSignal
}

export interface Availability {
  /** Never rejects: a passed deadline or a fired signal leaves the unanswered domains `unknown`. */
  check(domains: readonly Domain[], options: CheckOptions): Promise<ReadonlyMap<Domain, Verdict>>
}

export interface AvailabilityOptions {
  readonly cache: LookupCache
  /** In this process, and cheaper to ask than the shared cache. */
  readonly local: readonly EvidenceSource[]
  readonly screen: readonly EvidenceSource[]
  readonly confirm: readonly EvidenceSource[]
  readonly doubtsOf: (domain: Domain) => Doubts
  readonly now: () => number
  /** How many domains of one check nobody answered by its deadline. */
  readonly onTimeout?: (domains: number) => void
}

export function openAvailability(options: AvailabilityOptions): Availability {
  const { cache, screen, confirm, doubtsOf, now, onTimeout } = options
  const memory = createVerdictMemory({ now })
  const shared = createVerdictCache({ cache, now })
  const local = [syntax(now), ...options.local]

  return {
    async check(domains, { deadlineMs, depth, fresh, signal }) {
      const stop = new AbortController()
      const halt = () => stop.abort()
      const timer = setTimeout(halt, deadlineMs)
      signal.addEventListener('abort', halt)
      if (signal.aborted) halt()

      const verdicts = new Map<Domain, Verdict>()
      const heard = new Map<Domain, Evidence[]>()
      const unique = [...new Set(domains)]
      let rest: readonly Domain[] = unique
      /** Takes what may still be repeated and is good enough for this depth. */
      const take = (found: ReadonlyMap<Domain, Verdict>) => {
        for (const [domain, verdict] of found) {
          if (depth === 'screen' || verdict.confidence === 'definitive') verdicts.set(domain, verdict)
        }
        rest = rest.filter((domain) => !verdicts.has(domain))
      }
      const listenTo = async (sources: readonly EvidenceSource[]) => {
        for (const source of sources) {
          if (rest.length === 0 || stop.signal.aborted) return
          for (const [domain, evidence] of await source.ask(rest, stop.signal)) {
            const said = heard.get(domain)
            if (said) said.push(evidence)
            else heard.set(domain, [evidence])
          }
          rest = rest.filter((domain) => !isSettled(heard.get(domain) ?? []))
        }
      }

      if (!fresh) take(memory.find(rest))
      await listenTo(local)
      if (!fresh && rest.length > 0 && !stop.signal.aborted) {
        const found = await shared.find(rest, stop.signal)
        for (const verdict of found.values()) memory.remember(verdict)
        take(found)
      }
      await listenTo(screen)
      if (depth === 'confirm') await listenTo(confirm)
      clearTimeout(timer)
      signal.removeEventListener('abort', halt)

      const learned: Verdict[] = []
      let unanswered = 0
      for (const domain of unique) {
        if (verdicts.has(domain)) continue
        const evidence = heard.get(domain) ?? []
        const verdict = combine(domain, evidence, doubtsOf, now())
        verdicts.set(domain, verdict)
        if (evidence.length === 0) unanswered++
        else if (verdict.status !== 'unknown' && !isAtHand(evidence)) learned.push(verdict)
      }
      if (stop.signal.aborted && !signal.aborted && unanswered > 0) onTimeout?.(unanswered)
      for (const verdict of learned) memory.remember(verdict)
      // Not waited for: the caller has the answer, and a lost write costs one more question later.
      void shared.remember(learned)
      return verdicts
    },
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
  const isAlone = evidence.every(({ says }) => says !== 'absent')
  return evidence.some(({ says }) => says !== 'absent' && says !== 'unknown' && !(isAlone && SOLD.has(says)))
}

const SOLD: ReadonlySet<Says> = new Set(['available', 'premium'])

export function isRegistrable(verdict: Verdict, mode: AvailabilityMode, premium = false): boolean {
  if (premium && verdict.status === 'premium') return verdict.confidence === 'definitive'
  if (verdict.status !== 'available') return false
  return verdict.confidence === 'definitive' || (mode === 'balanced' && !verdict.premiumProne)
}
