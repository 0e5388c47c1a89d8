/**
 * A broken stream goes on where it broke, on any node, within five minutes: no event is repeated or left out, nothing
 * is paid twice, and nobody else can listen in.
 */
import { Redis } from 'ioredis'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { recordsOf, spentBy } from '../readings.ts'
import { emptyRedis } from '../redis.ts'
import { openReading, readPlain, readStream, replayed } from '../stream-reader.ts'
import type { Reading, StreamCall, StreamEvent } from '../stream-reader.ts'
import { openStrictWorld } from '../strict-world.ts'
import type { StrictWorld } from '../strict-world.ts'
import type { AccountId } from '../../src/model/caller.ts'
import type { Node } from '../world.ts'

const BODY = {
  description: 'a library with a garden and a music school',
  count: 5,
  tlds: ['com', 'net'],
  deadline_ms: 20_000,
}

let strict: StrictWorld
let first: Node
let second: Node
let account: AccountId
let key: string
let redis: Redis
beforeAll(async () => {
  strict = await openStrictWorld()
  redis = new Redis((await emptyRedis()).NAMEWRIGHT_REDIS_URL)
  ;[first, second] = await Promise.all([strict.startNode(), strict.startNode()])
})
afterAll(async () => {
  await redis.quit()
  await strict[Symbol.asyncDispose]()
})
beforeEach(async () => {
  strict.registrar.be('well')
  strict.registered.clear()
  await strict.forget()
  account = await strict.world.makeAccount()
  key = (await strict.world.makeKey(account)).secret
})

// A seed of its own for each, so that nothing is known beforehand.
let seed = 100
const freshBody = () => ({ ...BODY, seed: seed++ })
const open = (node: Node, call: StreamCall) => openReading(node.url, '/v1/generate', { key, ...call })
const read = (node: Node, call: StreamCall) => readStream(node.url, '/v1/generate', { key, ...call })
const numbersOf = (events: readonly StreamEvent[]) => events.map(({ id }) => Number(id?.split('.')[1]))
const tokenOf = (reading: Reading) => reading.events[0]?.id?.split('.')[0]
const lastOf = (reading: Reading) => reading.events.at(-1)?.id

/** Reads until so many names were shown, then hangs up. */
async function cutAfter(node: Node, call: StreamCall, names: number): Promise<Reading> {
  const reading = await open(node, call)
  await reading.until('suggestion', names)
  reading.cut()
  await untilKept(reading)
  return reading
}

/** An event is sent before it is stored. */
async function untilKept({ events }: Reading): Promise<void> {
  const countKept = async () => redis.llen((await redis.keys('s:*'))[0] ?? '')
  await expect.poll(countKept).toBeGreaterThanOrEqual(events.length)
}

test('a cut stream goes on at another node: the rest, then done, paid once', async () => {
  const body = freshBody()
  strict.registrar.be('slow')
  const cut = await cutAfter(first, { body }, 2)
  const rest = await read(second, { body, last: lastOf(cut) })
  expect(rest.status).toBe(200)
  expect(tokenOf(rest)).toBe(tokenOf(cut))
  const all = [...cut.events, ...rest.events]
  expect(numbersOf(all)).toEqual(all.map((_event, i) => i + 1))
  expect(all.at(-1)?.event).toBe('done')
  expect(replayed(all)).toEqual(all.at(-1)?.data.data.suggestions)
  expect(all.at(-1)?.text).toBe((await readPlain(first.url, '/v1/generate', { key, body })).text)
  expect([await spentBy(strict.world, account), await recordsOf(strict.world, account)]).toEqual([10, 2])
})

test('what was shown before the cut and is not true any more is taken back', async () => {
  const body = { ...freshBody(), verify: 'full' }
  strict.registrar.be('silent')
  const cut = await cutAfter(first, { body }, 5)
  const [name = ''] = cut.events.map(({ data }) => data.name)
  const label = name.toLowerCase().replaceAll(' ', '')
  strict.registered.add(`${label}.com`).add(`${label}.net`)
  strict.registrar.be('well')
  const rest = await read(second, { body, last: lastOf(cut) })
  expect(rest.events.filter(({ event }) => event === 'withdrawn').map(({ data }) => data.name)).toContain(name)
  expect(replayed([...cut.events, ...rest.events]).toSorted(byName)).toEqual(
    rest.events.at(-1)?.data.data.suggestions.toSorted(byName),
  )
})

test('a finished stream is repeated from any place, costs nothing, and says when there is no more', async () => {
  const body = freshBody()
  const whole = await read(first, { body })
  const spent = await spentBy(strict.world, account)
  for (const [at, { id }] of whole.events.entries()) {
    const node = at % 2 === 0 ? first : second
    const rest = await read(node, { body, last: id, format: at % 3 === 0 ? 'ndjson' : 'sse' })
    const isLast = at === whole.events.length - 1
    expect(rest.status).toBe(isLast ? 204 : 200)
    expect(rest.events.map(({ event, id: one, text }) => [event, one, text])).toEqual(
      whole.events.slice(at + 1).map(({ event, id: one, text }) => [event, one, text]),
    )
  }
  const fromTheStart = await read(second, { body, last: `${tokenOf(whole)}.0` })
  expect(fromTheStart.events.map(({ text }) => text)).toEqual(whole.events.map(({ text }) => text))
  expect(await spentBy(strict.world, account)).toBe(spent)
  expect(await recordsOf(strict.world, account)).toBe(1)
})

