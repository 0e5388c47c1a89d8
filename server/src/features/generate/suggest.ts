/**
 * From a request to suggestions: does what a run says (`run.ts`) with the naming, the language model, the availability
 * check and the namespaces.
 *
 * Each round screens names with cheap sources and confirms only those it will show. With a language model its names come
 * first, in its order, and are checked as it writes them; if too few are free, it is asked once more. A caller who reads a
 * stream gets built-in names at once, and those of the model take their places. Other callers wait for the model.
 *
 * With `include: ["handles"]` the names are also looked up in package registries and at code hosts, beside the search for
 * further names and within the same deadline. What these hosts say never changes which names are suggested.
 *
 * Fails with no_names. A registry that does not respond is not a failure: its domains are `unknown` and count as not
 * registrable, because reporting a taken name as available is the costlier mistake. A language model without results is
 * not a failure either: the naming generates names without it.
 */
import type { NameProposal, NameRequest, ProjectSummary } from '@namewright/names'
import type { Availability, AvailabilityMode, CheckOptions } from '../../engines/availability/availability.ts'
import { createHandleChecks } from '../../engines/namespaces/handle-checks.ts'
import type { HandleChecks } from '../../engines/namespaces/handle-checks.ts'
import type { Namespaces } from '../../engines/namespaces/namespaces.ts'
import type { SourceHealth } from '../../engines/availability/source-health.ts'
import { readData } from '../../data.ts'
import { ApiError } from '../../model/errors.ts'
import type { LanguageModel, ProposeOptions } from '../../engines/language-model/language-model.ts'
import type { Candidates, GenerateRequest, Rejection, Shortfall, Suggestion } from '../../model/generate-request.ts'
import { findLabel } from '../../model/domain.ts'
import type { Proposal } from '../../model/name.ts'
import type { NameHandles } from '../../model/namespace-verdict.ts'
import type { Verdict } from '../../model/verdict.ts'
import type { Names, NamingTurn } from '../../engines/names/names.ts'
import { createArrivals } from '../../platform/arrivals.ts'
import { withSpan } from '../../platform/tracing/trace-context.ts'
import type { Prices } from '../../engines/prices/prices.ts'
import type { NamingSubject } from '../../http/visitors.ts'
import type { NamingTime } from './naming-time.ts'
import {
  candidatesArrived,
  domainsFor,
  fillUp,
  isClosedTo,
  isOutOfReach,
  mayBeFree,
  merged,
  missingIn,
  MODEL_SHARE,
  namesArrived,
  nextStep,
  offerOf,
  openFilledQueue,
  openModelQueue,
  openRun,
  rejectionsOf,
  requiresConfirmation,
  roomIn,
  secondAsk,
  shortageArrived,
  shortfallOf,
  unconfirmed,
  variantsOfTaken,
  verdictArrived,
} from './run.ts'
import type { Queue, Run } from './run.ts'

export interface SuggestContext {
  readonly namingTime: Pick<NamingTime, 'charge'>
  readonly names: Pick<Names, 'propose' | 'admit' | 'summarise'>
  /** Absent unless the operator configured one. */
  readonly languageModel?: Pick<LanguageModel, 'isReusing' | 'propose' | 'store'> | undefined
  readonly availability: Pick<Availability, 'check'>
  /** Asked only for a request that includes handles. */
  readonly namespaces: Pick<Namespaces, 'check'>
  readonly sourceHealth: Pick<SourceHealth, 'troubles'>
  readonly availabilityMode: AvailabilityMode
  readonly prices: Prices
  /** Patterns for other labels of a name, such as `get{}`. They are offered if the name itself is taken. */
  readonly variants: readonly string[]
  readonly now: () => number
}

export interface Generated {
  readonly suggestions: readonly Suggestion[]
  /** The candidates that are not suggested; only if the request has some. */
  readonly rejected?: readonly Rejection[] | undefined
  readonly shortfall: Shortfall | undefined
  /** Only if requested. */
  readonly understanding?: ProjectSummary | undefined
}

