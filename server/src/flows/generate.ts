/**
 * POST /v1/generate: from a description to names whose domains can be registered.
 *
 * `generate` reserves quota, calls `suggest` and commits; `suggest` finds the names. Read both from top to bottom. Each
 * step is a capability that does not depend on the others, so only this file defines their order.
 *
 * Fails with quota_exceeded or no_names. A registry that does not respond is not a failure: its domains are `unknown`
 * and count as not registrable, because reporting a taken name as available is the costlier mistake. A language model
 * without results is not a failure either: `names/` generates names without it.
 *
 * One commit contains the record, the spent quota and the statements that the route adds: all or none. While the
 * database is down that commit is deferred to this node's journal and replayed later, once (`flows/replay-journal.ts`).
 *
 * A request that fails costs nothing. A stream that ends early costs what it has sent: the names with a registrable
 * domain. It leaves no record, since its response was never completed.
 */
import type { Audit } from '../availability/audit.ts'
import { isRegistrable } from '../availability/availability.ts'
import type { Availability, AvailabilityMode, CheckOptions } from '../availability/availability.ts'
import type { Shortage } from '../availability/evidence.ts'
import type { SourceHealth } from '../availability/source-health.ts'
import { NotWritten } from '../platform/db/db.ts'
import type { Db, Statement } from '../platform/db/db.ts'
import { ApiError } from '../errors.ts'
import type { History } from '../library/history/history.ts'
import type { Journal } from '../platform/journal/journal.ts'
import type { LanguageModel } from '../language-model/language-model.ts'
import type { Ask, DomainOffer, Shortfall, SourceTrouble, Suggestion } from '../model/ask.ts'
import type { Caller } from '../model/caller.ts'
import { behindLabel, domainOf } from '../model/domain.ts'
import type { Domain, Label, Suffix } from '../model/domain.ts'
import { makeId } from '../model/id.ts'
import type { Candidate, NameAsk, NameProposal, ProjectSummary } from '../model/name.ts'
import { isAffordable } from '../model/offer.ts'
import type { Status, Verdict } from '../model/verdict.ts'
import type { Names } from '../names/names.ts'
import type { Prices } from '../prices/prices.ts'
import { createArrivals } from '../platform/arrivals.ts'
import type { QuotaLease, Quota } from '../tenancy/quota/quota.ts'
import { step } from '../platform/tracing/trail.ts'

export interface GenerateContext {
  readonly db: Db
  readonly quota: Pick<Quota, 'reserve'>
  readonly audit: Pick<Audit, 'note'>
  readonly names: Pick<Names, 'propose' | 'summarise'>
  /** Absent unless the operator configured one. */
  readonly languageModel?: Pick<LanguageModel, 'propose'> | undefined
  readonly availability: Pick<Availability, 'check'>
  readonly sourceHealth: Pick<SourceHealth, 'troubles'>
  readonly availabilityMode: AvailabilityMode
  readonly prices: Prices
  readonly history: History
  /** Absent when a commit must not be deferred. */
  readonly journal?: Pick<Journal, 'keep'> | undefined
  /** Patterns for other labels of a name, such as `get{}`. They are offered if the name itself is taken. */
  readonly variants: readonly string[]
  readonly now: () => number
}

export interface Generated {
  readonly suggestions: readonly Suggestion[]
  readonly shortfall: Shortfall | undefined
  /** Only if requested. */
  readonly understanding?: ProjectSummary | undefined
}

/** A result as the route presents it: the JSON text that is sent and stored, and the statements to commit with it. */
export interface Presented {
  readonly suggestions: string
  readonly alongside: readonly Statement[]
}

/**
 * Receives names while their domains are still being confirmed: each shown name, again whenever it has new facts, and
 * each name that is withdrawn. No domain counts as registrable here before an authoritative source confirms it.
 */
export type OnUpdate = (shown: readonly Suggestion[], withdrawn: readonly Suggestion[]) => void

