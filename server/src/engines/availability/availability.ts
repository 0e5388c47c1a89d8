/**
 * Checks domains: returns one verdict per domain.
 *
 * `check` runs these steps in order: the memory of this process, local sources (`local`: syntax, index), the shared
 * cache, cheap sources (`screen`: DNS), and for names that will be shown the scarce sources (`confirm`: registrars,
 * then RDAP). Each step gets only the domains that no earlier step has settled; a domain found registered is settled.
 * `combine.ts` turns the evidence into verdicts.
 *
 * Scarce sources have budgets. A source without budget is skipped, because the next source may have the result.
 * Domains that no source could be asked about then wait for budget until the deadline, in a fair queue
 * (`budget-queue.ts`).
 *
 * A domain without any result at the deadline is `unknown`. A slow or broken source must never cause an exception or
 * `available`. Each call makes one cache read and at most one cache write, however many domains it has.
 */
import { isDomain, type Domain } from '../../model/domain.ts'
import type { Verdict } from '../../model/verdict.ts'
import { withSpan } from '../../platform/tracing/trace-context.ts'
import { combine } from './combine.ts'
import type { Doubts } from './combine.ts'
import type { Evidence, EvidenceSource, Says, Shortage } from './evidence.ts'
import { createShortages } from './shortages.ts'
import {
  createLookups,
  createVerdictCache,
  createVerdictMemory,
  type LookupCache,
  type LookupCounts,
} from './verdict-cache.ts'

/** `strict`: only a registrar or registry can confirm. `balanced`: absence from DNS is enough. */
export type AvailabilityMode = 'strict' | 'balanced'

export interface CheckOptions {
  readonly deadlineMs: number
  /** `screen` asks only the cheap sources; `confirm` continues until a registrar or registry has confirmed. */
  readonly depth: 'screen' | 'confirm'
  /** Bypasses the caches. */
  readonly fresh: boolean
  /**
   * For background work: uses only a share of the budgets, so that budget remains for requests. A domain for
   * which no scarce source has a result at the deadline is `unknown` and `unasked`, whatever the cheap sources report.
   */
  readonly background?: boolean
  /** Lookups that wait for the same budget are served in turn per key. Opaque; without it all lookups share one key. */
  readonly fairnessKey?: string | undefined
  /** Called at the end, once for each source whose budget was used up for a domain that is still not certain. */
  readonly onShortage?: ((shortage: Shortage) => void) | undefined
  /**
   * For these domains the registry is also asked for the expiry date if they are registered. It costs an extra
   * lookup.
   */
  readonly expiryDatesFor?: ReadonlySet<Domain>
  readonly signal: AbortSignal
  /** Called once per verdict, as soon as no pending source can change it. */
  readonly onVerdict?: ((verdict: Verdict) => void) | undefined
}

export interface Availability {
  /** Never rejects: when the deadline passes or the signal aborts, domains without a result are `unknown`. */
  check(domains: readonly Domain[], options: CheckOptions): Promise<ReadonlyMap<Domain, Verdict>>
  /** For each cache: how many domains were looked up since this process started, and how many were found. */
  lookupsOf(): Readonly<Record<'memory' | 'shared', LookupCounts>>
}

export interface AvailabilityOptions {
  readonly cache: LookupCache
  /** Sources in this process, cheaper than the shared cache. */
  readonly local: readonly EvidenceSource[]
  readonly screen: readonly EvidenceSource[]
  readonly confirm: readonly EvidenceSource[]
  /** Sources that replace `confirm` for background work. */
  readonly background?: readonly EvidenceSource[]
  /** The reasons to doubt that a domain absent from the lists can be registered. */
  readonly doubtsOf: (domain: Domain) => Doubts
  readonly now: () => number
  /** Called with the number of domains of a check that had no result at the deadline. */
  readonly onTimeout?: (domains: number) => void
  /** How many verdicts are kept in this process; their places are allocated at once. */
  readonly maxRemembered?: number
}

