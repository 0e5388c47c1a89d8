/**
 * Whoever sends descriptions that are costly to name pays for the CPU time, and nobody else does.
 *
 * The domains are answered at once, so that what is measured is this service. Every bound is a ratio within one run.
 */
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { answerTo, openFakeResolver } from '../internet/fake-resolver.ts'
import { PUBLISHABLE_SCOPES } from '../../src/model/caller.ts'
import type { FakeResolver } from '../internet/fake-resolver.ts'
import { spentBy } from '../readings.ts'
import { emptyRedis } from '../redis.ts'
import { startApp } from '../start-app.ts'
import type { Node, World } from '../world.ts'

let resolver: FakeResolver
let isSilent = false
let world: World
let node: Node
beforeAll(async () => {
  resolver = await openFakeResolver((query) => (isSilent ? [] : [answerTo(query, 'nxdomain')]))
  world = await startApp({
    own: true,
    settings: { ...(await emptyRedis()), NAMEWRIGHT_DNS_RESOLVERS: resolver.address },
  })
  node = await world.startNode({ NAMEWRIGHT_OVERLOAD: 'adaptive' })
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await resolver.close()
})

const ORDINARY = [
  'a bakery',
  'a bookshop',
  'payroll software',
  'a tracker for houseplants',
  'a choir',
  'a bicycle shop',
]
const PLACES = ['by the river', 'for families', 'with a garden', 'for small teams', 'in the mountains']

/** Two thousand characters of words that nobody has heard of, each written like a name. */
function invented(seed: number): string {
  let state = seed + 1
  const one = (letters: string) => letters[(state = (state * 48_271) % 2_147_483_647) % letters.length] ?? ''
  const word = () => one('BDFGKLMNPRSTVZ') + one('aeiou') + one('bdfgklmnprstvz') + one('aeiou') + one('lmnrst')
  return Array.from({ length: 333 }, word).join(' ').padEnd(1_999, '.').slice(0, 2_000)
}

const ordinary = (at: number) =>
  `${ORDINARY[at % ORDINARY.length]} ${PLACES[Math.floor(at / ORDINARY.length) % PLACES.length]}`

function generate(key: string, description: string, signal?: AbortSignal): Promise<Response> {
  return fetch(`${node.url}/v1/generate`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', origin: 'https://page.example' },
    body: JSON.stringify({ description, count: 20, tlds: ['com'] }),
    ...(signal ? { signal } : {}),
  })
}

const keyOf = async (account: Awaited<ReturnType<World['makeAccount']>>) => (await world.makeKey(account)).secret

