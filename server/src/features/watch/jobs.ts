/**
 * The job of every minute: checks watched domains, as many as are due and the registries' budgets allow, notifies the
 * accounts that watch them, and sends the emails about changes.
 *
 * One tick: the suffixes with due domains form a queue. For one suffix after the other some domains are claimed,
 * checked, notified and settled; a suffix with more due domains returns to the end of the queue. So a suffix with a
 * hundred thousand domains takes turns with one that has three. A suffix without remaining budget leaves the queue: its
 * other domains stay due, oldest first, until the next tick.
 *
 * The budget is not decided here: `background` uses only a share of every host's budget, so that interactive requests
 * always find some. Domains that DNS alone can decide cost registries nothing and do not wait for registry lookups.
 *
 * Any number of these may run at once, and any of them may die: see the invariant in `features/watch/watch.ts`.
 */
import {
  isNamedRegistrable,
  type Availability,
  type AvailabilityMode,
} from '../../engines/availability/availability.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Db } from '../../platform/db/db.ts'
import type { AccountId } from '../../model/caller.ts'
import type { Domain } from '../../model/domain.ts'
import { formatPrice } from '../../model/money.ts'
import type { Verdict } from '../../model/verdict.ts'
import type { Prices } from '../../engines/prices/prices.ts'
import type { Handler } from '../../platform/jobs/jobs.ts'
import type { Logger } from '../../platform/log.ts'
import { sendChangeEmails, type ChangeEmailContext } from './change-emails.ts'
import { LIST } from './facts.ts'
import { learn, type Learned, type Observation } from './learn.ts'
import { needsExpiryDate } from './schedule.ts'
import { PAGE_OF_LISTENERS, type ChangeListener, type FavoriteWatch, type WatchClaim } from './watch.ts'

export interface WatchContext {
  readonly db: Db
  readonly watch: FavoriteWatch
  readonly availability: Availability
  readonly availabilityMode: AvailabilityMode
  readonly prices: Prices
  readonly config: { readonly registrars: Pick<Config['registrars'], 'order'> }
  readonly now: () => number
}

export interface WatchTally {
  /** Domains with a result. */
  checked: number
  /** Domains whose availability, price or status changed. */
  changed: number
  /** Domains without a result; they are checked again later. */
  unknown: number
  /** Changed favorites: one event each. */
  notified: number
}

// The next tick starts a minute after this one began.
const TICK_MS = 50_000
// A check mostly waits for registries, so this many cost next to nothing.
const SUFFIXES_AT_ONCE = 32
// Covers the wait for a lookup's turn, its two responses and a registrar's response before it.
const DEADLINE_MS = 20_000
// A domain that thousands watch must not use all connections.
const ACCOUNTS_AT_ONCE = 4

interface WatchJobContext extends WatchContext, ChangeEmailContext {
  readonly log: Pick<Logger, 'info' | 'warn'>
}

export function watch(ctx: WatchJobContext): Handler {
  return async ({ signal }) => {
    const [checking] = await Promise.allSettled([watchFavorites(ctx, signal)])
    signal.throwIfAborted()
    // Emails about earlier changes are due even if nothing can be checked now.
    const [sending] = await Promise.allSettled([sendChangeEmails(ctx, signal)])
    if (checking.status === 'rejected') {
      // A job fails with one error.
      if (sending.status === 'rejected') ctx.log.warn({ err: sending.reason as unknown }, 'emails about changes failed')
      throw checking.reason
    }
    if (checking.value.notified > 0) ctx.log.info(checking.value, 'watched domains changed')
    if (sending.status === 'rejected') throw sending.reason
  }
}

export async function watchFavorites(ctx: WatchContext, signal: AbortSignal): Promise<WatchTally> {
  const tally: WatchTally = { checked: 0, changed: 0, unknown: 0, notified: 0 }
  const endsAt = ctx.now() + TICK_MS
  const line = [...(await ctx.watch.listDue())]
  const work = async () => {
    for (let suffix = line.shift(); suffix !== undefined; suffix = line.shift()) {
      if (signal.aborted || ctx.now() >= endsAt) return
      if (await checkSome(ctx, suffix, tally, signal)) line.push(suffix)
    }
  }
  // All of them end before this does, even when one fails: their domains are settled or wait for the lease to expire.
  const ends = await Promise.allSettled(Array.from({ length: Math.min(line.length, SUFFIXES_AT_ONCE) }, work))
  for (const end of ends) if (end.status === 'rejected') throw end.reason
  return tally
}