/** The client of a stream. */
export interface Reader {
  readonly onUpdate: OnUpdate
  /** The ids under which the charges of this stream are recorded, across all its connections. */
  readonly chargeIds: readonly string[]
  /** Whether the commit may be deferred: only if the headers, which are already sent, announced it. */
  readonly mayDefer: boolean
  isGone(): boolean
  /** The names with a registrable domain that were written to the connection while it was open. */
  sentNames(): readonly string[]
}

export interface GenerateOptions extends Pick<SuggestOptions, 'isPatient'> {
  readonly reader?: Reader | undefined
}

/** Returns where the record is: in the database, or in this node's journal until the database recovers. */
export async function generate(
  ctx: GenerateContext,
  caller: Caller,
  ask: Ask,
  present: (result: Generated) => Presented,
  signal: AbortSignal,
  { reader, isPatient }: GenerateOptions = {},
): Promise<'recorded' | 'deferred'> {
  // Disposing of the lease returns the reserved units, also after an exception; after keep() only the unused ones.
  await using lease = await step('quota.reserve', () => ctx.quota.reserve(caller, ask.count))
  const options = { onUpdate: reader?.onUpdate, fairnessKey: caller.accountId, isPatient }
  const result = await suggest(ctx, ask, signal, options)
    .then((found) => {
      if (reader?.isGone()) throw new DOMException('the client disconnected', 'AbortError')
      return found
    })
    .catch(async (error: unknown) => {
      if (reader) await chargeSent(ctx, caller, lease, reader)
      throw error
    })
  const { suggestions, alongside } = present(result)
  const record = { ...ask, description: ask.names.description, suggestions }
  const statements = [...ctx.history.recording(caller, record), ...alongside]
  const names = result.suggestions.map(({ candidate }) => candidate.name)
  const spending = reader ? lease.spendingStreamed({ ids: reader.chargeIds, names }) : lease.spending(names.length)
  const journal = reader?.mayDefer === false ? undefined : ctx.journal
  const { where, cost } = await commit(ctx, caller, { statements, spending, units: names.length, lease, journal })
  lease.keep(cost)
  const shown = result.suggestions.flatMap(({ domains }) => domains)
  for (const { registrable, verdict } of shown) if (registrable) ctx.audit.note(verdict)
  return where
}

interface Commit {
  readonly statements: readonly Statement[]
  readonly spending: Statement
  /** The cost, unless `spending` returns less: names charged to an earlier connection of the stream cost nothing. */
  readonly units: number
  readonly lease: QuotaLease
  readonly journal: GenerateContext['journal']
}

/** Commits to the database or, while it is down, to the journal. */
async function commit(
  ctx: GenerateContext,
  caller: Caller,
  { statements, spending, units, lease, journal }: Commit,
): Promise<{ where: 'recorded' | 'deferred'; cost: number }> {
  try {
    const answers = await step('history.commit', () => ctx.db.as(caller.accountId, [...statements, spending]))
    const [counted] = (answers.at(-1)?.rows ?? []) as readonly { units?: number }[]
    return { where: 'recorded', cost: counted?.units ?? units }
  } catch (error) {
    if (!(error instanceof NotWritten && journal)) throw await lease.explain(error)
    const id = makeId(ctx.now())
    // The journal stores only the fields of the caller that are needed to charge it.
    const { accountId, keyId, quota } = caller
    const entry = { id, caller: { accountId, keyId, quota }, units, statements, spending }
    await journal.keep(entry).catch(async (cause: unknown) => {
      throw await lease.explain(new ApiError('unavailable', { cause }))
    })
    return { where: 'deferred', cost: units }
  }
}

/** Charges a stream that ended early for the names that were sent. */
async function chargeSent(ctx: GenerateContext, caller: Caller, lease: QuotaLease, reader: Reader): Promise<void> {
  const streamed = { ids: reader.chargeIds, names: reader.sentNames() }
  if (streamed.names.length === 0) return
  const { cost } = await commit(ctx, caller, {
    statements: [],
    spending: lease.spendingCut(streamed),
    units: streamed.names.length,
    lease,
    journal: ctx.journal,
  })
  lease.keep(cost)
}

