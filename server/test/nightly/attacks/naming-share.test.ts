/**
 * Another account keeps its throughput while one address sends descriptions that are costly to name.
 *
 * Both phases of a round run one after the other, so this needs a machine that does nothing else.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ordinary, wordy } from '../../attacks/descriptions.ts'
import { answerTo, openFakeResolver } from '../../internet/fake-resolver.ts'
import type { FakeResolver } from '../../internet/fake-resolver.ts'
import { emptyRedis } from '../../redis.ts'
import { startApp } from '../../start-app.ts'
import type { Node, World } from '../../world.ts'
import { PUBLISHABLE_SCOPES } from '../../source.ts'

let resolver: FakeResolver
let world: World
let node: Node
beforeAll(async () => {
  resolver = await openFakeResolver((query) => [answerTo(query, 'nxdomain')])
  world = await startApp({
    own: true,
    settings: { ...(await emptyRedis()), NAMEWRIGHT_DNS_RESOLVERS: resolver.address },
  })
  node = await world.startNodeProcess({ NAMEWRIGHT_OVERLOAD: 'adaptive' })
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await resolver.close()
})

function generate(key: string, description: string, signal?: AbortSignal): Promise<Response> {
  return fetch(`${node.url}/v1/generate`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', origin: 'https://page.example' },
    body: JSON.stringify({ description, count: 20, tlds: ['com'] }),
    ...(signal ? { signal } : {}),
  })
}

const keyOf = async (account: Awaited<ReturnType<World['makeAccount']>>) => (await world.makeKey(account)).secret

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
        const response = await generate(attacker, wordy(at + i), signal)
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
