/**
 * POST /v1/generate: from a description to names whose domains can be registered.
 *
 * `generate` reserves quota and calls `suggest`, which finds the names; the caller presents them and calls `commit`. Read
 * both from top to bottom. Each step is a capability that does not depend on the others, so only this file defines their
 * order.
 *
 * Fails with quota_exceeded or no_names. A registry that does not respond is not a failure: its domains are `unknown`
 * and count as not registrable, because reporting a taken name as available is the costlier mistake. A language model
 * without results is not a failure either: `names/` generates names without it.
 *
 * One commit contains the record, the spent quota and the statements that the caller adds: all or none.
 *
 * With `include: ["handles"]` the names are also looked up in package registries and at code hosts, beside the search for
 * further names and within the same deadline. What these hosts say never changes which names are suggested.
 *
 * A request that fails or is abandoned costs nothing. A stream costs the names that it showed and did not withdraw, also
 * when it ends early; then it leaves no record, since its response was never completed. A second try with the same
 * Idempotency-Key costs only the names that no earlier try was charged for.
 */
import type { Audit } from '../availability/audit.ts'
import { isRegistrable } from '../availability/availability.ts'
import type { Availability, AvailabilityMode, CheckOptions } from '../availability/availability.ts'
import type { Shortage } from '../availability/evidence.ts'
import { createHandleChecks } from '../availability/namespaces/handle-checks.ts'
import type { Namespaces } from '../availability/namespaces/namespaces.ts'
import type { SourceHealth } from '../availability/source-health.ts'
import type { Db, Statement } from '../platform/db/db.ts'
import { ApiError } from '../errors.ts'
import type { History } from '../library/history/history.ts'
import type { LanguageModel } from '../language-model/language-model.ts'
import type { GenerateRequest, DomainOffer, Shortfall, SourceTrouble, Suggestion } from '../model/generate-request.ts'
import type { Caller } from '../model/caller.ts'
import { behindLabel, domainOf, findLabel } from '../model/domain.ts'
import type { Domain, Label, Suffix } from '../model/domain.ts'
import type { Candidate, NameRequest, NameProposal, ProjectSummary } from '../model/name.ts'
import type { NameHandles } from '../model/namespace-verdict.ts'
import { isBarred, restrictTo } from '../model/eligibility.ts'
import type { Eligibility } from '../model/eligibility.ts'
import { isAffordable } from '../model/offer.ts'
import type { StreamReader } from '../model/stream-reader.ts'
import type { Status, Verdict } from '../model/verdict.ts'
import type { Names } from '../names/names.ts'
import type { NamingTurn } from '../names/threads.ts'
import type { Prices } from '../prices/prices.ts'
import { createArrivals } from '../platform/arrivals.ts'
import type { NamingSubject, NamingTime } from '../tenancy/limits/naming-time.ts'
import type { QuotaReservation, Quota } from '../tenancy/quota/quota.ts'
import { withSpan } from '../platform/tracing/trace-context.ts'