/** Returns whether to continue with this suffix. */
async function checkSome(ctx: WatchContext, suffix: string, tally: WatchTally, signal: AbortSignal): Promise<boolean> {
  const claim = await ctx.watch.claim(suffix)
  if (claim.domains.length === 0) return claim.paused > 0
  const now = ctx.now()
  const verdicts = await ctx.availability.check(
    claim.domains.map(({ domain }) => domain),
    {
      deadlineMs: DEADLINE_MS,
      depth: 'confirm',
      fresh: true,
      background: true,
      expiryDatesFor: new Set(claim.domains.flatMap((facts) => (needsExpiryDate(facts, now) ? [facts.domain] : []))),
      signal,
    },
  )
  const hasSellers = ctx.config.registrars.order.length > 0
  const learned = claim.domains.map((facts) => {
    // After an abort no source can respond, and that is not a result.
    const observation: Observation = signal.aborted
      ? { kind: 'unasked' }
      : observationOf(ctx, facts.domain, verdicts.get(facts.domain))
    return learn(facts, observation, { now: ctx.now(), hasSellers })
  })
  tally.notified += await notify(ctx, claim, learned)
  await ctx.watch.settle(claim, learned)
  tally.checked += learned.filter(({ changes }) => changes !== 'none').length
  tally.changed += learned.filter(({ changes }) => changes === 'changed').length
  tally.unknown += learned.filter(({ changes, nextAt }) => changes === 'none' && nextAt !== undefined).length
  return learned.some(({ nextAt }) => nextAt !== undefined)
}

/**
 * The observation that a verdict justifies. A likely "available", when the operator does not count likely domains, is
 * not "taken": it is unknown.
 */
function observationOf(ctx: WatchContext, domain: Domain, verdict: Verdict | undefined): Observation {
  const suffix = ctx.prices.suffixOf(domain)
  // A suffix that is no longer offered has no price.
  if (!verdict || !suffix) return { kind: 'unknown' }
  if (verdict.unasked) return { kind: 'unasked' }
  const available = isNamedRegistrable(verdict, ctx.availabilityMode)
  if (verdict.status === 'unknown' || (verdict.status === 'available' && !available)) return { kind: 'unknown' }
  const offer = ctx.prices.findDomainOffer(suffix, verdict) ?? ctx.prices.listOfferOf(suffix)
  // The source's own amount, not what follows from it: only the source can change it.
  const { minor, currency } = (offer.isQuote ? verdict.price?.registration : undefined) ?? offer.registration
  return {
    kind: 'seen',
    at: verdict.checkedAt,
    available,
    status: verdict.status,
    isLikely: verdict.confidence === 'likely',
    sources: verdict.sources,
    price: formatPrice(offer.due),
    pricedBy: offer.isQuote ? offer.source : LIST,
    asked: `${minor} ${currency}`,
    registeredUntil: verdict.registeredUntil,
  }
}

/** Walks the watching accounts page by page, each account in its own transaction. Returns the number of changes. */
async function notify(ctx: WatchContext, claim: WatchClaim, learned: readonly Learned[]): Promise<number> {
  const byDomain = new Map(learned.map((one) => [one.facts.domain, one]))
  let changes = 0
  let page: readonly ChangeListener[] = []
  do {
    page = await ctx.watch.listListeners(learned, page.at(-1))
    const accounts = [...groupByAccount(page)]
    const work = async () => {
      for (let next = accounts.shift(); next; next = accounts.shift()) {
        const [account, domains] = next
        const observations = domains.flatMap((domain) => byDomain.get(domain) ?? [])
        const [, notified] = await ctx.db.as(account, ctx.watch.notifying(account, claim, observations))
        changes += notified.count
      }
    }
    await Promise.all(Array.from({ length: ACCOUNTS_AT_ONCE }, work))
    if (page.length === PAGE_OF_LISTENERS) await ctx.watch.renew(claim)
  } while (page.length === PAGE_OF_LISTENERS)
  return changes
}

function groupByAccount(page: readonly ChangeListener[]): Map<AccountId, Domain[]> {
  const groups = new Map<AccountId, Domain[]>()
  for (const { account, domain } of page) {
    const domains = groups.get(account)
    if (domains) domains.push(domain)
    else groups.set(account, [domain])
  }
  return groups
}
