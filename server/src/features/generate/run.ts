/**
 * The search for the names of one request, as state: which names have arrived, what is known of their domains, which are
 * found, and what comes next.
 *
 * Nothing here asks anybody or reads a clock. `suggest.ts` does what `nextStep` says, notes the results, and asks for the
 * next step. A queue holds the names of one origin; all queues of a run share its verdicts and its deadline.
 */
import type { NameProposal, Objection } from '@namewright/names'
import { isRegistrable } from '../../engines/availability/availability.ts'
import type { AvailabilityMode } from '../../engines/availability/availability.ts'
import type { Shortage } from '../../engines/availability/evidence.ts'
import type {
  GenerateRequest,
  DomainOffer,
  Origin,
  Rejection,
  RejectionReason,
  Shortfall,
  SourceTrouble,
  Suggestion,
} from '../../model/generate-request.ts'
import { behindLabel, domainOf } from '../../model/domain.ts'
import type { Domain, Label, Suffix } from '../../model/domain.ts'
import { isBarred, restrictTo } from '../../model/eligibility.ts'
import type { Eligibility } from '../../model/eligibility.ts'
import type { AskedAgain } from '../../engines/language-model/call.ts'
import { plainLabel } from '../../engines/language-model/proposal-pool.ts'
import type { Proposal } from '../../model/name.ts'
import { isAffordable } from '../../model/offer.ts'
import type { Status, Verdict } from '../../model/verdict.ts'
import type { Prices } from '../../engines/prices/prices.ts'

export interface RunOptions {
  readonly request: GenerateRequest
  readonly prices: Prices
  readonly availabilityMode: AvailabilityMode
  /** Patterns for other labels of a name, such as `get{}`. They are offered if the name itself is taken. */
  readonly variants: readonly string[]
  readonly endsAt: number
}

export interface Run extends RunOptions {
  readonly verdicts: Map<Domain, Verdict>
  /** Labels that the rules admit, and those of them whose domains were checked. */
  readonly admitted: Set<Label>
  readonly checked: Set<Label>
  /** When each source without budget has budget again. */
  readonly shortages: Map<string, number>
  /** The candidates of the caller; their suggestions come first. */
  readonly own: Queue
  /** The candidates by name, as the naming has judged them. */
  readonly judged: Map<string, Proposal | Objection>
  /** What the language model wrote. */
  written: readonly NameProposal[]
  /** Whether further names cannot help. */
  isHopeless: boolean
}

export interface Queue {
  origin: Origin
  /** How many names to ask the engine for, each time when all that it gave have been checked. */
  asks: number[]
  /** While the model may write more: only names that are free under the caller's first suffix are shown. */
  isSelective: boolean
  readonly found: Suggestion[]
  readonly arrived: Set<Label>
  /** Not checked yet. */
  pending: readonly Proposal[]
  /** Checked names that may be available but exceed the requested count. They replace names that are not confirmed. */
  waiting: readonly Proposal[]
  last: Step | undefined
}

export type Step =
  | { readonly todo: 'propose'; readonly wanted: number }
  /** Ask cheap sources about all names, or authoritative ones about those that are about to be shown. */
  | { readonly todo: 'screen' | 'confirm'; readonly names: readonly Proposal[] }
  | { readonly todo: 'show'; readonly kept: readonly Suggestion[]; readonly dropped: readonly Suggestion[] }
  /** Nothing, unless more names arrive. */
  | { readonly todo: 'stop' }

// A round checks a few more names than are missing, because some are usually taken under every suffix. First twice the
// requested number of names is generated; only when those are used up, twelve times.
const CHECKED_PER_NAME = 1.25
const PROPOSED_PER_NAME = [2, 12]
const PROPOSED_AT_LEAST = 40

// The share of the deadline after which the language model has ended; the rest is for checking availability. Without a
// stream built-in names are looked for only then, so the first reply must be there sooner.
export const MODEL_SHARE = { whole: 0.5, stream: 0.8 }
const MAX_TAKEN = 30

export function openRun(options: RunOptions): Run {
  return {
    ...options,
    verdicts: new Map(),
    admitted: new Set(),
    checked: new Set(),
    shortages: new Map(),
    own: openQueue('candidate'),
    judged: new Map(),
    written: [],
    isHopeless: options.request.candidates === undefined && isOutOfReach(options),
  }
}

