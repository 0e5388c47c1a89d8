/**
 * POST /v1/generate: from a caller's words to names they can buy.
 *
 * The whole product is these two functions; read them top to bottom. Each step is a capability that knows nothing of
 * the others, so the order written here is the only order there is.
 *
 * Fails with quota_exceeded or no_names. A registry that does not answer is not a failure: its domains come back
 * `unknown` and count as not registrable, because calling a taken name free is the costlier mistake. Nor is a language
 * model that gives no names: the naming has its own.
 *
 * The record, the spent quota and whatever the door wants kept with them are one commit: all of it or none. While the
 * database is away that commit is kept on this node's disk and brought along later, once (`catch-up.ts`).
 */
import type { Audit } from './availability/audit.ts'
import { isRegistrable } from './availability/availability.ts'
import type { Availability, AvailabilityMode, CheckOptions } from './availability/availability.ts'
import { NotWritten } from './db/db.ts'
import type { Db, Statement } from './db/db.ts'
import { ApiError } from './errors.ts'
import type { History } from './history/history.ts'
import type { Journal } from './journal/journal.ts'
import type { LanguageModel } from './language-model/language-model.ts'
import type { Ask, DomainOffer, Shortfall, Suggestion } from './model/ask.ts'
import type { Caller } from './model/caller.ts'
import { domainOf } from './model/domain.ts'
import type { Domain, Label, Suffix } from './model/domain.ts'
import { makeId } from './model/id.ts'
import type { Candidate } from './model/name.ts'
import { isAffordable } from './model/offer.ts'
import type { Status, Verdict } from './model/verdict.ts'
import type { Names } from './names/names.ts'
import type { Prices } from './prices/prices.ts'
import type { Quota } from './quota/quota.ts'
import { step } from './tracing/trail.ts'

export interface GenerateContext {
  readonly db: Db
  readonly quota: Pick<Quota, 'reserve'>
  readonly audit: Pick<Audit, 'note'>
  readonly names: Pick<Names, 'propose'>
  /** Absent unless the operator has one. */
  readonly languageModel?: Pick<LanguageModel, 'propose'> | undefined
  readonly availability: Pick<Availability, 'check'>
  readonly availabilityMode: AvailabilityMode
  readonly prices: Prices
  readonly history: History
  /** Absent where a commit must not be put off. */
  readonly journal?: Pick<Journal, 'keep'> | undefined
  readonly variants: readonly string[]
  readonly now: () => number
}

export interface Generated {
  readonly suggestions: readonly Suggestion[]
  readonly shortfall: Shortfall | undefined
}

/** What the door makes of a result: the text that is answered and kept, and what is to be written with it. */
export interface Presented {
  readonly suggestions: string
  readonly alongside: readonly Statement[]
}

/**
 * Told of names while their domains are still being confirmed: each that is shown, again whenever more is known of it,
 * and each that falls out after all. Nothing counts as registrable here before somebody who can know has said so.
 */
export type Tell = (shown: readonly Suggestion[], withdrawn: readonly Suggestion[]) => void

/** Answers where the record is: in the database, or on this node's disk until that is back. */
export async function generate(
  ctx: GenerateContext,
  caller: Caller,
  ask: Ask,
  present: (result: Generated) => Presented,
  signal: AbortSignal,
  tell?: Tell,
): Promise<'recorded' | 'deferred'> {
  // Given back on any throw below; only keep() makes the spend final.
  await using lease = await step('quota.reserve', () => ctx.quota.reserve(caller, ask.count))
  const result = await suggest(ctx, ask, signal, tell)
  const { suggestions, alongside } = present(result)
  const spent = result.suggestions.length
  const record = { ...ask, description: ask.names.description, suggestions }
  const statements = [...ctx.history.recording(caller, record), ...alongside]
  const spending = lease.spending(spent)
  let where: 'recorded' | 'deferred' = 'recorded'
  try {
    await step('history.commit', () => ctx.db.as(caller.accountId, [...statements, spending])).catch(
      async (error: unknown) => {
        if (!(error instanceof NotWritten && ctx.journal)) throw error
        const id = makeId(ctx.now())
        // Of the caller only what paying needs: the rest has no business on a disk.
        const { accountId, keyId, quota } = caller
        const entry = { id, caller: { accountId, keyId, quota }, units: spent, statements, spending }
        await ctx.journal.keep(entry).catch((cause: unknown) => {
          throw new ApiError('unavailable', { cause })
        })
        where = 'deferred'
      },
    )
  } catch (error) {
    throw await lease.explain(error)
  }
  lease.keep(spent)
  const shown = result.suggestions.flatMap(({ domains }) => domains)
  for (const { registrable, verdict } of shown) if (registrable) ctx.audit.note(verdict)
  return where
}

// A few more names are checked at once than are wanted, because most rounds lose some to names that are taken under
// every suffix. Twice as many are proposed; only when those are used up are many more asked for.
const CHECKED_PER_NAME = 1.25
const PROPOSED_PER_NAME = [2, 12]
const PROPOSED_AT_LEAST = 40