/** User and system time of the node, from /proc; a tick is 10 ms. */
function cpuMs(): number {
  const fields = readFileSync(`/proc/${node.process.pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

test('a description full of invented names costs at most four times the CPU of an ordinary one', async () => {
  const key = await keyOf(await world.makeAccount())
  async function costOf(describe: (at: number) => string, from: number): Promise<number> {
    const before = cpuMs()
    for (let at = from; at < from + 10; at++) expect((await generate(key, describe(at))).status).toBe(200)
    return cpuMs() - before
  }
  await costOf(ordinary, 0)
  await costOf(invented, 0)
  let [usual, hostile] = [0, 0]
  for (let round = 1; round <= 3; round++) {
    usual += await costOf(ordinary, round * 10)
    hostile += await costOf(invented, round * 10)
  }
  console.log(`${usual / 30} ms of CPU for an ordinary description, ${hostile / 30} ms for one of invented names`)
  expect(hostile).toBeLessThanOrEqual(4 * usual)
})

interface Served {
  readonly perSecond: number
  readonly p99Ms: number
}

// Many short ones side by side, so that what else the machine does falls on both alike.
const PHASE_MS = 1_500
const ROUNDS = 7
const AT_A_TIME = 30

test('while one address sends thirty of them at a time, another account is served as before', async () => {
  const victim = await keyOf(await world.makeAccount())
  const page = { scopes: PUBLISHABLE_SCOPES, allowedOrigins: ['https://page.example'] }
  const { secret: attacker } = await world.makeKey(await world.makeAccount(), page)
  let asked = 0
  async function serve(): Promise<Served> {
    const endsAt = performance.now() + PHASE_MS
    const times: number[] = []
    async function call(): Promise<void> {
      while (performance.now() < endsAt) {
        const startedAt = performance.now()
        const response = await generate(victim, ordinary(asked++))
        const { data } = (await response.json()) as { data?: { suggestions: unknown[] } }
        if (data?.suggestions.length === 20) times.push(performance.now() - startedAt)
      }
    }
    await Promise.all([call(), call()])
    times.sort((a, b) => a - b)
    return {
      perSecond: (times.length * 1_000) / PHASE_MS,
      p99Ms: times[Math.ceil(times.length * 0.99) - 1] ?? Infinity,
    }
  }
  async function attack(signal: AbortSignal): Promise<Record<number, number>> {
    const counts: Record<number, number> = {}
    for (let at = 0; !signal.aborted; at += AT_A_TIME) {
      const sent = Array.from({ length: AT_A_TIME }, async (_, i) => {
        const response = await generate(attacker, invented(at + i), signal)
        await response.arrayBuffer()
        counts[response.status] = (counts[response.status] ?? 0) + 1
      })
      await Promise.allSettled(sent)
      // Refusals come at once: a flood of them is another attack.
      await sleep(500)
    }
    return counts
  }
  await serve()
  const quiet: Served[] = []
  const attacked: Served[] = []
  for (let round = 0; round < ROUNDS; round++) {
    quiet.push(await serve())
    const stop = new AbortController()
    const attacking = attack(stop.signal)
    await sleep(200)
    attacked.push(await serve())
    stop.abort()
    console.log(JSON.stringify({ quiet: quiet.at(-1), attacked: attacked.at(-1), attacker: await attacking }))
  }
  const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? NaN
  const of = (field: keyof Served, served: readonly Served[]) => median(served.map((one) => one[field]))
  expect(of('perSecond', attacked)).toBeGreaterThanOrEqual(0.7 * of('perSecond', quiet))
  expect(of('p99Ms', attacked)).toBeLessThanOrEqual(2 * of('p99Ms', quiet))
})

test('whoever hangs up is charged for the CPU time, and not for a suggestion', async () => {
  // A verdict from the cache would end the request before anybody hangs up, and so would one from the resolver.
  const own = await world.startNode({ ...(await emptyRedis()), NAMEWRIGHT_CPU_SECONDS_PER_ACCOUNT: '1' })
  isSilent = true
  const account = await world.makeAccount()
  const key = await keyOf(account)
  const call = (body: object, signal: AbortSignal) =>
    fetch(`${own.url}/v1/generate`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ count: 20, tlds: ['com'], ...body }),
      signal,
    })
  let refused: Response | undefined
  for (let at = 0; at < 400 && refused === undefined; at++) {
    const [hangUp, before] = [new AbortController(), resolver.asked.length]
    let response: Response | undefined
    const ended = call({ description: invented(at) }, hangUp.signal).then(
      (answer) => (response = answer),
      () => {},
    )
    // There are names as soon as a domain is looked up.
    await expect.poll(() => response !== undefined || resolver.asked.length > before, { interval: 5 }).toBe(true)
    if (response?.status === 429) refused = response
    else hangUp.abort()
    await ended
  }
  expect(refused?.status).toBe(429)
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await refused?.json()).toMatchObject({ error: { code: 'rate_limited' } })
  isSilent = false
  // The time of this account alone.
  const other = await keyOf(await world.makeAccount())
  expect((await own.call('/v1/generate', { key: other, body: { description: 'a bakery', count: 1 } })).status).toBe(200)
  expect(await spentBy(world, account)).toBe(0)
})
