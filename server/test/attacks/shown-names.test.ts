/**
 * Every name that a stream shows is charged once, whatever its verdict, unless it is withdrawn; also over a second try
 * with the same Idempotency-Key, as a stream or as JSON.
 *
 * Two of the names that are shown first are registered, which only the registrar knows: they are withdrawn later.
 */
import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readHalfClosed, shownIn } from './half-closed-reading.ts'
import { recordsOf, spentBy } from '../readings.ts'
import { readPlain, readStream } from '../stream-reader.ts'
import { openStrictWorld } from '../strict-world.ts'
import type { StrictWorld } from '../strict-world.ts'
import type { Node } from '../world.ts'

const BODY = {
  description: 'a lighthouse that rents out telescopes and deck chairs',
  count: 5,
  tlds: ['com'],
  verify: 'full',
  seed: 7,
  deadline_ms: 20_000,
}

let strict: StrictWorld
let node: Node
/** How many events a stream of BODY has that is not cut. */
let eventCount: number
beforeAll(async () => {
  strict = await openStrictWorld()
  node = await strict.startNode()
})
afterAll(() => strict[Symbol.asyncDispose]())

test('two of the names are withdrawn when the registrar has answered', async () => {
  const { secret: key } = await strict.world.makeKey(await strict.world.makeAccount())
  await strict.untilTrusted(node, key)
  // As if the registrar had long been asked as often as it allows: with fewer requests each stream takes seconds.
  const redis = new Redis(strict.world.env['NAMEWRIGHT_REDIS_URL'] ?? '')
  await redis.hset('bu:1:{api.vercel.com}', 'rate', '50')
  await redis.quit()
  const { events } = await readStream(node.url, '/v1/generate', { key, body: BODY })
  const first = events.filter(({ event }) => event === 'suggestion').map(({ data }) => data.domains[0].domain)
  for (const domain of first.slice(1, 3)) strict.registered.add(domain)
  const again = await readStream(node.url, '/v1/generate', { key, body: BODY })
  expect(again.events.filter(({ event }) => event === 'withdrawn')).toHaveLength(2)
  eventCount = again.events.length
})

test('names that are shown before their verdicts are charged when the stream is cut', async () => {
  const account = await strict.world.makeAccount()
  const { secret: key } = await strict.world.makeKey(account)
  strict.registrar.be('held')
  const events = await readHalfClosed(node.url, { key, body: BODY }, (count, cut) => count >= BODY.count && cut())
  expect(shownIn(events).size).toBe(BODY.count)
  await expect.poll(() => spentBy(strict.world, account)).toBe(BODY.count)
  expect(await recordsOf(strict.world, account)).toBe(0)
  strict.registrar.be('well')
})

test.each(['stream', 'JSON'] as const)(
  'a stream that is cut at each of its events and sent again with its key as %s costs the distinct names it showed',
  { timeout: 120_000 },
  async (format) => {
    const kinds = { withdrawnAgain: 0, partly: 0 }
    for (let cutAfter = 0; cutAfter < eventCount; cutAfter++) {
      const account = await strict.world.makeAccount()
      const { secret: key } = await strict.world.makeKey(account)
      const call = { key, body: BODY, headers: { 'idempotency-key': `cut-${cutAfter}` } }
      strict.registrar.be(cutAfter <= BODY.count ? 'held' : 'slow')
      const cut = await readHalfClosed(node.url, call, (count, end) => count >= cutAfter && end())
      const shown = shownIn(cut)
      await expect.poll(() => spentBy(strict.world, account)).toBe(shown.size)
      strict.registrar.be('well')
      const withdrawn = new Set<string>()
      if (format === 'stream') {
        const { events } = await readStream(node.url, '/v1/generate', call)
        for (const { event, data } of events) if (event === 'withdrawn') withdrawn.add(data.name)
        for (const { name } of events.at(-1)?.data.data.suggestions ?? []) shown.add(name)
      } else {
        const answer = await readPlain(node.url, '/v1/generate', call)
        expect(answer.status, answer.text).toBe(200)
        for (const { name } of answer.json.data.suggestions) shown.add(name)
      }
      if (cut.length > 0 && cut.at(-1)?.event !== 'done') kinds.partly += 1
      if (withdrawn.intersection(shownIn(cut)).size > 0) kinds.withdrawnAgain += 1
      expect(await spentBy(strict.world, account), `cut after ${cutAfter}`).toBe(shown.difference(withdrawn).size)
      expect(await recordsOf(strict.world, account)).toBe(1)
    }
    expect(kinds.partly).toBeGreaterThanOrEqual(BODY.count)
    if (format === 'stream') expect(kinds.withdrawnAgain).toBeGreaterThanOrEqual(BODY.count - 1)
  },
)