/** A queue that the engine fills as long as names are missing. */
export function openFilledQueue(run: Run): Queue {
  const queue = openQueue('built_in', run)
  fillUp(run, queue)
  return queue
}

/** From now on the engine fills the queue with built-in names. */
export function fillUp(run: Run, queue: Queue): void {
  queue.origin = 'built_in'
  queue.asks = PROPOSED_PER_NAME.map((perName) => Math.max(PROPOSED_AT_LEAST, run.request.count * perName))
  queue.isSelective = false
  queue.last = undefined
}

/** A queue for the names of the model. */
export function openModelQueue(run: Run): Queue {
  return { ...openQueue('model', run), isSelective: run.request.onlyAvailable }
}

/** Labels of candidates never arrive again. */
export function openQueue(origin: Origin, run?: Run): Queue {
  const labels = run?.request.candidates?.names.flatMap((one) => ('label' in one ? [one.label] : []))
  const empty = { asks: [], isSelective: false, found: [], pending: [], waiting: [], last: undefined }
  return { ...empty, origin, arrived: new Set(labels) }
}

/** The candidates, as the naming has judged them. */
export function candidatesArrived(run: Run, names: readonly string[], judged: readonly (Proposal | Objection)[]): void {
  for (const [at, one] of judged.entries()) {
    run.judged.set(names[at] ?? '', one)
    if (typeof one !== 'string') run.own.pending = [...run.own.pending, one]
  }
}

export function namesArrived(run: Run, queue: Queue, names: readonly Proposal[]): void {
  queue.pending = [...queue.pending, ...names.filter(({ label }) => !queue.arrived.has(label))]
  for (const { label } of names) {
    queue.arrived.add(label)
    run.admitted.add(label)
  }
}

export function verdictArrived(run: Run, domain: Domain, verdict: Verdict): void {
  run.verdicts.set(domain, restrictTo(run.request.country, eligibilityOf(run, domain), verdict))
}

export function shortageArrived(run: Run, { source, retryMs }: Shortage, now: number): void {
  run.shortages.set(source, now + retryMs)
}

/** How many more names the queue needs; 0 when no more can be found. */
export function missingIn(run: Run, queue: Queue, now: number): number {
  return now < run.endsAt && !run.isHopeless ? roomIn(run, queue) : 0
}

export function roomIn({ request, own }: Run, queue = own): number {
  return request.count - own.found.length - (queue === own ? 0 : queue.found.length)
}

export interface SecondAsk extends AskedAgain {
  readonly allowedMs: number
}

/**
 * What to ask the model after its reply, if too few of its names can be registered under the first suffix and as much time
 * is left as the reply took. Where nothing was taken, other names would not help.
 */
export function secondAsk(run: Run, queue: Queue, tookMs: number, now: number): SecondAsk | undefined {
  const { deadlineMs, onlyAvailable } = run.request
  const missing = missingIn(run, queue, now)
  const allowedMs = Math.floor(run.endsAt - deadlineMs * (1 - MODEL_SHARE.stream) - now)
  if (!onlyAvailable || missing === 0 || allowedMs <= 0 || allowedMs < tookMs) return undefined
  const taken = takenOf(run)
  return taken.length === 0 ? undefined : { taken, missing, allowedMs }
}

/** Names of the model, as it wrote them, that are known not to be registrable under the first suffix. */
function takenOf(run: Run): string[] {
  const [first] = run.request.suffixes
  if (first === undefined) return []
  const isTaken = (label: Label) => {
    const { registrable, verdict } = entryOf(run, label, first)
    return !registrable && verdict.status !== 'available' && verdict.status !== 'unknown'
  }
  const labels = new Set<string>(
    [...run.checked].filter((label) => run.verdicts.has(domainOf(label, first))).filter(isTaken),
  )
  return run.written.flatMap(({ name }) => (labels.has(plainLabel(name)) ? [name] : [])).slice(0, MAX_TAKEN)
}

/** What to do for the queue after its last step is done. */
export function nextStep(run: Run, queue: Queue, now: number): Step {
  const { last } = queue
  queue.last =
    last?.todo === 'screen'
      ? chooseFrom(run, queue, last.names)
      : last?.todo === 'confirm'
        ? settle(run, queue, last.names)
        : beginRound(run, queue, now)
  return queue.last
}