// A round checks a few more names than are missing, because some are usually taken under every suffix. First twice the
// requested number of names is generated; only when those are used up, twelve times.
const CHECKED_PER_NAME = 1.25
const PROPOSED_PER_NAME = [2, 12]
const PROPOSED_AT_LEAST = 40
// The rest of the time is for checking availability. In a stream the model's names are checked while it writes.
const MODEL_SHARE = { whole: 0.5, stream: 0.8 }

export interface SuggestOptions {
  /** For a stream: receives names as they are found. */
  readonly onUpdate?: OnUpdate | undefined
  /** The account. */
  readonly fairnessKey?: string
  /** No person waits for the result: the language model gets as long as it needs. */
  readonly isPatient?: boolean | undefined
}

interface Finder {
  readonly found: readonly Suggestion[]
  /** How many more are wanted; 0 when no more can be found. */
  missing(): number
  check(candidates: readonly Candidate[]): Promise<void>
}

/**
 * Generates more names than requested and checks them in rounds, until enough have a registrable domain, no names are
 * left or the deadline has passed. Each round screens names with cheap sources and confirms only those it will show.
 *
 * With a language model its names come first, in its order. A caller who reads a stream gets built-in names at once;
 * those of the model take their places as the model writes them. Other callers wait for the model.
 */
