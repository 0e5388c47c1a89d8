/**
 * Whoever hangs up in the middle of a stream pays for the names that were sent, and for nothing else.
 *
 * The resolver calls four of five names registered and takes its time, so names come in many small rounds.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AccountId, KeyId } from '../source.ts'
import { findInRedis } from '../auth/traces.ts'
import { answerTo, openFakeResolver } from '../internet/fake-resolver.ts'
import type { FakeResolver } from '../internet/fake-resolver.ts'
import { readHalfClosed, shownIn } from './half-closed-reading.ts'
import { recordsOf, spentBy } from '../readings.ts'
import { emptyRedis } from '../redis.ts'
import { openReading, readStream } from '../stream-reader.ts'
import { WIDE_QUOTA } from '../world.ts'
import { startApp } from '../start-app.ts'
import type { Node, World } from '../world.ts'

const BODY = {
  description: 'a library with a garden and a music school',
  count: 12,
  tlds: ['com'],
  deadline_ms: 10_000,
}
const STREAMS = 150
const RACING = STREAMS / 10
const AT_ONCE = 8
const MAX_MS = 20

/** What the resolver has called free. When these are as many as they may be, it keeps the next ones waiting. */
const free = new Set<string>()
let most = Infinity
let resolver: FakeResolver
let world: World
let node: Node
let account: AccountId
beforeAll(async () => {
  resolver = await openFakeResolver(async (query, domain) => {
    await sleep(2 + (domain.length % 7))
    if (sumOf(domain) % 5 !== 0) return [answerTo(query, 'noerror')]
    while (!free.has(domain) && free.size >= most) await sleep(5)
    free.add(domain)
    return [answerTo(query, 'nxdomain')]
  })
  world = await startApp({
    own: true,
    settings: { ...(await emptyRedis()), NAMEWRIGHT_DNS_RESOLVERS: resolver.address },
  })
  node = await world.startNode()
  account = await world.makeAccount()
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await resolver.close()
})

const sumOf = (domain: string) => Buffer.from(domain).reduce((sum, letter) => (sum * 31 + letter) % 65_521, 7)

/** The names that were shown before the connection was closed; it is cut after so many, and a moment. */
async function readUntilCut(key: string, seed: number, cutAfter: number): Promise<number> {
  let isCut = false
  const events = await readHalfClosed(node.url, { key, body: { ...BODY, seed } }, (count, cut) => {
    if (isCut || count < cutAfter) return
    isCut = true
    setTimeout(cut, Math.random() * MAX_MS)
  })
  return shownIn(events).size
}

async function chargedTo(key: KeyId): Promise<number> {
  const query = 'SELECT coalesce(sum(used), 0)::int AS used FROM quota_block WHERE key_id = $1'
  return (await world.owner.query<{ used: number }>(query, [key])).rows[0]?.used ?? 0
}

test(
  `${STREAMS} streams are cut at random moments, ${RACING} of them at once: each key is charged for exactly what it was sent`,
  { timeout: 600_000 },
  async () => {
    const keys = await Promise.all(Array.from({ length: AT_ONCE + 1 }, () => world.makeKey(account)))
    const sent = new Map<KeyId, number>(keys.map(({ id }) => [id, 0]))
    const kinds = { nothing: 0, some: 0, all: 0 }
    async function run({ id, secret }: { id: KeyId; secret: string }, seed: number): Promise<void> {
      const names = await readUntilCut(secret, seed, Math.floor(Math.random() * (BODY.count + 2)))
      kinds[names === 0 ? 'nothing' : names < BODY.count ? 'some' : 'all'] += 1
      sent.set(id, (sent.get(id) ?? 0) + names)
    }
    let next = 0
    const [racing, ...others] = keys
    await Promise.all(
      others.map(async (key) => {
        while (next < STREAMS - RACING) await run(key, next++)
      }),
    )
    if (racing) await Promise.all(Array.from({ length: RACING }, (_, i) => run(racing, STREAMS + i)))
    // A charge is committed a moment after the connection is closed.
    const charged = async () =>
      new Map(await Promise.all(keys.map(async ({ id }) => [id, await chargedTo(id)] as const)))
    await expect.poll(charged, { timeout: 10_000 }).toEqual(sent)
    const total = sent.values().reduce((sum, names) => sum + names, 0)
    console.log(`${total} names sent and charged by ${STREAMS} streams: ${JSON.stringify(kinds)}`)
    expect(kinds.some).toBeGreaterThan(STREAMS / 10)
    expect(node.output()).not.toContain('"msg":"request failed"')
  },
)

test('a budget binds also who cuts every stream', async () => {
  const own = await world.makeAccount()
  const { secret: key } = await world.makeKey(own, { quota: { ...WIDE_QUOTA, perDay: 40 } })
  let [names, refused] = [0, 0]
  for (let seed = 0; seed < 30 && refused === 0; seed++) {
    const reading = await openReading(node.url, '/v1/generate', { key, body: { ...BODY, seed } })
    if (reading.status === 429) refused += 1
    else {
      await reading.until('suggestion', 6).catch(() => {})
      reading.cut()
      names += shownIn(reading.events).size
    }
    // Until the work has ended, its whole count is reserved.
    await sleep(50)
  }
  expect(refused).toBe(1)
  expect(names).toBeLessThanOrEqual(40)
  expect(await spentBy(world, own)).toBeLessThanOrEqual(40)
})

test('a stream that is cut and sent again to another node is charged once, and recorded once', async () => {
  const other = await world.startNode()
  const own = await world.makeAccount()
  const { secret: key } = await world.makeKey(own)
  // Of names that no other test has asked for.
  const body = { ...BODY, description: 'a telegraph museum' }
  const call = { key, body, headers: { 'idempotency-key': crypto.randomUUID() } }
  // The names after the first few are held back until the cut has reached the node.
  free.clear()
  most = 3
  const reading = await openReading(node.url, '/v1/generate', call)
  await reading.until('suggestion')
  reading.cut()
  await expect.poll(() => spentBy(world, own)).toBeGreaterThan(0)
  most = Infinity
  expect(await spentBy(world, own)).toBeLessThan(BODY.count)
  expect(await recordsOf(world, own)).toBe(0)
  // The key is released after the charge.
  await expect.poll(() => findInRedis(world.env['NAMEWRIGHT_REDIS_URL'] ?? '', [`i:{${own}}`])).toEqual([])
  const { events } = await readStream(other.url, '/v1/generate', call)
  expect(events.at(-1)?.data.data.suggestions).toHaveLength(BODY.count)
  expect(await spentBy(world, own)).toBe(BODY.count)
  expect(await recordsOf(world, own)).toBe(1)
})