/**
 * Receives names while their domains are still being confirmed: each shown name, again whenever it has new facts, and
 * each name that is withdrawn. No domain counts as registrable here before an authoritative source confirms it.
 */
export type OnUpdate = (shown: readonly Suggestion[], withdrawn: readonly Suggestion[]) => void

export interface SuggestOptions {
  /** For a stream: receives names as they are found. */
  readonly onUpdate?: OnUpdate | undefined
  /** The account. */
  readonly fairnessKey?: string
  /** Whose turns of the naming thread and places of the language model it takes, and who is charged for the time. */
  readonly namingSubject?: NamingSubject | undefined
  /** No person waits for the result: the language model gets as long as it needs. */
  readonly isBackground?: boolean | undefined
  /** Counts further domains as checked; false if no more may be checked today. */
  readonly mayCheck?: ((domains: number) => Promise<boolean>) | undefined
}

type Model = NonNullable<SuggestContext['languageModel']>

interface Asking {
  readonly ctx: SuggestContext
  readonly request: GenerateRequest
  readonly signal: AbortSignal
  readonly options: SuggestOptions
  readonly summary: ProjectSummary | undefined
}

/** What every step of one request needs. */
interface Search extends Asking {
  readonly run: Run
  readonly handles: HandleLookups
}

/** Names that the model wrote before the time for the request began, and how long that took. */
interface EarlyReply {
  readonly written: readonly NameProposal[]
  readonly tookMs: number
}

export function readVariants(): readonly string[] {
  return (JSON.parse(readData('variants.json')) as { variants: string[] }).variants
}

export async function suggest(
  ctx: SuggestContext,
  request: GenerateRequest,
  signal: AbortSignal,
  options: SuggestOptions = {},
): Promise<Generated> {
  const startedAt = ctx.now()
  const { candidates } = request
  const isFilled = candidates === undefined || candidates.fill
  const model = request.quality === 'best' && isFilled ? ctx.languageModel : undefined
  const isSummaryNeeded = request.include.includes('understanding') || model?.isReusing === true
  const turn = turnOf(ctx, options, request.deadlineMs)
  const summary = isSummaryNeeded ? await ctx.names.summarise(request.names, signal, turn) : undefined
  const asking = { ctx, request, signal, options, summary }
  // Nobody waits: the time for checking availability begins when the model has finished.
  const early = model && options.isBackground ? await askEarly(asking, model) : undefined
  const endsAt = (early ? ctx.now() : startedAt) + request.deadlineMs
  const run = openRun({ ...ctx, request, endsAt })
  const search = { ...asking, run, handles: openHandleLookups(asking, endsAt) }
  if (candidates) await checkCandidates(search, candidates)
  const found = isFilled && roomIn(run) > 0 ? await findNames(search, model, early) : []
  if (!candidates && run.admitted.size === 0) throw new ApiError('no_names')
  const chosen = [...run.own.found, ...found]
  const shortfall = shortfallOf(run, chosen.length, ctx.now(), (suffixes) => ctx.sourceHealth.troubles(suffixes))
  if (model && summary) {
    const { written: proposals, admitted, checked } = run
    const shown = chosen.map(({ proposal }) => proposal.label)
    await model.store(request, { account: options.fairnessKey ?? '', summary, proposals, shown, admitted, checked })
  }
  const rejected = candidates && (await withNearest(search, rejectionsOf(run, ctx.now())))
  await search.handles.ended()
  signal.throwIfAborted()
  const understanding = request.include.includes('understanding') ? summary : undefined
  return { suggestions: chosen.map(search.handles.withHandles), rejected, shortfall, understanding }
}

async function checkCandidates(search: Search, { names, rules }: Candidates): Promise<void> {
  const { ctx, run, signal, options } = search
  const given = names.flatMap((one) => ('label' in one ? [one] : []))
  const turn = turnOf(ctx, options, run.endsAt - ctx.now())
  const judged = given.length === 0 ? [] : await ctx.names.admit(rules, given, signal, turn)
  candidatesArrived(
    run,
    given.map(({ name }) => name),
    judged,
  )
  await work(search, run.own, rules, search.handles.lookUp)
}

