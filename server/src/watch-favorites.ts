/**
 * Looks at watched domains again, as many as are due and registries have room for, and tells those who watch them.
 *
 * One tick: the suffixes that have something due stand in a line. One after the other some of its domains are claimed,
 * looked at, told and settled, and a suffix that has more due stands at the end again. So a suffix with a hundred
 * thousand takes turns with one that has three. A suffix for which nothing could be asked any more drops out: the rest
 * of it stays due, oldest first, until the next tick.
 *
 * How much may be asked is not decided here: `polite` takes from a share of every host's budget, so that people who
 * wait always find room. What DNS can answer alone costs registries nothing, and does not wait for what they must.
 *
 * Any number of these may run at once, and any of them may die: see the invariant in `watch/watch.ts`.
 */
import { isRegistrable } from './availability/availability.ts'
import type { Availability, AvailabilityMode } from './availability/availability.ts'
import type { Config } from './config/config.ts'
import type { Db } from './db/db.ts'
import type { AccountId } from './model/caller.ts'
import type { Domain } from './model/domain.ts'
import { formatPrice } from './model/money.ts'
import type { Verdict } from './model/verdict.ts'
import type { Prices } from './prices/prices.ts'
import { LIST } from './watch/facts.ts'
import { learn } from './watch/learn.ts'
import type { Learned, Look } from './watch/learn.ts'
import { wantsEnd } from './watch/schedule.ts'
import { PAGE_OF_LISTENERS } from './watch/watch.ts'
import type { Claim, Listener, Watch } from './watch/watch.ts'

export interface WatchContext {
  readonly db: Db
  readonly watch: Watch
  readonly availability: Availability
  readonly availabilityMode: AvailabilityMode
  readonly prices: Prices
  readonly config: { readonly registrars: Pick<Config['registrars'], 'order'> }
  readonly now: () => number
}

export interface Tally {
  /** Domains that somebody could speak for. */
  checked: number
  /** Domains that are otherwise than before. */
  changed: number
  /** Domains nobody could speak for; they are asked again later. */
  unknown: number
  /** Changes of favorites: as many events. */
  told: number
}

// The next tick comes a minute after this one began.
const TICK_MS = 50_000
// A look mostly waits for registries: these many cost next to nothing.
const SUFFIXES_AT_ONCE = 32
// For a question's turn, its two answers and a registrar before it.
const DEADLINE_MS = 20_000
// A domain that thousands watch must not take all connections.
const ACCOUNTS_AT_ONCE = 4

export async function watchFavorites(ctx: WatchContext, signal: AbortSignal): Promise<Tally> {
  const tally: Tally = { checked: 0, changed: 0, unknown: 0, told: 0 }
  const endsAt = ctx.now() + TICK_MS
  const line = [...(await ctx.watch.listDue())]
  const work = async () => {
    for (let suffix = line.shift(); suffix !== undefined; suffix = line.shift()) {
      if (signal.aborted || ctx.now() >= endsAt) return
      if (await lookAtSome(ctx, suffix, tally, signal)) line.push(suffix)
    }
  }
  // All of them end before this does, also when one fails: what they hold is settled or left to its lease.
  const ends = await Promise.allSettled(Array.from({ length: Math.min(line.length, SUFFIXES_AT_ONCE) }, work))
  for (const end of ends) if (end.status === 'rejected') throw end.reason
  return tally
}

/** Whether it is worth going on with this suffix. */
async function lookAtSome(ctx: WatchContext, suffix: string, tally: Tally, signal: AbortSignal): Promise<boolean> {
  const claim = await ctx.watch.claim(suffix)
  if (claim.domains.length === 0) return false
  const now = ctx.now()
  const verdicts = await ctx.availability.check(
    claim.domains.map(({ domain }) => domain),
    {
      deadlineMs: DEADLINE_MS,
      depth: 'confirm',
      fresh: true,
      polite: true,
      endsOf: new Set(claim.domains.flatMap((facts) => (wantsEnd(facts, now) ? [facts.domain] : []))),
      signal,
    },
  )
  const hasSellers = ctx.config.registrars.order.length > 0
  const learned = claim.domains.map((facts) => {
    // Told to stop, nobody could answer any more, and that says nothing.
    const look: Look = signal.aborted ? { kind: 'unasked' } : lookOf(ctx, facts.domain, verdicts.get(facts.domain))
    return learn(facts, look, { now: ctx.now(), hasSellers })
  })
  tally.told += await tell(ctx, claim, learned)
  await ctx.watch.settle(claim, learned)
  tally.checked += learned.filter(({ news }) => news !== 'none').length
  tally.changed += learned.filter(({ news }) => news === 'changed').length
  tally.unknown += learned.filter(({ news, nextAt }) => news === 'none' && nextAt !== undefined).length
  return learned.some(({ nextAt }) => nextAt !== undefined)
}

/**
 * What a verdict is worth to somebody who is told of changes. "Available" that is only likely, where the operator does
 * not count that, is not "taken": it is not known.
 */
function lookOf(ctx: WatchContext, domain: Domain, verdict: Verdict | undefined): Look {
  const suffix = ctx.prices.suffixOf(domain)
  // A suffix that is no longer on offer has no price.
  if (!verdict || !suffix) return { kind: 'unknown' }
  if (verdict.unasked) return { kind: 'unasked' }
  const available = isRegistrable(verdict, ctx.availabilityMode)
  if (verdict.status === 'unknown' || (verdict.status === 'available' && !available)) return { kind: 'unknown' }
  const offer = ctx.prices.offerFor(suffix, verdict) ?? ctx.prices.offerOf(suffix)
  const { minor, currency } = (offer.isQuote ? verdict.price?.registration : undefined) ?? offer.registration
  return {
    kind: 'seen',
    at: verdict.checkedAt,
    available,
    isLikely: verdict.confidence === 'likely',
    sources: verdict.sources,
    price: formatPrice(offer.registration),
    pricedBy: offer.isQuote ? offer.source : LIST,
    asked: `${minor} ${currency}`,
    registeredUntil: verdict.registeredUntil,
  }
}

/** Page by page through those who watch, each account in a transaction of its own. Answers how many changes there were. */
async function tell(ctx: WatchContext, claim: Claim, learned: readonly Learned[]): Promise<number> {
  const byDomain = new Map(learned.map((one) => [one.facts.domain, one]))
  let changes = 0
  let page: readonly Listener[] = []
  do {
    page = await ctx.watch.listListeners(learned, page.at(-1))
    const accounts = [...groupByAccount(page)]
    const work = async () => {
      for (let next = accounts.shift(); next; next = accounts.shift()) {
        const [account, domains] = next
        const looks = domains.flatMap((domain) => byDomain.get(domain) ?? [])
        const [, told] = await ctx.db.as(account, ctx.watch.telling(account, claim, looks))
        changes += told.count
      }
    }
    await Promise.all(Array.from({ length: ACCOUNTS_AT_ONCE }, work))
    if (page.length === PAGE_OF_LISTENERS) await ctx.watch.renew(claim)
  } while (page.length === PAGE_OF_LISTENERS)
  return changes
}

function groupByAccount(page: readonly Listener[]): Map<AccountId, Domain[]> {
  const groups = new Map<AccountId, Domain[]>()
  for (const { account, domain } of page) {
    const domains = groups.get(account)
    if (domains) domains.push(domain)
    else groups.set(account, [domain])
  }
  return groups
}
