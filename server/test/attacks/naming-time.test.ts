/**
 * Whoever sends descriptions that are costly to name pays for the CPU time, and nobody else does.
 *
 * The domains are answered at once, so that what is measured is this service. The bound is a ratio within one run. That
 * others keep their throughput is measured where nothing else runs: ../nightly/attacks/naming-share.test.ts.
 */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { answerTo, openFakeResolver } from '../internet/fake-resolver.ts'
import { invented, ordinary, wordy } from './descriptions.ts'
import type { FakeResolver } from '../internet/fake-resolver.ts'
import { spentBy } from '../readings.ts'
import { emptyRedis } from '../redis.ts'
import { startApp } from '../start-app.ts'
import type { NodeProcess, World } from '../world.ts'

let resolver: FakeResolver
let isSilent = false
let world: World
let node: NodeProcess
beforeAll(async () => {
  resolver = await openFakeResolver((query) => (isSilent ? [] : [answerTo(query, 'nxdomain')]))
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

/** User and system time of the node, from /proc; a tick is 10 ms. */
function cpuMs(): number {
  const fields = readFileSync(`/proc/${node.process.pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

test('a description full of invented names costs at most four times the CPU of an ordinary one', async () => {
  const key = await keyOf(await world.makeAccount())
  async function costOf(describe: (at: number) => string, from: number, statuses = [200]): Promise<number> {
    const before = cpuMs()
    for (let at = from; at < from + 10; at++) expect(statuses).toContain((await generate(key, describe(at))).status)
    return cpuMs() - before
  }
  // Some of these words are none that was invented.
  const answers = [200, 422]
  await costOf(ordinary, 0)
  await costOf(invented, 0, answers)
  let [usual, hostile] = [0, 0]
  for (let round = 1; round <= 3; round++) {
    usual += await costOf(ordinary, round * 10)
    hostile += await costOf(invented, round * 10, answers)
  }
  console.log(`${usual / 30} ms of CPU for an ordinary description, ${hostile / 30} ms for one of invented names`)
  expect(hostile).toBeLessThanOrEqual(4 * usual)
})

test('whoever hangs up is charged for the CPU time, and not for a suggestion', async () => {
  // A verdict from the cache would end the request before anybody hangs up, and so would one from the resolver.
  const own = await world.startNodeProcess({ ...(await emptyRedis()), NAMEWRIGHT_CPU_SECONDS_PER_ACCOUNT: '1' })
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
    const ended = call({ description: wordy(at) }, hangUp.signal).then(
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