/** Variants cost the caller checks and the registrars their budgets: only a few taken candidates get one. */
async function withNearest(search: Search, rejections: readonly Rejection[]): Promise<readonly Rejection[]> {
  const { run, ctx, options } = search
  const variants = variantsOfTaken(run, rejections)
  const all = [...variants.values()].flat()
  if (all.length === 0 || run.isHopeless || ctx.now() >= run.endsAt) return rejections
  if (options.mayCheck && !(await options.mayCheck(all.length))) return rejections
  await check(search, 'screen', all)
  const best = new Map([...variants].map(([name, some]) => [name, some.find((one) => mayBeFree(run, one))]))
  if (requiresConfirmation(run)) {
    await check(
      search,
      'confirm',
      [...best.values()].flatMap((one) => one ?? []),
    )
  }
  return rejections.map((rejection) => {
    const variant = best.get(rejection.name)
    const [nearest] = variant ? offerOf(run, run.own, variant).domains : []
    return nearest?.registrable ? { ...rejection, nearest } : rejection
  })
}

async function findNames(
  search: Search,
  model: Model | undefined,
  early: EarlyReply | undefined,
): Promise<readonly Suggestion[]> {
  const { run, options, request, handles } = search
  run.isHopeless ||= isOutOfReach(run)
  run.written = early?.written ?? []
  const asked = run.isHopeless ? undefined : model
  if (asked && options.onUpdate && !early) return findBeside(search, asked, options.onUpdate)
  const queue = openModelQueue(run)
  if (asked) await findFromModel(search, asked, queue, { early, onFinal: handles.lookUp })
  fillUp(run, queue)
  const names = run.written.length === 0 ? request.names : { ...request.names, proposals: run.written }
  await work(search, queue, names, handles.lookUp)
  return queue.found
}

/**
 * Built-in names and those of the model are found side by side. When both are complete, the model's come first and
 * the built-in names that no longer fit are withdrawn.
 */
async function findBeside(search: Search, model: Model, update: OnUpdate): Promise<readonly Suggestion[]> {
  const { run, request, signal } = search
  const [fromModel, builtIn] = [openModelQueue(run), openFilledQueue(run)]
  const failed = new AbortController()
  const asking = { ...search, signal: AbortSignal.any([signal, failed.signal]) }
  async function findWritten(): Promise<void> {
    await findFromModel(asking, model, fromModel)
    fromModel.isSelective = false
    await work(search, fromModel, request.names)
  }
  try {
    await Promise.all([work(search, builtIn, request.names), findWritten()])
  } catch (error) {
    failed.abort()
    throw error
  }
  const { chosen, dropped } = merged(run, [fromModel, builtIn])
  if (dropped.length > 0) update([], dropped)
  search.handles.lookUp(chosen)
  return chosen
}

interface FromModelOptions {
  readonly early?: EarlyReply | undefined
  readonly onFinal?: OnFinal | undefined
}

/** Checks the names of the model's reply, and if too few of them can be registered, those of a second one. */
async function findFromModel(
  search: Search,
  model: Model,
  queue: Queue,
  { early, onFinal }: FromModelOptions = {},
): Promise<void> {
  const { run, request, signal, ctx, options } = search
  if (early) await checkWritten(search, queue, early.written, onFinal)
  const share = options.onUpdate ? MODEL_SHARE.stream : MODEL_SHARE.whole
  const allowedMs = Math.floor(request.deadlineMs * share)
  const tookMs = early?.tookMs ?? (await checkWhileWriting(search, model, queue, { allowedMs, onFinal }))
  signal.throwIfAborted()
  const again = secondAsk(run, queue, tookMs, ctx.now())
  if (again) await checkWhileWriting(search, model, queue, { allowedMs: again.allowedMs, again, onFinal })
}