test('work that still runs for a lost connection is listened to, not done twice', async () => {
  const body = freshBody()
  strict.registrar.be('slow')
  // Not cut: as when the network has swallowed the end of a connection.
  const lost = await open(first, { body })
  await lost.until('suggestion', 1)
  const asked = strict.registrar.requests.length
  await untilKept(lost)
  const [rest] = await Promise.all([read(second, { body, last: lastOf(lost) }), lost.all()])
  expect(rest.events.map(({ id, text }) => [id, text])).toEqual(lost.events.slice(1).map(({ id, text }) => [id, text]))
  expect(strict.registrar.requests.length - asked).toBeLessThanOrEqual(1)
  expect([await spentBy(strict.world, account), await recordsOf(strict.world, account)]).toEqual([5, 1])
})

test('the same token with another request, in another language or of another account begins anew', async () => {
  const body = freshBody()
  const whole = await read(first, { body })
  const stranger = (await strict.world.makeKey(await strict.world.makeAccount())).secret
  const others: StreamCall[] = [
    { key: stranger, body, last: `${tokenOf(whole)}.1` },
    { key: stranger, body, last: lastOf(whole) },
    { body: { ...body, count: 4 }, last: `${tokenOf(whole)}.1` },
    { body, last: `${tokenOf(whole)}.1`, headers: { 'accept-language': 'ja' } },
  ]
  for (const call of others) {
    const other = await read(second, call)
    expect(other.status).toBe(200)
    expect(tokenOf(other)).not.toBe(tokenOf(whole))
    expect(numbersOf(other.events)[0]).toBe(1)
    expect(other.events.at(-1)?.event).toBe('done')
  }
})

test.each([
  'x',
  '.1',
  '0',
  '-1',
  `${'a'.repeat(22)}.1`,
  `${'a'.repeat(22)}.-1`,
  `${'a'.repeat(22)}.999999`,
  `${'a'.repeat(22)}.99999999999999999999`,
  `${'a'.repeat(7000)}.1`,
  `{}.1`,
  `*.1`,
  `${'a'.repeat(22)}.1; DROP TABLE history`,
  '__proto__.1',
  'é'.repeat(11),
])('an absurd Last-Event-ID begins anew: %.30s', async (last) => {
  const { status, events } = await read(first, { body: { ...BODY, count: 1 }, last: encodeURI(last) })
  expect(status).toBe(200)
  expect(numbersOf(events)[0]).toBe(1)
  expect(events.at(-1)?.event).toBe('done')
})

test('a number beyond what was told begins anew', async () => {
  const body = freshBody()
  const whole = await read(first, { body })
  const beyond = await read(second, { body, last: `${tokenOf(whole)}.${whole.events.length + 1}` })
  expect(tokenOf(beyond)).not.toBe(tokenOf(whole))
  expect(numbersOf(beyond.events)[0]).toBe(1)
  expect(beyond.events.at(-1)?.event).toBe('done')
})

test('when what was kept is lost, a stream begins anew', async () => {
  const body = freshBody()
  strict.registrar.be('slow')
  const cut = await cutAfter(first, { body }, 3)
  await strict.forget()
  const anew = await read(second, { body, last: lastOf(cut) })
  expect(tokenOf(anew)).not.toBe(tokenOf(cut))
  expect(numbersOf(anew.events)).toEqual(anew.events.map((_event, i) => i + 1))
  expect(replayed(anew.events)).toEqual(anew.events.at(-1)?.data.data.suggestions)
})

test('with an Idempotency-Key a resumed stream is still paid once, also when all that was kept is lost', async () => {
  const body = freshBody()
  const headers = { 'idempotency-key': crypto.randomUUID() }
  strict.registrar.be('slow')
  const cut = await cutAfter(first, { body, headers }, 2)
  const rest = await read(second, { body, headers, last: lastOf(cut) })
  expect(replayed([...cut.events, ...rest.events])).toEqual(rest.events.at(-1)?.data.data.suggestions)
  await strict.forget()
  const again = await read(first, { body, headers, last: lastOf(rest) })
  expect(again.events.map(({ event, text }) => [event, text])).toEqual([['done', rest.events.at(-1)?.text]])
  expect(await spentBy(strict.world, account)).toBe(5)
})

test('a check goes on as well', async () => {
  const domains = [
    ...Array.from({ length: 300 }, (_, i) => `free-for-sure-${i}.com`),
    'no domain',
    'taken-for-sure.com',
  ]
  const body = { domains, deadline_ms: 10_000 }
  strict.registrar.be('slow')
  const cut = await openReading(first.url, '/v1/domains/check', { key, body })
  await cut.until('domain', 2)
  cut.cut()
  await untilKept(cut)
  const rest = await readStream(second.url, '/v1/domains/check', { key, body, last: lastOf(cut) })
  const all = [...cut.events, ...rest.events]
  expect(numbersOf(all)).toEqual(all.map((_event, i) => i + 1))
  // The last word on each place.
  const received = new Map(all.slice(0, -1).map(({ data }) => [data.index, data.domain]))
  expect(domains.map((_domain, i) => received.get(i))).toEqual(all.at(-1)?.data.data.domains)
})

function byName(a: { name: string }, b: { name: string }): number {
  return a.name.localeCompare(b.name)
}