function beginRound(run: Run, queue: Queue, now: number): Step {
  const missing = missingIn(run, queue, now)
  if (missing > 0 && (queue.pending.length > 0 || queue.waiting.some((name) => isWanted(run, queue, name)))) {
    // The caller is told of every candidate what became of it.
    const size = queue === run.own ? queue.pending.length : Math.ceil(missing * CHECKED_PER_NAME) + 2
    const names = queue.pending.slice(0, size)
    queue.pending = queue.pending.slice(size)
    for (const { label } of names) run.checked.add(label)
    return { todo: 'screen', names }
  }
  // Even if the time is over, the first names tell whether there are any.
  const wanted = missing > 0 || queue.last === undefined ? queue.asks.shift() : undefined
  return wanted === undefined ? { todo: 'stop' } : { todo: 'propose', wanted }
}

/** Registry and registrar lookups are scarce, and only cover names that the caller will see. */
function chooseFrom(run: Run, queue: Queue, screened: readonly Proposal[]): Step {
  const isOwn = queue === run.own
  const mayBeShown = (name: Proposal) => !run.request.onlyAvailable || mayBeFree(run, name, isOwn)
  const promising = [...queue.waiting, ...screened.filter(mayBeShown)]
  const wanted = promising.filter((name) => isWanted(run, queue, name))
  const shown = (isOwn ? wanted : preferred(run, wanted)).slice(0, roomIn(run, queue))
  queue.waiting = promising.filter((name) => !shown.includes(name))
  return requiresConfirmation(run) ? { todo: 'confirm', names: shown } : settle(run, queue, shown)
}

function isWanted(run: Run, queue: Queue, name: Proposal): boolean {
  const [first] = run.request.suffixes
  return !queue.isSelective || (first !== undefined && mayBeFree(run, { ...name, suffix: first }))
}

function settle(run: Run, queue: Queue, names: readonly Proposal[]): Step {
  const offered = names.map((name) => offerOf(run, queue, name))
  const isKept = ({ domains }: Suggestion) =>
    !run.request.onlyAvailable || domains.some(({ registrable }) => registrable)
  const kept = offered.filter(isKept)
  queue.found.push(...kept)
  // If no authoritative source has budget before the deadline, other names cannot be confirmed either.
  run.isHopeless = names.length > 0 && !names.some((name) => isAnswered(run, name)) && isShortUntil(run, run.endsAt)
  return { todo: 'show', kept, dropped: offered.filter((one) => !isKept(one)) }
}

function originOf({ request, written }: Run, { origin }: Queue, { label }: Proposal): Pick<Suggestion, 'origin'> {
  if (!request.candidates) return {}
  return { origin: origin === 'built_in' && written.some((one) => plainLabel(one.name) === label) ? 'model' : origin }
}

/** The names of the first queue, then those of the next that it does not have; `dropped` are beyond the count. */
export function merged({ request, own }: Run, queues: readonly Queue[]) {
  const all = queues.flatMap(({ found }) => found)
  const byLabel = Map.groupBy(all, ({ proposal }) => proposal.label)
  const chosen = [...byLabel.values()].flatMap((same) => same.slice(0, 1)).slice(0, request.count - own.found.length)
  const names = new Set(chosen.map(({ proposal }) => proposal.name))
  return { chosen, dropped: all.filter(({ proposal }) => !names.has(proposal.name)) }
}

const FREE: ReadonlySet<Status> = new Set(['available', 'premium'])

/** Of a candidate the authoritative sources are also asked if the cheap ones do not know. */
export function mayBeFree(run: Run, name: Proposal, isUnknownEnough = false): boolean {
  const statuses = domainsFor(run, name).map((domain) => run.verdicts.get(domain)?.status ?? 'unknown')
  return statuses.some((status) => FREE.has(status) || (isUnknownEnough && status === 'unknown'))
}

/** Names available under the caller's first suffix come first; otherwise the order stays. */
function preferred({ request, verdicts }: Run, names: readonly Proposal[]): Proposal[] {
  const [best] = request.suffixes
  const rank = ({ label }: Proposal) =>
    best && FREE.has(verdicts.get(domainOf(label, best))?.status ?? 'unknown') ? 0 : 1
  return names.toSorted((a, b) => rank(a) - rank(b))
}

function isAnswered(run: Run, name: Proposal): boolean {
  return domainsFor(run, name).some(
    (domain) => run.verdicts.get(domain)?.confidence === 'definitive' && !isClosedTo(run, domain),
  )
}