interface WritingOptions extends Pick<ProposeOptions, 'allowedMs' | 'again'> {
  readonly onFinal?: OnFinal | undefined
}

/** Checks names of the model as they arrive. Returns how long the model wrote, in milliseconds. */
async function checkWhileWriting(
  search: Search,
  model: Model,
  queue: Queue,
  { onFinal, ...call }: WritingOptions,
): Promise<number> {
  const { run, ctx, signal } = search
  const arrivals = createArrivals<NameProposal>()
  // Stops the model once enough names are found, to save tokens.
  const enough = new AbortController()
  const asking = { ...search, signal: AbortSignal.any([signal, enough.signal]) }
  async function readModel(): Promise<number> {
    const askedAt = ctx.now()
    const options = { ...call, onProposal: (proposal: NameProposal) => arrivals.add(proposal) }
    const written = await askModel(asking, model, options).finally(() => arrivals.end())
    run.written = [...run.written, ...written]
    return ctx.now() - askedAt
  }
  async function checkArrived(): Promise<void> {
    for await (const proposals of arrivals.batches()) {
      await checkWritten(search, queue, proposals, onFinal)
      if (missingIn(run, queue, ctx.now()) === 0) return enough.abort()
    }
  }
  try {
    const [tookMs] = await Promise.all([readModel(), checkArrived()])
    return tookMs
  } catch (error) {
    enough.abort()
    throw error
  }
}

async function checkWritten(
  search: Search,
  queue: Queue,
  proposals: readonly NameProposal[],
  onFinal: OnFinal | undefined,
): Promise<void> {
  const names = { ...search.request.names, proposals, onlyProposals: true }
  if (proposals.length > 0) namesArrived(search.run, queue, await propose(search, names, proposals.length))
  await work(search, queue, names, onFinal)
}

type OnFinal = (kept: readonly Suggestion[]) => void

/** Does what the queue needs until it stops. `onFinal` gets names that will not be withdrawn. */
async function work(search: Search, queue: Queue, names: NameRequest, onFinal?: OnFinal): Promise<void> {
  const { run, ctx, options } = search
  for (;;) {
    const step = nextStep(run, queue, ctx.now())
    if (step.todo === 'stop') return
    if (step.todo === 'propose') namesArrived(run, queue, await propose(search, names, step.wanted))
    else if (step.todo !== 'show') {
      await check(
        search,
        step.todo,
        step.names,
        step.todo === 'confirm' ? updatesOf(search, queue, step.names) : undefined,
      )
    } else {
      if (step.kept.length + step.dropped.length > 0) options.onUpdate?.(step.kept, step.dropped)
      onFinal?.(step.kept)
    }
  }
}

async function propose(search: Search, names: NameRequest, wanted: number): Promise<readonly Proposal[]> {
  const { ctx, run, signal, options } = search
  try {
    const turn = turnOf(ctx, options, run.endsAt - ctx.now())
    return await withSpan('names.propose', () => ctx.names.propose(names, wanted, signal, turn))
  } catch (error) {
    // Overloaded after the first names were checked: the caller gets those that were found.
    if (error instanceof ApiError && error.code === 'overloaded' && run.checked.size > 0) return []
    throw error
  }
}

async function check(
  search: Search,
  depth: CheckOptions['depth'],
  names: readonly Proposal[],
  onVerdict?: CheckOptions['onVerdict'],
): Promise<void> {
  const { ctx, run, request, signal, options } = search
  const all = names.flatMap((name) => domainsFor(run, name))
  // A confirmation is scarce, and of no use to a caller who cannot register there.
  const domains = depth === 'confirm' ? all.filter((domain) => !isClosedTo(run, domain)) : all
  const checking: CheckOptions = {
    deadlineMs: Math.max(0, run.endsAt - ctx.now()),
    depth,
    fresh: request.verify === 'full',
    signal,
    onVerdict,
    fairnessKey: options.fairnessKey || undefined,
    onShortage: (shortage) => shortageArrived(run, shortage, ctx.now()),
  }
  for (const [domain, verdict] of await ctx.availability.check(domains, checking)) verdictArrived(run, domain, verdict)
  signal.throwIfAborted()
}

