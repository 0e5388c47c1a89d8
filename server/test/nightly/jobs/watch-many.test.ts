/**
 * Many watched favorites at twenty registries, on a simulated clock: the real flow, table and budgets (in Redis, with
 * the test's time in place of Redis's own), and registries that count who asks them when.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp } from '../../start-app.ts'
import type { World } from '../../world.ts'
import { REDIS_TIMEOUT_MS, REDIS_URL } from '../../redis.ts'
import {
  type Cache,
  type Domain,
  type Evidence,
  type EvidenceSource,
  favorites,
  type LookupBudget,
  openAvailability,
  openBudget,
  openCache,
  openPrices,
  openWatch,
  watchFavorites,
} from '../../source.ts'

const FAVORITES = 100_000
const REGISTRIES = 20
// Of ten names three are in the first suffix, and two of a hundred are not delegated: for those the registry is asked.
const placeOf = (n: number) => (n % 10 < 3 ? 0 : n % REGISTRIES)
const isDelegated = (n: number) => Math.floor(n / REGISTRIES) % 50 !== 0
const MINUTE_MS = 60_000
// What an untried host allows (`budget.ts`), the burst, and what watching may take of both.
const RATE_PER_MINUTE = 60
const BURST = 5
const SHARE = 0.5
// Somebody who waits asks each registry now and then; few enough that the rate does not grow.
const INTERACTIVE_PER_MINUTE = 5

let world: World
let cache: Cache
beforeAll(async () => {
  world = await startApp({ own: true })
  cache = await openCache({ urls: [REDIS_URL], timeoutMs: REDIS_TIMEOUT_MS })
})
afterAll(async () => {
  await cache.close()
  await world[Symbol.asyncDispose]()
})

const numberOf = (domain: string) => Number(/\d+/.exec(domain)?.[0])
const suffixOf = (domain: string) => domain.slice(domain.indexOf('.') + 1)

test(
  'budgets hold, who waits finds room, every name has its turn, and none waits for those behind it',
  { timeout: 240_000 },
  async () => {
    const clock = { at: Date.now() }
    const now = () => clock.at
    const simulated: Pick<Cache, 'run'> = {
      run: (script, keys, args) =>
        cache.run(script.replace("redis.call('TIME')", '{ARGV[#ARGV - 1], ARGV[#ARGV]}'), keys, [
          ...args,
          Math.floor(clock.at / 1000),
          (clock.at % 1000) * 1000,
        ]),
    }
    const prices = await openPrices({ now })
    const suffixes = prices
      .list()
      .map(({ suffix }) => suffix)
      .slice(0, REGISTRIES)
    const run = randomUUID()
    const hostOf = (suffix: string) => `${run}.${suffix}`
    const background = openBudget({ cache: simulated, now, share: SHARE })
    const interactive = openBudget({ cache: simulated, now })
    /** By suffix: which names the registry was asked for, in order, and who took how many tokens when. */
    const asked = new Map<string, number[]>(suffixes.map((suffix) => [suffix, []]))
    const grants = new Map<string, Grant[]>(suffixes.map((suffix) => [suffix, []]))

    const account = await world.makeAccount()
    await save()
    const ctx = {
      db: world.db,
      now,
      prices,
      availabilityMode: 'strict' as const,
      config: { registrars: { order: [] } },
      watch: openWatch({ db: world.db, now }),
      availability: openAvailability({
        cache: { getMany: async (keys) => keys.map(() => null), setMany: async () => {} },
        local: [],
        screen: [zone(now)],
        confirm: [],
        background: [registries(background)],
        doubtsOf: () => ({ premiumProne: false, rdapLies: false }),
        now,
      }),
    }

    const startedAt = performance.now()
    let ticks = 0
    let firstTickSeconds = 0
    const waiting = () => countOf('checked_at IS NULL')
    do {
      ticks++
      clock.at += MINUTE_MS
      for (const suffix of suffixes) {
        expect(await interactive.take(hostOf(suffix), INTERACTIVE_PER_MINUTE)).toBe(INTERACTIVE_PER_MINUTE)
        grants.get(suffix)?.push({ at: clock.at, tokens: INTERACTIVE_PER_MINUTE, isPolite: false })
      }
      // A check takes no time on this clock: the minute's tokens are taken at a few moments of it.
      for (let part = 0; part < 4; part++) {
        await watchFavorites(ctx, new AbortController().signal)
        if (ticks === 1 && part === 0) {
          firstTickSeconds = (performance.now() - startedAt) / 1000
          // A DNS result does not wait for any registry.
          const { rows } = await world.owner.query<{ domain: string }>(
            'SELECT domain FROM watched_domain WHERE checked_at IS NULL',
          )
          expect(rows.filter(({ domain }) => isDelegated(numberOf(domain)))).toEqual([])
        }
        clock.at += MINUTE_MS / 4
      }
      clock.at -= MINUTE_MS
    } while (ticks < 2_000 && (ticks % 20 !== 0 || (await waiting()) > 0))
    const seconds = (performance.now() - startedAt) / 1000

    expect(await waiting()).toBe(0)
    let worst = 0
    for (const suffix of suffixes) {
      const all = grants.get(suffix) ?? []
      const watching = all.filter((grant) => grant.isPolite)
      worst = Math.max(worst, excessOf(watching, RATE_PER_MINUTE * SHARE) / (BURST * SHARE))
      expect(excessOf(watching, RATE_PER_MINUTE * SHARE), suffix).toBeLessThanOrEqual(BURST * SHARE)
      expect(excessOf(all, RATE_PER_MINUTE), suffix).toBeLessThanOrEqual(BURST)
      expect(background.rateOf(hostOf(suffix))).toBe((RATE_PER_MINUTE / 60) * SHARE)
      // Oldest first, but for the few that came along in the batch that used up the first burst.
      const order = asked.get(suffix) ?? []
      const late = order.filter((n, place) => place > 0 && n < (order[place - 1] ?? 0)).length
      expect(late, `${suffix}: ${late} of ${order.length} out of turn`).toBeLessThan(10)
    }
    const needed = Array.from({ length: FAVORITES }, (_, n) => n).filter(
      (n) => !isDelegated(n) && placeOf(n) === 0,
    ).length
    // The largest registry sets the pace. On this clock a minute has four moments; at the first of them somebody who waits
    // takes the burst, at each of the others half of it is there for watching.
    expect(ticks).toBeLessThan((needed / (3 * Math.floor(BURST * SHARE))) * 1.1 + 20)
    const endsAt = performance.now()
    await world.db.as(account, favorites.data.forget(account))
    const forgetSeconds = (performance.now() - endsAt) / 1000
    expect(await countOf('true')).toBe(0)
    console.log(
      `${FAVORITES} watched: what DNS tells in ${firstTickSeconds.toFixed(1)} s, ${needed} questions to the largest registry in ` +
        `${ticks} simulated minutes (${seconds.toFixed(0)} s); watching at most ${(worst * 100).toFixed(0)} % of its burst above its rate; forgotten in ${forgetSeconds.toFixed(1)} s`,
    )

    async function save(): Promise<void> {
      const seen = JSON.stringify({
        available: false,
        price: '$1.00',
        checked_at: new Date(clock.at - 1_000).toISOString(),
      })
      const domains = Array.from({ length: FAVORITES }, (_, n) => `watched-${n}.${suffixes[placeOf(n)]}`)
      await world.owner.query(
        `INSERT INTO favorite (account_id, id, key_id, domain, name, watch, created_at, saved, current)
       SELECT $1, gen_random_uuid(), $1, domain, domain, true, now(), $3, $3 FROM unnest($2::text[]) AS d (domain)`,
        [account, domains, seen],
      )
      // In the order of their numbers, all of them due.
      await world.owner.query(
        `UPDATE watched_domain SET next_at = $1::timestamptz + substring(domain FROM '\\d+')::integer * interval '1 millisecond'`,
        [new Date(clock.at - FAVORITES)],
      )
      await world.owner.query('ANALYZE watched_domain, watcher, favorite')
    }

    async function countOf(condition: string): Promise<number> {
      const text = `SELECT count(*)::int AS count FROM watched_domain WHERE ${condition}`
      return (await world.owner.query<{ count: number }>(text)).rows[0]?.count ?? 0
    }

    function registries(budget: LookupBudget): EvidenceSource {
      return {
        name: 'rdap',
        reportsExpiryDates: true,
        async ask(domains) {
          const said = new Map<Domain, Evidence>()
          const bySuffix = Map.groupBy(domains, suffixOf)
          for (const [suffix, names] of bySuffix) {
            const granted = await budget.take(hostOf(suffix), names.length)
            grants.get(suffix)?.push({ at: clock.at, tokens: granted, isPolite: true })
            for (const [place, domain] of names.entries()) {
              const evidence = { domain, source: 'rdap', at: now(), ttlMs: MINUTE_MS }
              const isAsked = place < granted
              if (isAsked && !isDelegated(numberOf(domain))) asked.get(suffix)?.push(numberOf(domain))
              const says = isDelegated(numberOf(domain)) ? 'registered' : 'absent'
              said.set(domain, isAsked ? { ...evidence, says } : { ...evidence, says: 'unknown', unasked: true })
            }
          }
          return said
        },
      }
    }
  },
)

function zone(now: () => number): EvidenceSource {
  return {
    name: 'dns',
    ask: async (domains) =>
      new Map(
        domains.map((domain) => {
          const says = isDelegated(numberOf(domain)) ? ('registered' as const) : ('absent' as const)
          return [domain, { domain, source: 'dns', says, at: now(), ttlMs: MINUTE_MS }]
        }),
      ),
  }
}

interface Grant {
  readonly at: number
  readonly tokens: number
  readonly isPolite: boolean
}

/** The most that any stretch of time, up to a hundred grants long, got beyond its rate. */
function excessOf(grants: readonly Grant[], perMinute: number): number {
  let worst = 0
  for (const [from, first] of grants.entries()) {
    let tokens = 0
    for (const grant of grants.slice(from, from + 100)) {
      tokens += grant.tokens
      worst = Math.max(worst, tokens - ((grant.at - first.at) / MINUTE_MS) * perMinute)
    }
  }
  return worst
}