export async function suggest(
  ctx: GenerateContext,
  ask: Ask,
  signal: AbortSignal,
  { onUpdate, fairnessKey = '', isPatient = false }: SuggestOptions = {},
): Promise<Generated> {
  const model = ask.quality === 'best' ? ctx.languageModel : undefined
  // Nobody waits: the time for checking availability begins when the model has finished.
  const early = model && isPatient ? await askModel(model) : undefined
  const endsAt = ctx.now() + ask.deadlineMs
  const verdicts = new Map<Domain, Verdict>()
  let isAnyTried = false
  /** When each source without budget has budget again. */
  const shortages = new Map<string, number>()
  /** Whether further rounds cannot find more. */
  let isHopeless = ask.suffixes.length === 0

  const suggestions =
    model && onUpdate && !isPatient && !isHopeless
      ? await findWhileModelWrites(model, onUpdate)
      : await findIn(early ?? (model && !isHopeless ? await askModel(model) : []))
  const unsettled = [...verdicts.values()].filter((verdict) => isUnsettled(verdict, ctx.availabilityMode))
  const asked = new Set(unsettled.map(({ domain }) => behindLabel(domain)))
  const why = {
    late: ctx.now() >= endsAt,
    unsettled: asked.size > 0,
    ...(asked.size > 0 ? troublesNow(asked) : { troubles: [] }),
  }
  const understanding = ask.include.includes('understanding') ? ctx.names.summarise(ask.names) : undefined
  return { suggestions, shortfall: shortfallOf(ask, suggestions.length, why), understanding }

  /** Proposals first, then names of ours until there are enough. */
  async function findIn(proposals: readonly NameProposal[]): Promise<readonly Suggestion[]> {
    const finder = createFinder()
    await fill(finder, proposals)
    return finder.found
  }

  async function fill(finder: Finder, proposals: readonly NameProposal[]): Promise<void> {
    const request = proposals.length === 0 ? ask.names : { ...ask.names, proposals }
    for (const perName of PROPOSED_PER_NAME) {
      const wanted = Math.max(PROPOSED_AT_LEAST, ask.count * perName)
      const candidates = await propose(request, wanted)
      if (candidates.length === 0 && !isAnyTried) throw new ApiError('no_names')
      await finder.check(candidates)
      if (finder.missing() === 0) break
    }
  }

  async function propose(request: NameAsk, wanted: number): Promise<readonly Candidate[]> {
    return step('names.propose', () => ctx.names.propose(request, wanted, signal, endsAt - ctx.now())).catch(
      (error: unknown) => {
        // Overloaded after the first names were checked: the caller gets those that were found.
        if (error instanceof ApiError && error.code === 'overloaded' && isAnyTried) return []
        throw error
      },
    )
  }

  function askModel(
    { propose: proposeBy }: Pick<LanguageModel, 'propose'>,
    onProposal?: (proposal: NameProposal) => void,
    stop = signal,
  ): Promise<readonly NameProposal[]> {
    const share = onProposal ? MODEL_SHARE.stream : MODEL_SHARE.whole
    const allowedMs = Math.floor(ask.deadlineMs * share)
    return step('language_model', () =>
      proposeBy(ask, stop, { account: fairnessKey, allowedMs, isPatient, onProposal }),
    )
  }

  /**
   * Built-in names and those of the model are found side by side. When both are complete, the model's come first and
   * the built-in names that no longer fit are withdrawn.
   */
  async function findWhileModelWrites(
    writer: Pick<LanguageModel, 'propose'>,
    update: OnUpdate,
  ): Promise<readonly Suggestion[]> {
    const builtIn = createFinder()
    const byModel = createFinder()
    const arrivals = createArrivals<NameProposal>()
    // No more is written, and paid for, than can be shown.
    const enough = new AbortController()
    const stop = AbortSignal.any([signal, enough.signal])
    const written = askModel(writer, (proposal) => arrivals.add(proposal), stop).finally(() => arrivals.end())
    async function checkArrived(): Promise<void> {
      for await (const proposals of arrivals.batches()) {
        await byModel.check(await propose({ ...ask.names, proposals, onlyProposals: true }, proposals.length))
        if (byModel.missing() === 0) return enough.abort()
      }
    }
    try {
      await Promise.all([fill(builtIn, []), checkArrived(), written])
    } catch (error) {
      enough.abort()
      throw error
    }
    const first = new Set(byModel.found.map(({ candidate }) => candidate.label))
    const all = [...byModel.found, ...builtIn.found.filter(({ candidate }) => !first.has(candidate.label))]
    const kept = all.slice(0, ask.count)
    const shown = new Set(kept.map(({ candidate }) => candidate.name))
    const dropped = [...byModel.found, ...builtIn.found].filter(({ candidate }) => !shown.has(candidate.name))
    if (dropped.length > 0) update([], dropped)
    return kept
  }

  /** Collects suggestions from candidates, in rounds, up to the number requested. */
  function createFinder(): Finder {
    const found: Suggestion[] = []
    const tried = new Set<Label>()
    // Screened names that may be available but exceed the requested count. They replace names that are not confirmed.
    let waiting: readonly Candidate[] = []
    const missing = () => (ctx.now() < endsAt && !isHopeless ? ask.count - found.length : 0)
    return {
      found,
      missing,
      async check(proposed) {
        const candidates = proposed.filter(({ label }) => !tried.has(label))
        for (let next = 0; missing() > 0 && (next < candidates.length || waiting.length > 0);) {
          const round = candidates.slice(next, (next += Math.ceil(missing() * CHECKED_PER_NAME) + 2))
          for (const { label } of round) tried.add(label)
          isAnyTried = true
          await check(round, 'screen')
          const promising = [...waiting, ...round.filter((candidate) => !ask.onlyAvailable || mayBeFree(candidate))]
          const shown = preferred(promising).slice(0, ask.count - found.length)
          waiting = promising.filter((candidate) => !shown.includes(candidate))
          // Registry and registrar lookups are scarce, and only cover names that the caller will see.
          if (isConfirmed(ctx, ask)) await check(shown, 'confirm', onUpdate && updatesOf(shown, onUpdate))
          const offered = shown.map((candidate) => offer(ctx, ask, candidate, verdicts))
          const isKept = (one: Suggestion) => !ask.onlyAvailable || one.domains.some((entry) => entry.registrable)
          const kept = offered.filter(isKept)
          found.push(...kept)
          onUpdate?.(kept, kept.length === offered.length ? [] : offered.filter((one) => !isKept(one)))
          // If no authoritative source has budget before the deadline, other names cannot be confirmed either.
          isHopeless = shown.length > 0 && !shown.some(isAnswered) && isShortUntil(endsAt)
        }
      },
    }
  }

  async function check(
    candidates: readonly Candidate[],
    depth: CheckOptions['depth'],
    onVerdict?: CheckOptions['onVerdict'],
  ): Promise<void> {
    const domains = candidates.flatMap((candidate) => domainsFor(ctx, ask, candidate))
    const options = {
      deadlineMs: Math.max(0, endsAt - ctx.now()),
      depth,
      fresh: ask.verify === 'full',
      signal,
      onVerdict,
      fairnessKey: fairnessKey === '' ? undefined : fairnessKey,
      onShortage: ({ source, retryMs }: Shortage) => void shortages.set(source, ctx.now() + retryMs),
    }
    for (const [domain, verdict] of await ctx.availability.check(domains, options)) verdicts.set(domain, verdict)
    signal.throwIfAborted()
  }

  function isShortUntil(time: number): boolean {
    return shortages.size > 0 && shortages.values().every((retryAt) => retryAt >= time)
  }

  function isAnswered(candidate: Candidate): boolean {
    return domainsFor(ctx, ask, candidate).some((domain) => verdicts.get(domain)?.confidence === 'definitive')
  }

  /** A source without budget that also has a worse problem is reported with that problem. */
  function troublesNow(suffixes: ReadonlySet<string>): Pick<Why, 'troubles' | 'retryMs'> {
    const known = ctx.sourceHealth.troubles(suffixes)
    const others = [...shortages.keys()].filter((source) => !known.some((trouble) => trouble.source === source))
    const troubles = [...known, ...others.map((source) => ({ source, state: 'rate_limited' as const }))]
    // Waiting for the budget of a source that cannot be used does not help.
    const isLost = (source: string) => known.some((one) => one.source === source && LOST.has(one.state))
    const retryAts = [...shortages].flatMap(([source, retryAt]) => (isLost(source) ? [] : [retryAt]))
    return retryAts.length > 0 ? { troubles, retryMs: Math.min(...retryAts) - ctx.now() } : { troubles }
  }

  /** Reports the names at once, and each again when one of its domains has a verdict. */
  function updatesOf(shown: readonly Candidate[], updateOf: OnUpdate): (verdict: Verdict) => void {
    const sofar = (candidate: Candidate) => vouchedFor(offer(ctx, ask, candidate, verdicts))
    const ofDomain = new Map(shown.flatMap((one) => domainsFor(ctx, ask, one).map((domain) => [domain, one])))
    updateOf(shown.map(sofar), [])
    return (verdict) => {
      if (signal.aborted) return
      verdicts.set(verdict.domain, verdict)
      const candidate = ofDomain.get(verdict.domain)
      if (candidate) updateOf([sofar(candidate)], [])
    }
  }

  function mayBeFree(candidate: Candidate): boolean {
    return domainsFor(ctx, ask, candidate).some((domain) => FREE.has(verdicts.get(domain)?.status ?? 'unknown'))
  }

  /** Names available under the caller's first suffix come first; otherwise the order stays. */
  function preferred(list: readonly Candidate[]): Candidate[] {
    const [best] = ask.suffixes
    const rank = ({ label }: Candidate) =>
      best && FREE.has(verdicts.get(domainOf(label, best))?.status ?? 'unknown') ? 0 : 1
    return list.toSorted((a, b) => rank(a) - rank(b))
  }
}