function isShortUntil({ shortages }: Run, time: number): boolean {
  return shortages.size > 0 && shortages.values().every((retryAt) => retryAt >= time)
}

/**
 * Strict mode shows nothing as available without an authoritative confirmation, and `full` requests that confirmation.
 */
export function requiresConfirmation({ availabilityMode, request }: Run): boolean {
  return availabilityMode === 'strict' || request.verify === 'full'
}

function eligibilityOf({ prices }: Pick<Run, 'prices'>, domain: Domain): Eligibility | undefined {
  return prices.eligibilityOf(behindLabel(domain) as Suffix)
}

/** Whether the country of the caller rules the domain out. */
export function isClosedTo(run: Run, domain: Domain): boolean {
  return isBarred(eligibilityOf(run, domain), run.request.country)
}

function areAllClosed({ prices, request }: Pick<Run, 'prices' | 'request'>): boolean {
  return request.suffixes.every((suffix) => isBarred(prices.eligibilityOf(suffix), request.country))
}

/** No suffix is left that the caller pays for and may register: no name can be offered. */
export function isOutOfReach(run: Pick<Run, 'prices' | 'request'>): boolean {
  const { suffixes, onlyAvailable, names } = run.request
  return suffixes.length === 0 || (onlyAvailable && areAllClosed(run) && !names.hackSuffixes?.length)
}

export function domainsFor(run: Run, name: Proposal): Domain[] {
  const labels = run.request.variants ? [name.label, ...variantsOf(run, name.label)] : [name.label]
  return suffixesFor(run, name).flatMap((suffix) => labels.map((label) => domainOf(label, suffix)))
}

/** A name that only its suffix completes (as in `instagr.am`) is offered under that suffix alone. */
function suffixesFor({ request }: Run, { suffix }: Proposal): readonly Suffix[] {
  return suffix === undefined ? request.suffixes : [suffix]
}

function variantsOf({ variants }: Run, label: Label): Label[] {
  // Letters around an encoded label would not be letters around what it says.
  if (label.startsWith('xn--')) return []
  return variants.map((pattern) => pattern.replace('{}', label) as Label).filter((one) => one.length <= 63)
}

export function offerOf(run: Run, queue: Queue, proposal: Proposal): Suggestion {
  const domains = suffixesFor(run, proposal).map((suffix) => {
    const exact = entryOf(run, proposal.label, suffix)
    if (exact.registrable || !run.request.variants || exact.verdict.status !== 'taken') return exact
    const others = variantsOf(run, proposal.label).map((label) => entryOf(run, label, suffix))
    return others.find(({ registrable }) => registrable) ?? exact
  })
  return { proposal, domains, ...originOf(run, queue, proposal) }
}

function entryOf({ verdicts, prices, request, availabilityMode }: Run, label: Label, suffix: Suffix): DomainOffer {
  const verdict = verdicts.get(domainOf(label, suffix))
  if (!verdict) throw new Error(`${label}.${suffix} was checked but has no result`)
  const quoted = prices.findDomainOffer(suffix, verdict, request.currency)
  const isWithin = quoted !== undefined && isAffordable(quoted, request.priceLimits)
  const registrable = isWithin && isRegistrable(verdict, availabilityMode, request.premium)
  const offer = quoted ?? prices.listOfferOf(suffix, request.currency)
  return { verdict, registrable, offer, eligibility: prices.eligibilityOf(suffix) }
}

/** What a stream may show before the confirmation has ended: a `likely` domain does not count as registrable yet. */
export function unconfirmed(run: Run, queue: Queue, name: Proposal): Suggestion {
  const { domains, ...suggestion } = offerOf(run, queue, name)
  const isKnown = ({ verdict }: DomainOffer) => verdict.confidence === 'definitive'
  return { ...suggestion, domains: domains.map((one) => ({ ...one, registrable: one.registrable && isKnown(one) })) }
}

// What is nearest to a suggestion says most: not that the .com is taken, but that the .io costs too much.
const NEAREST_FIRST: readonly RejectionReason[] = [
  'too_expensive',
  'premium',
  'unknown',
  'restricted',
  'reserved',
  'taken',
  'invalid',
]