/** Reports the names at once, and each again when one of its domains has a verdict. */
function updatesOf(
  { run, signal, options: { onUpdate } }: Search,
  queue: Queue,
  names: readonly Proposal[],
): ((verdict: Verdict) => void) | undefined {
  if (!onUpdate) return undefined
  const nameOf = new Map(names.flatMap((name) => domainsFor(run, name).map((domain) => [domain, name])))
  onUpdate(
    names.map((name) => unconfirmed(run, queue, name)),
    [],
  )
  return (verdict) => {
    if (signal.aborted) return
    verdictArrived(run, verdict.domain, verdict)
    const name = nameOf.get(verdict.domain)
    if (name) onUpdate([unconfirmed(run, queue, name)], [])
  }
}

function turnOf({ namingTime }: SuggestContext, { namingSubject }: SuggestOptions, withinMs: number): NamingTurn {
  if (!namingSubject) return { withinMs }
  const onCpu = (cpuMs: number) => namingTime.charge(namingSubject, cpuMs)
  return { subject: subjectText(namingSubject), withinMs, onCpu }
}

/** No person waits: the model gets as long as it needs. */
async function askEarly(asking: Asking, model: Model): Promise<EarlyReply> {
  const { now } = asking.ctx
  const askedAt = now()
  const written = await askModel(asking, model, { allowedMs: asking.request.deadlineMs, isBackground: true })
  return { written, tookMs: now() - askedAt }
}

async function askModel(
  { request, signal, options, summary }: Asking,
  model: Model,
  call: Pick<ProposeOptions, 'allowedMs' | 'isBackground' | 'again' | 'onProposal'>,
): Promise<readonly NameProposal[]> {
  const { fairnessKey: account = '', namingSubject } = options
  const subject = namingSubject && subjectText(namingSubject)
  return withSpan('language_model', () => model.propose(request, signal, { ...call, account, subject, summary }))
}

function subjectText({ kind, id }: NamingSubject): string {
  return `${kind} ${id}`
}

interface HandleLookups {
  /** Call it only with names that will not be withdrawn: every lookup uses up a budget. */
  readonly lookUp: (final: readonly Suggestion[]) => void
  readonly withHandles: (suggestion: Suggestion) => Suggestion
  readonly ended: () => Promise<unknown>
}

function openHandleLookups(
  { ctx, request, signal, options }: Pick<Search, 'ctx' | 'request' | 'signal' | 'options'>,
  endsAt: number,
): HandleLookups {
  const handles = new Map<string, NameHandles>()
  const lookups: Promise<void>[] = []
  const checks: HandleChecks = createHandleChecks({
    namespaces: ctx.namespaces,
    endsAt,
    now: ctx.now,
    fresh: request.verify === 'full',
    fairnessKey: options.fairnessKey ?? '',
    signal,
  })
  const withHandles = (suggestion: Suggestion): Suggestion => {
    const known = handles.get(suggestion.proposal.name)
    return known ? { ...suggestion, handles: known } : suggestion
  }
  return {
    withHandles,
    ended: () => Promise.all(lookups),
    lookUp(final) {
      if (!request.include.includes('handles') || final.length === 0) return
      // A name that its suffix completes has its whole name as handle.
      const labels = final.map(({ proposal }) => findLabel(proposal.name) ?? proposal.label)
      const lookup = checks.check(labels, (index, known) => {
        const suggestion = final[index]
        if (!suggestion || signal.aborted) return
        handles.set(suggestion.proposal.name, known)
        options.onUpdate?.([withHandles(suggestion)], [])
      })
      // Prevents an unhandled rejection if the request fails first. It is awaited at the end.
      lookup.catch(() => {})
      lookups.push(lookup)
    },
  }
}