const LOST: ReadonlySet<SourceTrouble['state']> = new Set(['untrusted', 'unreachable'])
const FREE: ReadonlySet<Status> = new Set(['available', 'premium'])

/**
 * Strict mode shows nothing as available without an authoritative confirmation, and `full` requests that confirmation.
 */
function isConfirmed(ctx: GenerateContext, ask: Ask): boolean {
  return ctx.availabilityMode === 'strict' || ask.verify === 'full'
}

function domainsFor(ctx: GenerateContext, ask: Ask, candidate: Candidate): Domain[] {
  const { label } = candidate
  const labels = ask.variants ? [label, ...variantsOf(ctx, label)] : [label]
  return suffixesFor(ask, candidate).flatMap((suffix) => labels.map((one) => domainOf(one, suffix)))
}

/** A candidate that only its suffix completes (as in `instagr.am`) is offered under that suffix alone. */
function suffixesFor(ask: Ask, { suffix }: Candidate): readonly Suffix[] {
  return suffix === undefined ? ask.suffixes : [suffix]
}

function offer(
  ctx: GenerateContext,
  ask: Ask,
  candidate: Candidate,
  verdicts: ReadonlyMap<Domain, Verdict>,
): Suggestion {
  const entry = (label: Label, suffix: Suffix): DomainOffer => {
    const verdict = verdicts.get(domainOf(label, suffix))
    if (!verdict) throw new Error(`${label}.${suffix} was checked but has no result`)
    const quoted = ctx.prices.offerFor(suffix, verdict, ask.currency)
    const isWithin = quoted !== undefined && isAffordable(quoted, ask.priceLimits)
    const registrable = isWithin && isRegistrable(verdict, ctx.availabilityMode, ask.premium)
    return { verdict, registrable, offer: quoted ?? ctx.prices.offerOf(suffix, ask.currency) }
  }
  const domains = suffixesFor(ask, candidate).map((suffix) => {
    const exact = entry(candidate.label, suffix)
    if (exact.registrable || !ask.variants || exact.verdict.status !== 'taken') return exact
    return (
      variantsOf(ctx, candidate.label)
        .map((label) => entry(label, suffix))
        .find((one) => one.registrable) ?? exact
    )
  })
  return { candidate, domains }
}

