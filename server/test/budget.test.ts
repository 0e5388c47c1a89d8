/** A host's budget is one, however many processes ask. `BUDGET_SECONDS=30` for the long run. */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Cache, CacheDown, createBudgetHosts, type LookupBudget, openBudget, openCache } from './source.ts'
import type { Grant } from './budget-taker.ts'
import { openOwnRedis } from './nightly/faults/own-redis.ts'
import { onClock, REDIS_TIMEOUT_MS, REDIS_URL } from './redis.ts'

const SECONDS = Number(process.env.BUDGET_SECONDS ?? 4)
const RATE = 10

let cache: Cache
beforeAll(async () => {
  cache = await openCache({ urls: [REDIS_URL], timeoutMs: REDIS_TIMEOUT_MS })
})
afterAll(() => cache.close())

const noCache: Pick<Cache, 'run'> = { run: () => Promise.reject(new CacheDown()) }
const newHost = () => `${randomUUID()}.test`

function startTaker(url: string, host: string): { readonly child: ChildProcess; readonly grants: Promise<Grant[]> } {
  const script = new URL('budget-taker.ts', import.meta.url).pathname
  const args = [script, url, host, String(SECONDS), String(RATE), '3']
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  return { child, grants: text(child.stdout).then((output) => JSON.parse(output) as Grant[]) }
}

async function takeByThree(url: string, host: string): Promise<Grant[]> {
  const takers = Array.from({ length: 3 }, () => startTaker(url, host))
  const grants = await Promise.all(takers.map(({ grants: made }) => made))
  for (const made of grants) expect(made.length).toBeGreaterThan(0)
  return grants.flat().toSorted((a, b) => a.from - b.from)
}

/** The most that any stretch of time got beyond its rate, in tokens. */
function worstExcess(grants: readonly Grant[]): number {
  let worst = 0
  for (const [index, first] of grants.entries()) {
    let tokens = 0
    let to = 0
    for (const grant of grants.slice(index)) {
      tokens += grant.tokens
      to = Math.max(to, grant.to)
      worst = Math.max(worst, tokens - ((to - first.from) / 1000) * RATE)
    }
  }
  return worst
}

test(
  'three processes never take more than the rate and one burst, and not less either',
  { timeout: SECONDS * 1000 + 30_000 },
  async () => {
    const grants = await takeByThree(REDIS_URL, newHost())
    const total = grants.reduce((sum, { tokens }) => sum + tokens, 0)
    console.log(
      `${SECONDS} s at ${RATE}/s by three processes: ${total} tokens, at worst ${worstExcess(grants).toFixed(1)} above the rate`,
    )
    // The clocks are read in whole milliseconds.
    expect(worstExcess(grants)).toBeLessThanOrEqual(RATE + 0.1)
    expect(total).toBeGreaterThan(SECONDS * RATE * 0.8)
  },
)

test('when Redis goes, each process goes on with its share', { timeout: SECONDS * 1000 + 30_000 }, async () => {
  await using redis = await openOwnRedis()
  const taking = takeByThree(redis.url, 'registry.test')
  await wait((SECONDS * 1000) / 2)
  const goneAt = Date.now()
  await redis.kill()
  const grants = await taking
  const after = grants.filter(({ from }) => from > goneAt + 100)
  const total = after.reduce((sum, { tokens }) => sum + tokens, 0)
  // One burst, and a token of each process that Redis had given to nobody.
  expect(worstExcess(grants)).toBeLessThanOrEqual(RATE + 3)
  expect(total).toBeGreaterThan((SECONDS / 2 - 0.5) * RATE * 0.6)
})

test('after a complaint the rate is halved, once for all who were on their way', async () => {
  const [host, clock] = [newHost(), { at: 1_700_000_000_000 }]
  const options = { cache: onClock(cache, clock), now: () => clock.at, start: 10 }
  const [one, other] = [openBudget(options), openBudget(options)]
  expect(await one.take(host, 3)).toBe(3)
  await Promise.all([one.limited(host), one.limited(host), other.limited(host)])
  expect(one.rateOf(host)).toBe(5)
  // The burst is gone for everybody.
  expect(await other.take(host, 5)).toBe(0)
  expect(other.rateOf(host)).toBe(5)
  expect(other.waitOf(host)).toBeGreaterThan(0)
  clock.at += other.waitOf(host)
  expect(await other.take(host, 5)).toBe(1)
})