/** Of each candidate that is not among the suggestions, why. */
export function rejectionsOf(run: Run, now: number): Rejection[] {
  const found = new Set(run.own.found.map(({ proposal }) => proposal.name))
  const unchecked = new Set([...run.own.pending, ...run.own.waiting].map(({ name }) => name))
  return (run.request.candidates?.names ?? []).flatMap((one): Rejection[] => {
    const { name } = one
    if ('reason' in one) return [one]
    if (found.has(name)) return []
    const judged = run.judged.get(name)
    if (typeof judged === 'string') return [{ name, reason: judged }]
    if (unchecked.has(name)) return [{ name, reason: run.isHopeless && now < run.endsAt ? 'unknown' : 'not_checked' }]
    return [{ name, reason: judged ? reasonFor(run, judged) : 'not_checked' }]
  })
}

// More would cost the budgets of registrars what nobody asked for.
const MAX_NEAREST = 10

/** Variants of the first taken candidates, under one suffix each: by name, what may be offered instead. */
export function variantsOfTaken(run: Run, rejections: readonly Rejection[]): Map<string, Proposal[]> {
  const taken = run.request.variants ? [] : rejections.filter(({ reason }) => reason === 'taken').slice(0, MAX_NEAREST)
  return new Map(
    taken.map(({ name }) => {
      const judged = run.judged.get(name)
      if (judged === undefined || typeof judged === 'string') return [name, []]
      const [suffix] = suffixesFor(run, judged)
      if (suffix === undefined) return [name, []]
      return [name, variantsOf(run, judged.label).map((label) => ({ ...judged, label, suffix }))]
    }),
  )
}

function reasonFor(run: Run, proposal: Proposal): RejectionReason {
  const reasons = new Set(offerOf(run, run.own, proposal).domains.map(({ verdict }) => reasonOf(run, verdict)))
  return NEAREST_FIRST.find((reason) => reasons.has(reason)) ?? 'unknown'
}

function reasonOf({ availabilityMode, request }: Run, verdict: Verdict): RejectionReason {
  const { status } = verdict
  if (isRegistrable(verdict, availabilityMode, request.premium)) return 'too_expensive'
  if (status === 'taken' || status === 'for_sale') return 'taken'
  return status === 'available' || status === 'unsupported' ? 'unknown' : status
}

/** No authoritative source has decided: a later check, or a better source, may find it available. */
function isUnsettled({ availabilityMode: mode }: Run, verdict: Verdict): boolean {
  return verdict.status === 'unknown' || (verdict.confidence === 'likely' && !isRegistrable(verdict, mode))
}

const LOST: ReadonlySet<SourceTrouble['state']> = new Set(['untrusted', 'unreachable'])

/** Why there are fewer names than requested. `troublesOf`: what is wrong with the sources of these suffixes. */
export function shortfallOf(
  run: Run,
  returned: number,
  now: number,
  troublesOf: (suffixes: ReadonlySet<string>) => readonly SourceTrouble[],
): Shortfall | undefined {
  const { count: wanted, suffixes, onlyAvailable } = run.request
  if (returned >= wanted) return undefined
  if (suffixes.length === 0) return { wanted, returned, reason: 'max_price' }
  if (onlyAvailable && areAllClosed(run)) return { wanted, returned, reason: 'restricted' }
  const unsettled = [...run.verdicts.values()].filter((verdict) => isUnsettled(run, verdict))
  const asked = new Set(unsettled.map(({ domain }) => behindLabel(domain)))
  const known = asked.size > 0 ? troublesOf(asked) : []
  // A source without budget that also has a worse problem is reported with that problem.
  const others =
    asked.size > 0 ? [...run.shortages.keys()].filter((name) => !known.some((one) => one.source === name)) : []
  const sources = [...known, ...others.map((source) => ({ source, state: 'rate_limited' as const }))]
  if (sources.length === 0) {
    const reason = now >= run.endsAt ? 'deadline' : asked.size > 0 ? 'availability_unknown' : 'no_more_names'
    return { wanted, returned, reason }
  }
  // More time does not help when a source cannot be used, nor does waiting for the budget of such a source.
  const isLost = (source: string) => known.some((one) => one.source === source && LOST.has(one.state))
  const retryAts = [...run.shortages].flatMap(([source, retryAt]) => (isLost(source) ? [] : [retryAt]))
  const retry = { retry_after: Math.max(1, Math.ceil((Math.min(...retryAts) - now) / 1000)) }
  return { wanted, returned, reason: 'availability_unknown', sources, ...(retryAts.length > 0 ? retry : {}) }
}