/** For updates before the confirmation has ended: a `likely` domain does not count as registrable yet, in any mode. */
function vouchedFor({ candidate, domains }: Suggestion): Suggestion {
  const isKnown = ({ verdict }: DomainOffer) => verdict.confidence === 'definitive'
  return { candidate, domains: domains.map((one) => ({ ...one, registrable: one.registrable && isKnown(one) })) }
}

function variantsOf(ctx: GenerateContext, label: Label): Label[] {
  return ctx.variants.map((pattern) => pattern.replace('{}', label) as Label).filter((one) => one.length <= 63)
}

/** No authoritative source has decided: a later check, or a better source, may find it available. */
function isUnsettled(verdict: Verdict, mode: AvailabilityMode): boolean {
  return verdict.status === 'unknown' || (verdict.confidence === 'likely' && !isRegistrable(verdict, mode))
}

/** The facts from which `shortfallOf` derives the reason. */
interface Why {
  readonly late: boolean
  readonly unsettled: boolean
  readonly troubles: readonly SourceTrouble[]
  /** The time until a source without budget has budget again. */
  readonly retryMs?: number
}

function shortfallOf(ask: Ask, returned: number, why: Why): Shortfall | undefined {
  const { count: wanted, suffixes } = ask
  const { late, unsettled, troubles, retryMs } = why
  if (returned >= wanted) return undefined
  if (suffixes.length === 0) return { wanted, returned, reason: 'max_price' }
  // More time does not help when a source cannot be used.
  if (troubles.length > 0) {
    const retry = retryMs === undefined ? {} : { retry_after: Math.max(1, Math.ceil(retryMs / 1000)) }
    return { wanted, returned, reason: 'availability_unknown', sources: troubles, ...retry }
  }
  return { wanted, returned, reason: late ? 'deadline' : unsettled ? 'availability_unknown' : 'no_more_names' }
}