test('until the time a host has named nobody asks it', async () => {
  const [host, clock] = [newHost(), { at: 1_700_000_000_000 }]
  const options = { cache: onClock(cache, clock), now: () => clock.at, start: 10 }
  const [one, other] = [openBudget(options), openBudget(options)]
  await one.limited(host, 700)
  expect(await one.take(host, 1)).toBe(0)
  expect(await other.take(host, 1)).toBe(0)
  expect(other.waitOf(host)).toBeGreaterThan(500)
  clock.at += other.waitOf(host)
  expect(await other.take(host, 5)).toBe(1)
})

test('a Redis that forgets does not undo what a host has said', async () => {
  const host = newHost()
  const budget = openBudget({ cache, now: Date.now, start: 10 })
  await budget.limited(host, 60_000)
  await cache.run(`redis.call('DEL', KEYS[1]) return {}`, [`bu:1:{${host}}`], [])
  expect(await budget.take(host, 1)).toBe(0)
  expect(budget.rateOf(host)).toBe(5)
})

test('a rate that is used grows by a tenth a minute, and one that is not does not', async () => {
  const [busy, idle] = [newHost(), newHost()]
  const budget = openBudget({ cache, now: Date.now, start: 1 })
  for (const host of [busy, idle]) expect(await budget.take(host, 1)).toBe(1)
  const aMinuteAgo = (host: string, used: number) =>
    cache.run(
      `redis.call('HINCRBY', KEYS[1], 'since', -60000) redis.call('HSET', KEYS[1], 'used', ARGV[1]) return {}`,
      [`bu:1:{${host}}`],
      [used],
    )
  await Promise.all([aMinuteAgo(busy, 40), aMinuteAgo(idle, 2)])
  await Promise.all([budget.take(busy, 1), budget.take(idle, 1)])
  expect(budget.rateOf(busy)).toBeCloseTo(1.1)
  expect(budget.rateOf(idle)).toBe(1)
})

test('who can wait gets half of the rate, uses it, and never makes it grow', async () => {
  const [host, clock] = [newHost(), { at: 1_700_000_000_000 }]
  const background = openBudget({ cache: onClock(cache, clock), now: () => clock.at, start: 10, share: 0.5 })
  const perMinute: number[] = []
  for (let minute = 0; minute < 5; minute++) {
    let taken = 0
    for (let part = 0; part < 120; part++, clock.at += 500) taken += await background.take(host, 100)
    perMinute.push(taken)
  }
  // 5 a second, and in the first minute half of the burst of ten.
  for (const [minute, taken] of perMinute.entries()) {
    expect(taken).toBeGreaterThanOrEqual(299)
    expect(taken).toBeLessThanOrEqual(minute === 0 ? 305 : 301)
  }
  expect(background.rateOf(host)).toBe(5)
})

test('however much is taken by who can wait, who waits finds half of a burst, and the rest at the full rate', async () => {
  const [host, clock] = [newHost(), { at: 1_700_000_000_000 }]
  const options = { cache: onClock(cache, clock), now: () => clock.at, start: 10 }
  const [background, urgent] = [openBudget({ ...options, share: 0.5 }), openBudget(options)]
  while ((await background.take(host, 3)) > 0);
  expect(background.waitOf(host)).toBeGreaterThan(0)
  expect(await urgent.take(host, 100)).toBe(5)
  let taken = 0
  for (let part = 0; part < 100; part++, clock.at += 100) {
    taken += await urgent.take(host, 100)
    // As long as somebody who waits takes all there is, there is nothing for the others.
    expect(await background.take(host, 1)).toBe(0)
  }
  expect(taken).toBeGreaterThanOrEqual(98)
  expect(taken).toBeLessThanOrEqual(100)
})

test('a complaint about those who can wait halves the rate for all, and without Redis they take nothing', async () => {
  const [host, clock] = [newHost(), { at: 1_700_000_000_000 }]
  const options = { cache: onClock(cache, clock), now: () => clock.at, start: 10 }
  const [background, urgent] = [openBudget({ ...options, share: 0.5 }), openBudget(options)]
  await background.limited(host)
  await urgent.take(host, 1)
  expect(urgent.rateOf(host)).toBe(5)
  expect(background.rateOf(host)).toBe(2.5)
  const alone = openBudget({ cache: noCache, now: () => clock.at, start: 10, share: 0.5 })
  expect(await alone.take(host, 5)).toBe(0)
  expect(alone.waitOf(host)).toBeGreaterThan(0)
})

test('the rate never falls to nothing', async () => {
  let at = 1_000_000
  const budget = openBudget({ cache: noCache, now: () => at, start: 1 })
  for (let i = 0; i < 20; i++) {
    await budget.limited('registry.test')
    at += 3_000
  }
  expect(budget.rateOf('registry.test')).toBeCloseTo(1 / 60)
})