export interface GenerateContext {
  readonly db: Db
  readonly quota: Pick<Quota, 'reserve'>
  readonly namingTime: Pick<NamingTime, 'require' | 'charge'>
  readonly audit: Pick<Audit, 'note'>
  readonly names: Pick<Names, 'propose' | 'summarise'>
  /** Absent unless the operator configured one. */
  readonly languageModel?: Pick<LanguageModel, 'isReusing' | 'propose' | 'store'> | undefined
  readonly availability: Pick<Availability, 'check'>
  /** Asked only for a request that includes handles. */
  readonly namespaces: Pick<Namespaces, 'check'>
  readonly sourceHealth: Pick<SourceHealth, 'troubles'>
  readonly availabilityMode: AvailabilityMode
  readonly prices: Prices
  readonly history: History
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

/**
 * Receives names while their domains are still being confirmed: each shown name, again whenever it has new facts, and
 * each name that is withdrawn. No domain counts as registrable here before an authoritative source confirms it.
 */
export type OnUpdate = (shown: readonly Suggestion[], withdrawn: readonly Suggestion[]) => void

type GenerateReader = StreamReader<Parameters<OnUpdate>>

export interface GenerateOptions extends Pick<SuggestOptions, 'isBackground'> {
  readonly signal: AbortSignal
  /** Who asks, of those whom the caller's account lets ask: the account by default. */
  readonly namingSubject?: NamingSubject | undefined
  readonly reader?: GenerateReader | undefined
  /** What identifies this request in all its tries, if it may be tried again. */
  readonly chargeId?: string | undefined
}

/** Names that are found and not yet paid for. Disposing of it returns the reserved units that no commit has spent. */
export interface Generation extends AsyncDisposable {
  readonly result: Generated
  /**
   * Records the result and spends its cost, with the statements of the caller: all or none. `suggestions` is the JSON
   * text that is sent. Returns the cost.
   */
  commit(suggestions: string, alongside: readonly Statement[]): Promise<number>
}

export async function generate(
  ctx: GenerateContext,
  caller: Caller,
  request: GenerateRequest,
  {
    signal,
    reader,
    chargeId,
    isBackground,
    namingSubject = { kind: 'account', id: caller.accountId },
  }: GenerateOptions,
): Promise<Generation> {
  // Background work has waited instead, before it took its place.
  if (isBackground !== true) await ctx.namingTime.require(namingSubject)
  await using reserved = new AsyncDisposableStack()
  const reservation = reserved.use(await withSpan('quota.reserve', () => ctx.quota.reserve(caller, request.count)))
  const result = await findOrCharge()
  const kept = reserved.move()
  return {
    result,
    async commit(suggestions, alongside) {
      const record = { ...request, description: request.names.description, suggestions }
      const statements = [...ctx.history.recording(caller, record), ...alongside]
      const names = result.suggestions.map(({ candidate }) => candidate.name)
      const spending =
        chargeId === undefined
          ? reservation.spending(names.length)
          : reservation.spendingShown({ id: chargeId, names, withdrawn: withdrawnBy(reader, names) })
      const cost = await commit(ctx, caller, reservation, { statements, spending, units: names.length })
      const shown = result.suggestions.flatMap(({ domains }) => domains)
      for (const { registrable, verdict } of shown) if (registrable) ctx.audit.note(verdict)
      await ctx.history.keepWithinPlan(caller, record)
      return cost
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }

  async function findOrCharge(): Promise<Generated> {
    try {
      const options = { onUpdate: reader?.onUpdate, fairnessKey: caller.accountId, namingSubject, isBackground }
      const found = await suggest(ctx, request, signal, options)
      if (reader?.isGone()) throw new DOMException('the client disconnected', 'AbortError')
      return found
    } catch (error) {
      if (reader) await chargeSent(ctx, caller, reservation, { id: chargeId, ...reader.sentNames() })
      throw error
    }
  }
}

/** What a stream has shown and its result does not contain: its reader is told so, if not yet, after the commit. */
function withdrawnBy(reader: GenerateReader | undefined, names: readonly string[]): readonly string[] {
  if (!reader) return []
  const { shown, withdrawn } = reader.sentNames()
  const final = new Set(names)
  return [...shown, ...withdrawn].filter((name) => !final.has(name))
}

/** Charges a stream that ended early for the names that it showed. */
async function chargeSent(
  ctx: GenerateContext,
  caller: Caller,
  reservation: QuotaReservation,
  { id, shown, withdrawn }: { id: string | undefined } & ReturnType<GenerateReader['sentNames']>,
): Promise<void> {
  if (shown.length === 0 && withdrawn.length === 0) return
  await commit(ctx, caller, reservation, {
    statements: [],
    spending: reservation.spendingInterrupted({ id, names: shown, withdrawn }),
    units: shown.length,
  })
}

interface Commit {
  readonly statements: readonly Statement[]
  readonly spending: Statement
  /** The cost, unless `spending` returns less: names charged to an earlier try cost nothing. */
  readonly units: number
}

/** Commits, and keeps of the reserved units what the commit cost: that is returned. */
async function commit(
  { db }: Pick<GenerateContext, 'db'>,
  { accountId }: Caller,
  reservation: QuotaReservation,
  { statements, spending, units }: Commit,
): Promise<number> {
  try {
    const answers = await withSpan('history.commit', () => db.as(accountId, [...statements, spending]))
    const [counted] = (answers.at(-1)?.rows ?? []) as readonly { units?: number }[]
    const cost = counted?.units ?? units
    reservation.recordCommit(cost)
    return cost
  } catch (error) {
    throw await reservation.recordFailedCommit(error)
  }
}

// A round checks a few more names than are missing, because some are usually taken under every suffix. First twice the
// requested number of names is generated; only when those are used up, twelve times.
const CHECKED_PER_NAME = 1.25
const PROPOSED_PER_NAME = [2, 12]
const PROPOSED_AT_LEAST = 40
// The share of the deadline that the language model may use; the rest is for checking availability. In a stream the
// model's names are checked while it writes.
const MODEL_SHARE = { whole: 0.5, stream: 0.8 }

export interface SuggestOptions {
  /** For a stream: receives names as they are found. */
  readonly onUpdate?: OnUpdate | undefined
  /** The account. */
  readonly fairnessKey?: string
  /** Whose turns of the naming threads and places of the language model it takes, and who is charged for the time. */
  readonly namingSubject?: NamingSubject | undefined
  /** No person waits for the result: the language model gets as long as it needs. */
  readonly isBackground?: boolean | undefined
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
  request: GenerateRequest,
  signal: AbortSignal,
  { onUpdate, fairnessKey = '', namingSubject, isBackground = false }: SuggestOptions = {},
): Promise<Generated> {
  const startedAt = ctx.now()
  const model = request.quality === 'best' ? ctx.languageModel : undefined
  const isSummaryNeeded = request.include.includes('understanding') || model?.isReusing === true
  const summary = isSummaryNeeded
    ? await ctx.names.summarise(request.names, signal, turnWithin(request.deadlineMs))
    : undefined
  let byModel: readonly NameProposal[] = []
  // Nobody waits: the time for checking availability begins when the model has finished.
  const early = model && isBackground ? await askModel(model) : undefined
  const endsAt = (early ? ctx.now() : startedAt) + request.deadlineMs
  const verdicts = new Map<Domain, Verdict>()
  /** Labels that the rules admit, and those of them whose domains were checked. */
  const admitted = new Set<Label>()
  const checked = new Set<Label>()
  /** When each source without budget has budget again. */
  const shortages = new Map<string, number>()
  const handles = new Map<string, NameHandles>()
  const handleChecks: Promise<void>[] = []
  const handleChecker = createHandleChecks({
    namespaces: ctx.namespaces,
    endsAt,
    now: ctx.now,
    fresh: request.verify === 'full',
    fairnessKey,
    signal,
  })
  /** Whether further rounds cannot find more. */
  let isHopeless = isOutOfReach(ctx, request)

  const chosen =
    model && onUpdate && !isBackground && !isHopeless
      ? await findWhileModelWrites(model, onUpdate)
      : await findIn(early ?? (model && !isHopeless ? await askModel(model) : []))
  if (admitted.size === 0) throw new ApiError('no_names')
  const unsettled = [...verdicts.values()].filter((verdict) => isUnsettled(verdict, ctx.availabilityMode))
  const asked = new Set(unsettled.map(({ domain }) => behindLabel(domain)))
  const why = {
    restricted: request.onlyAvailable && areAllClosed(ctx, request),
    late: ctx.now() >= endsAt,
    unsettled: asked.size > 0,
    ...(asked.size > 0 ? troublesNow(asked) : { troubles: [] }),
  }
  if (model && summary) {
    const shown = chosen.map(({ candidate }) => candidate.label)
    await model.store(request, { account: fairnessKey, summary, proposals: byModel, shown, admitted, checked })
  }
  const understanding = request.include.includes('understanding') ? summary : undefined
  await Promise.all(handleChecks)
  signal.throwIfAborted()
  const suggestions = chosen.map(withHandles)
  return { suggestions, shortfall: shortfallOf(request, suggestions.length, why), understanding }

  /** Proposals first, then names of ours until there are enough. */
  async function findIn(proposals: readonly NameProposal[]): Promise<readonly Suggestion[]> {
    const finder = createFinder(lookUpHandles)
    await fill(finder, proposals)
    return finder.found
  }

  /** Call it only with names that will not be withdrawn: every lookup uses up a budget. */
  function lookUpHandles(final: readonly Suggestion[]): void {
    if (!request.include.includes('handles') || final.length === 0) return
    // A name that its suffix completes has its whole name as handle.
    const labels = final.map(({ candidate }) => findLabel(candidate.name) ?? candidate.label)
    const checking = handleChecker.check(labels, (index, known) => {
      const suggestion = final[index]
      if (!suggestion || signal.aborted) return
      handles.set(suggestion.candidate.name, known)
      onUpdate?.([withHandles(suggestion)], [])
    })
    // Prevents an unhandled rejection if the request fails first. It is awaited at the end.
    checking.catch(() => {})
    handleChecks.push(checking)
  }

  function withHandles(suggestion: Suggestion): Suggestion {
    const known = handles.get(suggestion.candidate.name)
    return known ? { ...suggestion, handles: known } : suggestion
  }

  async function fill(finder: Finder, proposals: readonly NameProposal[]): Promise<void> {
    const nameRequest = proposals.length === 0 ? request.names : { ...request.names, proposals }
    for (const perName of PROPOSED_PER_NAME) {
      const wanted = Math.max(PROPOSED_AT_LEAST, request.count * perName)
      const candidates = await propose(nameRequest, wanted)
      await finder.check(candidates)
      if (finder.missing() === 0) break
    }
  }

  async function propose(nameRequest: NameRequest, wanted: number): Promise<readonly Candidate[]> {
    try {
      const name = () => ctx.names.propose(nameRequest, wanted, signal, turnWithin(endsAt - ctx.now()))
      const candidates = await withSpan('names.propose', name)
      for (const { label } of candidates) admitted.add(label)
      return candidates
    } catch (error) {
      // Overloaded after the first names were checked: the caller gets those that were found.
      if (error instanceof ApiError && error.code === 'overloaded' && checked.size > 0) return []
      throw error
    }
  }

  function turnWithin(withinMs: number): NamingTurn {
    if (!namingSubject) return { withinMs }
    const onCpu = (cpuMs: number) => ctx.namingTime.charge(namingSubject, cpuMs)
    return { subject: subjectText(namingSubject), withinMs, onCpu }
  }

  async function askModel(
    { propose: proposeBy }: Pick<LanguageModel, 'propose'>,
    onProposal?: (proposal: NameProposal) => void,
    stop = signal,
  ): Promise<readonly NameProposal[]> {
    const share = onProposal ? MODEL_SHARE.stream : MODEL_SHARE.whole
    const allowedMs = Math.floor(request.deadlineMs * share)
    const subject = namingSubject && subjectText(namingSubject)
    const options = { account: fairnessKey, subject, allowedMs, isBackground, summary, onProposal }
    byModel = await withSpan('language_model', () => proposeBy(request, stop, options))
    return byModel
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
    const fromModel = createFinder()
    const arrivals = createArrivals<NameProposal>()
    // Stops the model once enough names are found, to save tokens.
    const enough = new AbortController()
    const stop = AbortSignal.any([signal, enough.signal])
    const written = askModel(writer, (proposal) => arrivals.add(proposal), stop).finally(() => arrivals.end())
    async function checkArrived(): Promise<void> {
      for await (const proposals of arrivals.batches()) {
        await fromModel.check(await propose({ ...request.names, proposals, onlyProposals: true }, proposals.length))
        if (fromModel.missing() === 0) return enough.abort()
      }
    }
    try {
      await Promise.all([fill(builtIn, []), checkArrived(), written])
    } catch (error) {
      enough.abort()
      throw error
    }
    const first = new Set(fromModel.found.map(({ candidate }) => candidate.label))
    const all = [...fromModel.found, ...builtIn.found.filter(({ candidate }) => !first.has(candidate.label))]
    const kept = all.slice(0, request.count)
    const shown = new Set(kept.map(({ candidate }) => candidate.name))
    const dropped = [...fromModel.found, ...builtIn.found].filter(({ candidate }) => !shown.has(candidate.name))
    if (dropped.length > 0) update([], dropped)
    lookUpHandles(kept)
    return kept
  }

  /** Collects suggestions from candidates, in rounds, up to the number requested. */
  function createFinder(onFinal?: (kept: readonly Suggestion[]) => void): Finder {
    const found: Suggestion[] = []
    const tried = new Set<Label>()
    // Screened names that may be available but exceed the requested count. They replace names that are not confirmed.
    let waiting: readonly Candidate[] = []
    const missing = () => (ctx.now() < endsAt && !isHopeless ? request.count - found.length : 0)
    return {
      found,
      missing,
      async check(proposed) {
        const candidates = proposed.filter(({ label }) => !tried.has(label))
        for (let next = 0; missing() > 0 && (next < candidates.length || waiting.length > 0);) {
          const round = candidates.slice(next, (next += Math.ceil(missing() * CHECKED_PER_NAME) + 2))
          for (const { label } of round) {
            tried.add(label)
            checked.add(label)
          }
          await check(round, 'screen')
          const promising = [...waiting, ...round.filter((candidate) => !request.onlyAvailable || mayBeFree(candidate))]
          const shown = preferred(promising).slice(0, request.count - found.length)
          waiting = promising.filter((candidate) => !shown.includes(candidate))
          // Registry and registrar lookups are scarce, and only cover names that the caller will see.
          if (requiresConfirmation(ctx, request)) await check(shown, 'confirm', onUpdate && updatesOf(shown, onUpdate))
          const offered = shown.map((candidate) => offer(ctx, request, candidate, verdicts))
          const isKept = (one: Suggestion) => !request.onlyAvailable || one.domains.some((entry) => entry.registrable)
          const kept = offered.filter(isKept)
          found.push(...kept)
          onUpdate?.(kept, kept.length === offered.length ? [] : offered.filter((one) => !isKept(one)))
          onFinal?.(kept)
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
    const all = candidates.flatMap((candidate) => domainsFor(ctx, request, candidate))
    // A confirmation is scarce, and of no use to a caller who cannot register there.
    const domains = depth === 'confirm' ? all.filter((domain) => !isClosedTo(ctx, request, domain)) : all
    const options = {
      deadlineMs: Math.max(0, endsAt - ctx.now()),
      depth,
      fresh: request.verify === 'full',
      signal,
      onVerdict,
      fairnessKey: fairnessKey === '' ? undefined : fairnessKey,
      onShortage: ({ source, retryMs }: Shortage) => void shortages.set(source, ctx.now() + retryMs),
    }
    for (const [domain, verdict] of await ctx.availability.check(domains, options)) learn(domain, verdict)
    signal.throwIfAborted()
  }

  function learn(domain: Domain, verdict: Verdict): void {
    verdicts.set(domain, restrictTo(request.country, eligibilityOf(ctx, domain), verdict))
  }

  function isShortUntil(time: number): boolean {
    return shortages.size > 0 && shortages.values().every((retryAt) => retryAt >= time)
  }

  function isAnswered(candidate: Candidate): boolean {
    return domainsFor(ctx, request, candidate).some(
      (domain) => verdicts.get(domain)?.confidence === 'definitive' && !isClosedTo(ctx, request, domain),
    )
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
    const sofar = (candidate: Candidate) => vouchedFor(offer(ctx, request, candidate, verdicts))
    const ofDomain = new Map(shown.flatMap((one) => domainsFor(ctx, request, one).map((domain) => [domain, one])))
    updateOf(shown.map(sofar), [])
    return (verdict) => {
      if (signal.aborted) return
      learn(verdict.domain, verdict)
      const candidate = ofDomain.get(verdict.domain)
      if (candidate) updateOf([sofar(candidate)], [])
    }
  }

  function mayBeFree(candidate: Candidate): boolean {
    return domainsFor(ctx, request, candidate).some((domain) => FREE.has(verdicts.get(domain)?.status ?? 'unknown'))
  }

  /** Names available under the caller's first suffix come first; otherwise the order stays. */
  function preferred(list: readonly Candidate[]): Candidate[] {
    const [best] = request.suffixes
    const rank = ({ label }: Candidate) =>
      best && FREE.has(verdicts.get(domainOf(label, best))?.status ?? 'unknown') ? 0 : 1
    return list.toSorted((a, b) => rank(a) - rank(b))
  }
}

function subjectText({ kind, id }: NamingSubject): string {
  return `${kind} ${id}`
}

const LOST: ReadonlySet<SourceTrouble['state']> = new Set(['untrusted', 'unreachable'])
const FREE: ReadonlySet<Status> = new Set(['available', 'premium'])

/**
 * Strict mode shows nothing as available without an authoritative confirmation, and `full` requests that confirmation.
 */
function requiresConfirmation(ctx: GenerateContext, request: GenerateRequest): boolean {
  return ctx.availabilityMode === 'strict' || request.verify === 'full'
}

function eligibilityOf(ctx: GenerateContext, domain: Domain): Eligibility | undefined {
  return ctx.prices.eligibilityOf(behindLabel(domain) as Suffix)
}

/** Whether the country of the caller rules the domain out. */
function isClosedTo(ctx: GenerateContext, { country }: GenerateRequest, domain: Domain): boolean {
  return country !== undefined && isBarred(eligibilityOf(ctx, domain), country)
}

function areAllClosed(ctx: GenerateContext, { suffixes, country }: GenerateRequest): boolean {
  return suffixes.every((suffix) => isBarred(ctx.prices.eligibilityOf(suffix), country))
}

/** No suffix is left that the caller pays for and may register: no name can be offered. */
function isOutOfReach(ctx: GenerateContext, request: GenerateRequest): boolean {
  if (request.suffixes.length === 0) return true
  return request.onlyAvailable && areAllClosed(ctx, request) && !request.names.hackSuffixes?.length
}

function domainsFor(ctx: GenerateContext, request: GenerateRequest, candidate: Candidate): Domain[] {
  const { label } = candidate
  const labels = request.variants ? [label, ...variantsOf(ctx, label)] : [label]
  return suffixesFor(request, candidate).flatMap((suffix) => labels.map((one) => domainOf(one, suffix)))
}

/** A candidate that only its suffix completes (as in `instagr.am`) is offered under that suffix alone. */
function suffixesFor(request: GenerateRequest, { suffix }: Candidate): readonly Suffix[] {
  return suffix === undefined ? request.suffixes : [suffix]
}

function offer(
  ctx: GenerateContext,
  request: GenerateRequest,
  candidate: Candidate,
  verdicts: ReadonlyMap<Domain, Verdict>,
): Suggestion {
  const entry = (label: Label, suffix: Suffix): DomainOffer => {
    const verdict = verdicts.get(domainOf(label, suffix))
    if (!verdict) throw new Error(`${label}.${suffix} was checked but has no result`)
    const quoted = ctx.prices.findDomainOffer(suffix, verdict, request.currency)
    const isWithin = quoted !== undefined && isAffordable(quoted, request.priceLimits)
    const registrable = isWithin && isRegistrable(verdict, ctx.availabilityMode, request.premium)
    const price = quoted ?? ctx.prices.listOfferOf(suffix, request.currency)
    return { verdict, registrable, offer: price, eligibility: ctx.prices.eligibilityOf(suffix) }
  }
  const domains = suffixesFor(request, candidate).map((suffix) => {
    const exact = entry(candidate.label, suffix)
    if (exact.registrable || !request.variants || exact.verdict.status !== 'taken') return exact
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
  /** Whether every suffix is closed to registrants of the caller's country. */
  readonly restricted: boolean
  readonly late: boolean
  readonly unsettled: boolean
  readonly troubles: readonly SourceTrouble[]
  /** The time until a source without budget has budget again. */
  readonly retryMs?: number
}

function shortfallOf(request: GenerateRequest, returned: number, why: Why): Shortfall | undefined {
  const { count: wanted, suffixes } = request
  const { late, unsettled, restricted, troubles, retryMs } = why
  if (returned >= wanted) return undefined
  if (suffixes.length === 0) return { wanted, returned, reason: 'max_price' }
  if (restricted) return { wanted, returned, reason: 'restricted' }
  // More time does not help when a source cannot be used.
  if (troubles.length > 0) {
    const retry = retryMs === undefined ? {} : { retry_after: Math.max(1, Math.ceil(retryMs / 1000)) }
    return { wanted, returned, reason: 'availability_unknown', sources: troubles, ...retry }
  }
  return { wanted, returned, reason: late ? 'deadline' : unsettled ? 'availability_unknown' : 'no_more_names' }
}