export function openAvailability(options: AvailabilityOptions): Availability {
  const { cache, screen, confirm, background: backgroundSources = confirm, doubtsOf, now, onTimeout } = options
  const memory = createVerdictMemory({ now, most: options.maxRemembered })
  const shared = createVerdictCache({ cache, now })
  const local = [syntax(now), ...options.local]
  const cheap = new Set([...local, ...screen].map(({ name }) => name))

  const memoryTally = createLookups(now)
  const sharedTally = createLookups(now)
  const isCostly = ({ source, says }: Evidence) => says !== 'unknown' && !cheap.has(source)

  return {
    lookupsOf: () => ({ memory: memoryTally.read(), shared: sharedTally.read() }),
    check: (domains, checking) =>
      withSpan('availability.check', async (setAttributes) => {
        setAttributes?.({ domains: domains.length, depth: checking.depth })
        return check(domains, checking)
      }),
  }

  async function check(domains: readonly Domain[], checking: CheckOptions): Promise<ReadonlyMap<Domain, Verdict>> {
    const {
      deadlineMs,
      depth,
      fresh,
      signal,
      background = false,
      expiryDatesFor,
      onVerdict,
      fairnessKey = '',
    } = checking
    const endsAt = now() + deadlineMs
    const stop = new AbortController()
    const halt = () => stop.abort()
    const timer = setTimeout(halt, deadlineMs)
    signal.addEventListener('abort', halt)
    if (signal.aborted) halt()

    const verdicts = new Map<Domain, Verdict>()
    const collected = new Map<Domain, Evidence[]>()
    const shortages = createShortages<EvidenceSource>()
    const unique = [...new Set(domains)]
    let rest: readonly Domain[] = unique
    const confirming = background ? backgroundSources : confirm
    /** Found while a registrar was unreachable, which now can confirm it. */
    const isStandIn = ({ domain, status, sources }: Verdict) =>
      status === 'available' && confirming.some((source) => source.supersedes?.(domain, sources))
    /** Accepts cached verdicts that are still fresh and certain enough for this depth. */
    const take = (found: ReadonlyMap<Domain, Verdict>) => {
      for (const [domain, verdict] of found) {
        if (depth === 'screen' || (verdict.confidence === 'definitive' && !isStandIn(verdict)))
          verdicts.set(domain, verdict)
        if (verdicts.has(domain)) onVerdict?.(verdict)
      }
      rest = rest.filter((domain) => !verdicts.has(domain))
    }
    /** Verdicts that `onVerdict` already has; they must not change any more. */
    const reported = new Map<Domain, Verdict>()
    const reportEarly = (domain: Domain, said: readonly Evidence[], isLast: boolean) => {
      // A registrar's "available" alone is no verdict until the other sources have been asked.
      if (reported.has(domain) || !(isSettled(said) || (isLast && !isAvailableByRegistrarOnly(said)))) return
      const verdict = combine(domain, said, doubtsOf, now())
      reported.set(domain, verdict)
      onVerdict?.(verdict)
    }
    /** `giveUpAt`: until when to wait for budget; by default not at all. */
    const askSource = async (source: EvidenceSource, asked: readonly Domain[], giveUpAt = now()) => {
      const isLast = depth === 'confirm' && source === confirming.at(-1)
      const onEvidence = (one: Evidence) =>
        reportEarly(one.domain, [...(collected.get(one.domain) ?? []), one], isLast && !shortages.has(one.domain))
      const onShortage = (domain: Domain, shortage: Shortage) => shortages.note(domain, source, shortage)
      // The sources for background work have their own wait limits.
      const turn = background ? undefined : { fairnessKey, giveUpAt, onShortage }
      const found = await withSpan(`ask ${source.name}`, async (setAttributes) => {
        const answers = await source.ask(asked, stop.signal, onVerdict && onEvidence, turn)
        setAttributes?.({ asked: asked.length, answered: answers.size })
        return answers
      })
      for (const [domain, evidence] of found) {
        const said = collected.get(domain)
        if (said) said.push(evidence)
        else collected.set(domain, [evidence])
      }
    }
    /** Asks the sources one after the other about the domains that are not settled. */
    const listenTo = async (sources: readonly EvidenceSource[]) => {
      for (const source of sources) {
        if (rest.length === 0 || stop.signal.aborted) return
        await askSource(source, rest)
        if (onVerdict) for (const domain of rest) reportEarly(domain, collected.get(domain) ?? [], false)
        rest = rest.filter((domain) => !isSettled(collected.get(domain) ?? []))
      }
    }

    const isCertain = (domain: Domain) => {
      const said = collected.get(domain) ?? []
      return !isAvailableByRegistrarOnly(said) && combine(domain, said, doubtsOf, now()).confidence === 'definitive'
    }
    /** Where a budget is scarce, it goes first to the domains whose absence from RDAP would be proof. */
    const provableFirst = (some: readonly Domain[]) => {
      const { provable = [], doubtful = [] } = Object.groupBy(some, (domain) => {
        const { premiumProne, rdapLies } = doubtsOf(domain)
        const isProof = isAvailableByRegistrarOnly(collected.get(domain) ?? []) || !(premiumProne || rdapLies)
        return isProof ? 'provable' : 'doubtful'
      })
      return [...provable, ...doubtful]
    }
    /** Asks again the sources that had no budget, about the domains that are not certain yet. */
    const waitForBudget = async () => {
      while (!stop.signal.aborted) {
        const open = provableFirst(unique.filter((domain) => shortages.has(domain) && !isCertain(domain)))
        const next = shortages.takeNext(open)
        if (next.size === 0) return
        await Promise.all([...next].map(([source, asked]) => askSource(source, asked, endsAt)))
        if (onVerdict) for (const domain of open) reportEarly(domain, collected.get(domain) ?? [], false)
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
    if (depth === 'confirm') {
      rest = provableFirst(rest)
      await listenTo(confirming)
    }
    await waitForBudget()
    // Expiry dates are optional: they are skipped if some source could not be asked about a domain.
    const isCrowded = collected.values().some((said) => said.some(({ unasked }) => unasked))
    const needsExpiryDate = (domain: Domain) =>
      expiryDatesFor?.has(domain) && !isCrowded && isWithoutExpiryDate(collected.get(domain) ?? [])
    const withoutExpiryDate = unique.filter(needsExpiryDate)
    for (const source of confirming) {
      if (source.reportsExpiryDates && withoutExpiryDate.length > 0 && !stop.signal.aborted)
        await askSource(source, withoutExpiryDate)
    }
    clearTimeout(timer)
    signal.removeEventListener('abort', halt)

    const isCutShort = stop.signal.aborted
    const learned: Verdict[] = []
    let unanswered = 0
    for (const domain of unique) {
      if (verdicts.has(domain)) continue
      const said = collected.get(domain) ?? []
      const isUnasked = background && isCutShort && !isSettled(said) && !said.some(isCostly)
      // A source that could contradict the registrar has not answered, so the registrar's result alone does not
      // count.
      const isUnanswered = isCutShort || confirming.some((source) => source.covers?.(domain))
      const evidence = isUnasked || (isUnanswered && isAvailableByRegistrarOnly(said)) ? [] : said
      const combined = reported.get(domain) ?? combine(domain, evidence, doubtsOf, now())
      const verdict: Verdict = isUnasked ? { ...combined, unasked: true } : combined
      verdicts.set(domain, verdict)
      if (!reported.has(domain)) onVerdict?.(verdict)
      if (evidence.length === 0) unanswered++
      else if (verdict.status !== 'unknown' && !isAtHand(evidence)) learned.push(verdict)
    }
    if (isCutShort && !signal.aborted && unanswered > 0) onTimeout?.(unanswered)
    const uncertain = unique.filter((domain) => verdicts.get(domain)?.confidence !== 'definitive')
    const missed = uncertain.flatMap((domain) => shortages.of(domain))
    for (const [source, some] of Map.groupBy(missed, (one) => one.source))
      checking.onShortage?.({ source, retryMs: Math.min(...some.map(({ retryMs }) => retryMs)) })
    for (const verdict of learned) memory.remember(verdict)
    // Not awaited: the caller already has the result, and a lost write costs one more lookup later.
    void shared.remember(learned)
    return verdicts
  }
}

/** Whether only the index has a result: it is not cached, because an index lookup is cheaper than a cache lookup. */
function isAtHand(evidence: readonly Evidence[]): boolean {
  return evidence.length === 1 && evidence[0]?.source === 'index'
}

/**
 * Whether no further evidence can change the verdict. A registrar's "available" needs a second source that lacks the
 * domain, such as DNS: while DNS is down, the registry must still be asked, because it may have the domain.
 */
function isSettled(evidence: readonly Evidence[]): boolean {
  return !isAvailableByRegistrarOnly(evidence) && evidence.some(({ says }) => says !== 'absent' && says !== 'unknown')
}

/** Registered, without a known expiry date. */
function isWithoutExpiryDate(evidence: readonly Evidence[]): boolean {
  return evidence.some(({ says }) => says === 'registered') && evidence.every(({ registeredUntil }) => !registeredUntil)
}

/** Whether a registrar reports "available" and no other source has a result. */
function isAvailableByRegistrarOnly(evidence: readonly Evidence[]): boolean {
  return (
    evidence.some(({ says }) => AVAILABLE_CLAIMS.has(says)) &&
    evidence.every(({ says }) => AVAILABLE_CLAIMS.has(says) || says === 'unknown')
  )
}

const AVAILABLE_CLAIMS: ReadonlySet<Says> = new Set(['available', 'premium'])

/**
 * What `available` means for a domain that the caller has named, in a check and in favorites: it can be registered,
 * at its own price if it is premium. Only generate leaves premium domains out, unless the caller asks for them.
 */
export function isNamedRegistrable(verdict: Verdict, mode: AvailabilityMode): boolean {
  return isRegistrable(verdict, mode, true)
}

export function isRegistrable(verdict: Verdict, mode: AvailabilityMode, premium = false): boolean {
  if (premium && verdict.status === 'premium') return verdict.confidence === 'definitive'
  if (verdict.status !== 'available') return false
  return verdict.confidence === 'definitive' || (mode === 'balanced' && !verdict.premiumProne)
}

/** Reports texts that cannot be a domain, without any lookup. No malformed name gets past this source. */
function syntax(now: () => number): EvidenceSource {
  return {
    name: 'syntax',
    ask(domains) {
      const found = new Map<Domain, Evidence>()
      for (const domain of domains) {
        if (isDomain(domain)) continue
        // Not worth caching: it is found again in a microsecond.
        found.set(domain, { domain, source: 'syntax', says: 'invalid', at: now(), ttlMs: 0 })
      }
      return Promise.resolve(found)
    },
  }
}