/** Over-produces, keeps what can be registered, refills until there are enough or nothing is left to try. */
export async function suggest(ctx: GenerateContext, ask: Ask, signal: AbortSignal, tell?: Tell): Promise<Generated> {
  const endsAt = ctx.now() + ask.deadlineMs
  const missing = () => (ctx.now() < endsAt && ask.suffixes.length > 0 ? ask.count - suggestions.length : 0)
  const suggestions: Suggestion[] = []
  const verdicts = new Map<Domain, Verdict>()
  const tried = new Set<Label>()
  // Promising, but there were enough before them; when those are not confirmed it is their turn.
  let waiting: readonly Candidate[] = []

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
    }
    for (const [domain, verdict] of await ctx.availability.check(domains, options)) verdicts.set(domain, verdict)
    signal.throwIfAborted()
  }

  // Once, and before the first round: the naming judges what it is told together with its own.
  const told = missing() > 0 ? await ctx.languageModel?.propose(ask, signal) : undefined
  const wish = told === undefined ? ask.names : { ...ask.names, told }

  for (const perName of PROPOSED_PER_NAME) {
    const wanted = Math.max(PROPOSED_AT_LEAST, ask.count * perName)
    const proposed = await step('names.propose', () =>
      ctx.names.propose(wish, wanted, signal, endsAt - ctx.now()),
    ).catch((error: unknown) => {
      // Whoever has some names is told those, although others' came before the rest.
      if (error instanceof ApiError && error.code === 'overloaded' && tried.size > 0) return []
      throw error
    })
    if (proposed.length === 0 && tried.size === 0) throw new ApiError('no_names')
    const candidates = proposed.filter(({ label }) => !tried.has(label))
    for (let next = 0; missing() > 0 && (next < candidates.length || waiting.length > 0);) {
      const round = candidates.slice(next, (next += Math.ceil(missing() * CHECKED_PER_NAME) + 2))
      for (const { label } of round) tried.add(label)
      await check(round, 'screen')
      const promising = [...waiting, ...round.filter((candidate) => !ask.onlyAvailable || mayBeFree(candidate))]
      const shown = preferred(promising).slice(0, ask.count - suggestions.length)
      waiting = promising.filter((candidate) => !shown.includes(candidate))
      // Registries and registrars are scarce, and see only what a caller will see.
      if (isConfirmed(ctx, ask)) await check(shown, 'confirm', tell && tellingOf(shown, tell))
      const found = shown.map((candidate) => offer(ctx, ask, candidate, verdicts))
      const isKept = (one: Suggestion) => !ask.onlyAvailable || one.domains.some((entry) => entry.registrable)
      const kept = found.filter(isKept)
      suggestions.push(...kept)
      tell?.(kept, kept.length === found.length ? [] : found.filter((one) => !isKept(one)))
    }
    if (missing() === 0) break
  }
  const unsettled = verdicts.values().some((verdict) => isUnsettled(verdict, ctx.availabilityMode))
  return { suggestions, shortfall: shortfallOf(ask, suggestions.length, { late: ctx.now() >= endsAt, unsettled }) }

  /** Tells the names at once, and each again when there is a verdict on one of its domains. */
  function tellingOf(shown: readonly Candidate[], tellOf: Tell): (verdict: Verdict) => void {
    const sofar = (candidate: Candidate) => vouchedFor(offer(ctx, ask, candidate, verdicts))
    const ofDomain = new Map(shown.flatMap((one) => domainsFor(ctx, ask, one).map((domain) => [domain, one])))
    tellOf(shown.map(sofar), [])
    return (verdict) => {
      if (signal.aborted) return
      verdicts.set(verdict.domain, verdict)
      const candidate = ofDomain.get(verdict.domain)
      if (candidate) tellOf([sofar(candidate)], [])
    }
  }

  function mayBeFree(candidate: Candidate): boolean {
    return domainsFor(ctx, ask, candidate).some((domain) => FREE.has(verdicts.get(domain)?.status ?? 'unknown'))
  }

  /** Those free under the suffix the caller put first come first; otherwise the order of the names stands. */
  function preferred(list: readonly Candidate[]): Candidate[] {
    const [best] = ask.suffixes
    const rank = ({ label }: Candidate) =>
      best && FREE.has(verdicts.get(domainOf(label, best))?.status ?? 'unknown') ? 0 : 1
    return list.toSorted((a, b) => rank(a) - rank(b))
  }
}

const FREE: ReadonlySet<Status> = new Set(['available', 'premium'])

/** Without the word of who can know, strict mode shows nothing as available, and `full` was asked for that word. */
function isConfirmed(ctx: GenerateContext, ask: Ask): boolean {
  return ctx.availabilityMode === 'strict' || ask.verify === 'full'
}

function domainsFor(ctx: GenerateContext, ask: Ask, candidate: Candidate): Domain[] {
  const { label } = candidate
  const labels = ask.variants ? [label, ...variantsOf(ctx, label)] : [label]
  return suffixesFor(ask, candidate).flatMap((suffix) => labels.map((one) => domainOf(one, suffix)))
}

/** A word that its suffix completes stands under that one alone. */
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
    if (!verdict) throw new Error(`${label}.${suffix} was asked and not answered`)
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

/** Before a confirmation is over: what is only likely is not yet for sale, in whatever mode. */
function vouchedFor({ candidate, domains }: Suggestion): Suggestion {
  const isKnown = ({ verdict }: DomainOffer) => verdict.confidence === 'definitive'
  return { candidate, domains: domains.map((one) => ({ ...one, registrable: one.registrable && isKnown(one) })) }
}

function variantsOf(ctx: GenerateContext, label: Label): Label[] {
  return ctx.variants.map((pattern) => pattern.replace('{}', label) as Label).filter((one) => one.length <= 63)
}

/** Nobody who can know has spoken: asked again, or of a better source, it may turn out free. */
function isUnsettled(verdict: Verdict, mode: AvailabilityMode): boolean {
  return verdict.status === 'unknown' || (verdict.confidence === 'likely' && !isRegistrable(verdict, mode))
}

function shortfallOf(ask: Ask, returned: number, why: { late: boolean; unsettled: boolean }): Shortfall | undefined {
  if (returned >= ask.count) return undefined
  const reason =
    ask.suffixes.length === 0
      ? 'max_price'
      : why.late
        ? 'deadline'
        : why.unsettled
          ? 'availability_unknown'
          : 'no_more_names'
  return { wanted: ask.count, returned, reason }
}