test('without Redis a process takes its share of the rate, and obeys the host all the same', async () => {
  let at = 1_000_000
  const budget = openBudget({ cache: noCache, now: () => at, start: 12, nodes: 3 })
  let taken = 0
  for (let i = 0; i < 100; i++) {
    taken += await budget.take('registry.test', 10)
    at += 100
  }
  // Ten seconds at a third of twelve, and a third of the burst.
  expect(taken).toBeGreaterThanOrEqual(40)
  expect(taken).toBeLessThanOrEqual(44)
  await budget.limited('registry.test', 5_000)
  expect(budget.rateOf('registry.test')).toBe(6)
  at += 4_999
  expect(await budget.take('registry.test', 10)).toBe(0)
  at += 2
  expect(await budget.take('registry.test', 10)).toBe(1)
})

test('without Redis a rate that is used grows, and comes back after a complaint', async () => {
  let at = 1_000_000
  const budget = openBudget({ cache: noCache, now: () => at, start: 2 })
  const takeFor = async (minutes: number, each: number) => {
    for (let second = 0; second < minutes * 60; second++, at += 1_000) await budget.take('registry.test', each)
  }
  await takeFor(5, 10)
  const grown = budget.rateOf('registry.test')
  expect(grown).toBeGreaterThanOrEqual(2 * 1.1 ** 4)
  expect(grown).toBeLessThanOrEqual(2 * 1.1 ** 5)
  await takeFor(5, 0)
  expect(budget.rateOf('registry.test')).toBe(grown)
  await budget.limited('registry.test')
  await takeFor(9, 10)
  expect(budget.rateOf('registry.test')).toBeGreaterThan(grown / 2)
  await takeFor(60, 30)
  expect(budget.rateOf('registry.test')).toBe(20)
})

test('a node without Redis keeps half of the rate for who waits, and half of a burst', async () => {
  const clock = { at: 1_000_000 }
  const options = { cache: noCache, now: () => clock.at, start: 10, isAlone: true, hosts: createBudgetHosts() }
  const [background, urgent] = [openBudget({ ...options, share: 0.5 }), openBudget(options)]
  let taken = 0
  for (let part = 0; part < 100; part++, clock.at += 100) taken += await background.take('registry.test', 100)
  // Ten seconds at half of the rate, and half of the burst.
  expect(taken).toBeGreaterThanOrEqual(49)
  expect(taken).toBeLessThanOrEqual(55)
  while ((await background.take('registry.test', 3)) > 0);
  expect(background.waitOf('registry.test')).toBeGreaterThan(0)
  expect(await urgent.take('registry.test', 100)).toBeGreaterThanOrEqual(5)
  expect(await background.take('registry.test', 1)).toBe(0)
  clock.at += 10_000
  await background.limited('registry.test', 5_000)
  expect(urgent.rateOf('registry.test')).toBe(5)
  expect(await urgent.take('registry.test', 1)).toBe(0)
  expect(urgent.waitOf('registry.test')).toBe(5_000)
})

test('however many hosts there are, the memory of them is bounded', async () => {
  const budget = openBudget({ cache: noCache, now: () => 1, start: 1 })
  for (let i = 0; i < 10_000; i++) await budget.limited(`host-${i}.test`)
  expect(budget.rateOf('host-9999.test')).toBe(0.5)
  expect(budget.rateOf('host-1.test')).toBe(1)
})

test('a published interval is kept by all nodes together, and half of it is for who can wait', async () => {
  const [host, clock] = [newHost(), { at: 1_700_000_000_000 }]
  const options = { cache: onClock(cache, clock), now: () => clock.at, intervals: new Map([[host, 10_000]]) }
  const nodes = [openBudget(options), openBudget(options), openBudget(options)]
  const takenIn = async (budgets: readonly LookupBudget[], minutes: number) => {
    let taken = 0
    for (let second = 0; second < minutes * 60; second++, clock.at += 1_000)
      for (const budget of budgets) taken += await budget.take(host, 5)
    return taken
  }
  // It never grows, however long it is used.
  expect(await takenIn(nodes, 10)).toBe(60)
  clock.at += 60_000
  const background = openBudget({ ...options, share: 0.5 })
  const taken = await takenIn([background], 10)
  expect(taken).toBeGreaterThanOrEqual(29)
  expect(taken).toBeLessThanOrEqual(31)
  await nodes[0]!.limited(host, 30_000)
  expect(await takenIn(nodes, 0.5)).toBe(0)
  const alone = openBudget({ ...options, cache: noCache, nodes: 3 })
  expect([await alone.take(host, 5), await alone.take(host, 5)]).toEqual([1, 0])
  clock.at += 29_000
  expect(await alone.take(host, 5)).toBe(0)
  clock.at += 1_000
  expect(await alone.take(host, 5)).toBe(1)
})
