/** How often a key may call, and what every answer says about that and about the budget (budget.test.ts). */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { expectError } from '../expect-error.ts'
import { parseList } from './structured-fields.ts'
import { startApp } from '../start-app.ts'
import { WIDE_QUOTA } from '../world.ts'
import type { AccountId, Answer, Node, QuotaLimits, World } from '../world.ts'

let world: World
let account: AccountId
let node: Node
let other: Node
beforeAll(async () => {
  world = await startApp()
  account = await world.makeAccount()
  ;[node, other] = await Promise.all([world.startNode(), world.startNode()])
})
afterAll(() => world[Symbol.asyncDispose]())

const keyWith = async (quota: Partial<QuotaLimits>) =>
  (await world.makeKey(account, { quota: { ...WIDE_QUOTA, ...quota } })).secret
const generate = (key: string, count: number, more: Record<string, unknown> = {}, headers = {}) =>
  node.call('/v1/generate', { key, body: { description: 'a bakery', count, deadline_ms: 30_000, ...more }, headers })
const leftOf = ({ headers }: Answer, name: string) => parseList(headers.get('ratelimit')).get(name)?.r

describe('RateLimit-Policy and RateLimit', () => {
  test('are on every answer to somebody we know, also on refusals', async () => {
    const key = await keyWith({ perMinute: 6000, burst: 50, perDay: 100, perMonth: 1000 })
    const unscoped = (await world.makeKey(account, { scopes: [] })).secret
    const answers = [
      await generate(key, 1),
      await generate(key, 0),
      await node.call('/v1/generate', { key, body: '{' }),
      await node.call('/v1/history', { key }),
      await node.call('/v1/history?cursor=x', { key }),
      await node.call('/v1/favorites/x', { key }),
      await node.call('/v1/history', { key: unscoped }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 400, 200, 400, 404, 403])
    for (const { headers } of answers) {
      const policy = parseList(headers.get('ratelimit-policy'))
      for (const [name, left] of parseList(headers.get('ratelimit'))) {
        const { q = 0, w = 0 } = policy.get(name) ?? {}
        expect(Object.keys(left)).toEqual(['r', 't'])
        expect(left.r).toBeGreaterThanOrEqual(0)
        expect(left.r).toBeLessThanOrEqual(q)
        expect(left.t).toBeGreaterThanOrEqual(0)
        expect(left.t).toBeLessThanOrEqual(w)
      }
    }
  })

  test('are not on answers to somebody we do not know', async () => {
    for (const answer of [await node.call('/v1/history'), await node.call('/healthz')]) {
      expect(answer.headers.has('ratelimit')).toBe(false)
    }
  })

  test('state the rate, the day and the month of the key', async () => {
    const key = await keyWith({ perMinute: 6000, burst: 50, perDay: 100, perMonth: 1000 })
    const policy = parseList((await generate(key, 1)).headers.get('ratelimit-policy'))
    const now = new Date()
    const daysInMonth = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 0)).getUTCDate()
    expect([...policy]).toEqual([
      // Fifty at once, and whole again in half a second.
      ['rate', { q: 50, w: 1 }],
      ['day', { q: 100, w: 86_400 }],
      ['month', { q: 1000, w: daysInMonth * 86_400 }],
    ])
  })

  test('say what is left after this very answer', async () => {
    const key = await keyWith({ perDay: 100, perMonth: 1000 })
    expect(leftOf(await node.call('/v1/history', { key }), 'day')).toBe(100)
    expect(leftOf(await generate(key, 5), 'day')).toBe(95)
    const answers = [await generate(key, 7), await generate(key, 0), await node.call('/v1/history', { key })]
    expect(answers.map((answer) => leftOf(answer, 'day'))).toEqual([88, 88, 88])
    expect(answers.map((answer) => leftOf(answer, 'month'))).toEqual([988, 988, 988])
  })

  test('say when the day is over in UTC', async () => {
    const key = await keyWith({ perDay: 100 })
    await generate(key, 1)
    const { t = 0 } = parseList((await generate(key, 1)).headers.get('ratelimit')).get('day') ?? {}
    expect(Math.abs(t - secondsToMidnight())).toBeLessThanOrEqual(2)
  })

  test('name no budget of a key that has none', async () => {
    const answer = await generate(await keyWith({}), 3)
    expect([...parseList(answer.headers.get('ratelimit-policy')).keys()]).toEqual(['rate'])
    expect([...parseList(answer.headers.get('ratelimit')).keys()]).toEqual(['rate'])
  })
})

describe('the rate', () => {
  test('is 429 rate_limited beyond the burst, and Retry-After keeps its word', async () => {
    const key = await keyWith({ perMinute: 6, burst: 3 })
    for (let i = 2; i >= 0; i--) expect(leftOf(await node.call('/v1/history', { key }), 'rate')).toBe(i)
    const beyond = await node.call('/v1/history', { key })
    expectError(beyond, 429, 'rate_limited')
    expect(leftOf(beyond, 'rate')).toBe(0)

    // One a second: on a busy machine a second may pass between two calls.
    const quick = await keyWith({ perMinute: 60, burst: 1 })
    const untilRefused = () =>
      vi.waitUntil(
        async () => {
          const answer = await node.call('/v1/history', { key: quick })
          return answer.status === 429 && answer
        },
        { timeout: 45_000 },
      )
    const refused = await untilRefused()
    const error = expectError(refused, 429, 'rate_limited')
    const seconds = Number(refused.headers.get('retry-after'))
    expect(seconds).toBe(1)
    expect(error.message + error.hint).toContain('1')
    await sleep(seconds * 1000)
    expect((await node.call('/v1/history', { key: quick })).status).toBe(200)
    await untilRefused()
  })

  test('is one for all nodes', async () => {
    const allowed = async () => {
      const key = await keyWith({ perMinute: 6, burst: 10 })
      const calls = Array.from({ length: 30 }, (_, i) => (i % 2 === 0 ? node : other).call('/v1/history', { key }))
      return (await Promise.all(calls)).filter(({ status }) => status === 200).length
    }
    // A node for which Redis was late, on a busy machine, counts by itself for a moment: then it is 20.
    await expect.poll(allowed, { timeout: 20_000 }).toBe(10)
  })

  test('is not spent by calls that are refused for it', async () => {
    const key = await keyWith({ perMinute: 60, burst: 1 })
    await node.call('/v1/history', { key })
    await Promise.all(Array.from({ length: 20 }, () => node.call('/v1/history', { key })))
    await sleep(1050)
    expect((await node.call('/v1/history', { key })).status).toBe(200)
  })

  test('of one key is not the rate of another', async () => {
    const [one, two] = [await keyWith({ perMinute: 6, burst: 1 }), await keyWith({ perMinute: 6, burst: 1 })]
    expect((await node.call('/v1/history', { key: one })).status).toBe(200)
    expectError(await node.call('/v1/history', { key: one }), 429, 'rate_limited')
    expect((await node.call('/v1/history', { key: two })).status).toBe(200)
  })
})

function secondsToMidnight(): number {
  const now = new Date()
  return (Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1) - now.getTime()) / 1000
}
