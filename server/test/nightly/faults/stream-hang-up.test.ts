/** A reader who hangs up, and a node that closes: the work ends or is finished, and the budget is what it should be. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { recordsOf, spentBy } from '../../readings.ts'
import { openReading } from '../../stream-reader.ts'
import { openStrictWorld } from '../../strict-world.ts'
import type { StrictWorld } from '../../strict-world.ts'
import { WIDE_QUOTA } from '../../world.ts'
import type { Node } from '../../world.ts'

const BODY = {
  description: 'a library with a garden and a music school',
  count: 10,
  tlds: ['com'],
  verify: 'full',
  deadline_ms: 30_000,
}
// As often as the registrar may be asked at once.
const TIMES = 4

let strict: StrictWorld
let node: Node
beforeAll(async () => {
  strict = await openStrictWorld()
  node = await strict.startNode()
})
afterAll(() => strict[Symbol.asyncDispose]())
beforeEach(() => strict.forget())

test('hanging up ends the work at once, and exactly the names that were shown are charged', async () => {
  strict.registrar.be('silent')
  const tookMs: number[] = []
  for (let seed = 0; seed < TIMES; seed++) {
    const account = await strict.world.makeAccount()
    const { secret: key } = await strict.world.makeKey(account, { quota: { ...WIDE_QUOTA, perDay: 10 } })
    const body = { ...BODY, seed }
    const reading = await openReading(node.url, '/v1/generate', { key, body })
    await reading.until('suggestion', 10)
    // The work goes on: the registrar is asked and says nothing.
    expect(await spentBy(strict.world, account)).toBe(0)
    const cutAt = performance.now()
    reading.cut()
    // Charged at the very end of the work, so whoever sees it knows that the work is over.
    while ((await spentBy(strict.world, account)) < 10 && performance.now() - cutAt < 5_000);
    tookMs.push(performance.now() - cutAt)
    expect([await spentBy(strict.world, account), await recordsOf(strict.world, account)]).toEqual([10, 0])
    const more = await node.call('/v1/generate', { key, body: { ...body, count: 1 } })
    expect([more.status, more.json.error.code]).toEqual([429, 'quota_exceeded'])
  }
  console.log(`the names were charged after ${tookMs.map((ms) => ms.toFixed(1)).join(', ')} ms`)
  // A busy machine can hold up one of them.
  expect(Math.min(...tookMs)).toBeLessThan(100)
})

test('hanging up before the first event ends the work as well', async () => {
  const account = await strict.world.makeAccount()
  const { secret: key } = await strict.world.makeKey(account)
  strict.registrar.be('silent')
  const stop = new AbortController()
  const asking = fetch(`${node.url}/v1/domains/check`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ domains: ['free-for-sure-hang-up.com'], deadline_ms: 30_000 }),
    signal: stop.signal,
  }).catch(() => 'cut')
  await expect
    .poll(() => strict.registrar.requests.flatMap(({ names }) => names))
    .toContain('free-for-sure-hang-up.com')
  stop.abort()
  expect(await asking).toBe('cut')
  expect((await node.call('/healthz')).status).toBe(200)
  expect(node.output()).not.toContain('"msg":"request failed"')
})

test('a node that closes finishes its streams first', async () => {
  const closing = await strict.startNode()
  const account = await strict.world.makeAccount()
  const { secret: key } = await strict.world.makeKey(account)
  strict.registrar.be('slow')
  const reading = await openReading(closing.url, '/v1/generate', { key, body: { ...BODY, seed: 50 } })
  await reading.until('suggestion')
  const stopping = closing.stop('SIGTERM')
  const events = await reading.all()
  expect(events.at(-1)?.event).toBe('done')
  expect(await stopping).toBe(0)
  expect(await spentBy(strict.world, account)).toBe(10)
})
