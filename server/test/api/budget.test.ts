/**
 * How many suggestions a key may have in a day and a month, and what counts: a suggestion that was returned, once.
 *
 * That the budget stays exact under load and failure is shown elsewhere; here it is the rules, one at a time.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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

describe('the budget', () => {
  test('of a day is 429 quota_exceeded until the next midnight in UTC', async () => {
    const key = await keyWith({ perDay: 10 })
    expect((await generate(key, 10)).status).toBe(200)
    const refused = await generate(key, 1)
    expectError(refused, 429, 'quota_exceeded')
    expect(Math.abs(Number(refused.headers.get('retry-after')) - secondsToMidnight())).toBeLessThanOrEqual(2)
    expect(leftOf(refused, 'day')).toBe(0)
  })

  test('that has less left than is asked for says how much it has', async () => {
    const key = await keyWith({ perDay: 10 })
    expect((await generate(key, 9)).status).toBe(200)
    const refused = await generate(key, 4)
    const { message } = expectError(refused, 429, 'quota_exceeded')
    expect(message).toBe('Remaining suggestions in this period: 1. This request needs 4.')
    expect(leftOf(refused, 'day')).toBe(1)
    expect((await generate(key, 1)).status).toBe(200)
  })

  test('of a month is 429 quota_exceeded until the first of the next', async () => {
    const key = await keyWith({ perDay: 1000, perMonth: 10 })
    expect((await generate(key, 10)).status).toBe(200)
    const refused = await generate(key, 1)
    expectError(refused, 429, 'quota_exceeded')
    const now = new Date()
    const seconds = (Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1) - now.getTime()) / 1000
    expect(Math.abs(Number(refused.headers.get('retry-after')) - seconds)).toBeLessThanOrEqual(2)
  })

  test('of yesterday and of last month does not count today', async () => {
    const { id, secret } = await world.makeKey(account, { quota: { ...WIDE_QUOTA, perDay: 10, perMonth: 10 } })
    await world.owner.query(
      `INSERT INTO quota_period (account_id, key_id, kind, starts_on, leased) VALUES
       ($1, $2, 'day', (now() AT TIME ZONE 'UTC')::date - 1, 10),
       ($1, $2, 'month', (date_trunc('month', now() AT TIME ZONE 'UTC') - interval '1 month')::date, 10)`,
      [account, id],
    )
    expect((await generate(secret, 10)).status).toBe(200)
  })

  test('is spent to the last suggestion, whatever the sizes', async () => {
    const key = await keyWith({ perDay: 30 })
    expectError(await generate(key, 31), 429, 'quota_exceeded')
    expect((await generate(key, 20)).status).toBe(200)
    expectError(await generate(key, 11), 429, 'quota_exceeded')
    expect((await generate(key, 7)).status).toBe(200)
    expect((await generate(key, 3)).status).toBe(200)
    expectError(await generate(key, 1), 429, 'quota_exceeded')
  })

  test('of 0 allows nothing, and reading costs nothing of it', async () => {
    const key = await keyWith({ perDay: 0 })
    expectError(await generate(key, 1), 429, 'quota_exceeded')
    expect((await node.call('/v1/history', { key })).status).toBe(200)
    expect((await node.call('/v1/favorites', { key, body: { domain: 'mayfly.com' } })).status).toBeLessThan(300)
  })

  test('is its own for every key of an account', async () => {
    const [one, two] = [await keyWith({ perDay: 5 }), await keyWith({ perDay: 5 })]
    expect((await generate(one, 5)).status).toBe(200)
    expectError(await generate(one, 1), 429, 'quota_exceeded')
    expect((await generate(two, 5)).status).toBe(200)
  })

  test('is shared by the nodes', async () => {
    const key = await keyWith({ perDay: 40 })
    const body = { description: 'a bakery', count: 2, deadline_ms: 30_000 }
    const ask = (at: Node) => at.call('/v1/generate', { key, body })
    const answers = await Promise.all(Array.from({ length: 40 }, (_, i) => ask(i % 2 === 0 ? node : other)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20)
  })

  test('lives on when the key is rotated', async () => {
    const { id, secret } = await world.makeKey(account, { quota: { ...WIDE_QUOTA, perDay: 5 } })
    expect((await generate(secret, 5)).status).toBe(200)
    const fresh = (await world.keys.rotate(account, id, 60))?.secret ?? ''
    expectError(await generate(fresh, 1), 429, 'quota_exceeded')
  })
})

describe('what costs nothing', () => {
  test('a request that is refused for its fields', async () => {
    const key = await keyWith({ perDay: 5 })
    for (const body of [{ count: 5 }, { description: '123', count: 5 }, '{']) {
      expect((await node.call('/v1/generate', { key, body })).status).toBe(400)
    }
    expect((await generate(key, 5)).status).toBe(200)
  })

  test('a request for which there are no names at all', async () => {
    const key = await keyWith({ perDay: 5 })
    for (let i = 0; i < 3; i++) {
      expectError(await generate(key, 5, { include_words: ['zzqqxx'], max_length: 3 }), 422, 'no_names')
    }
    const spent = await generate(key, 5)
    expect(spent.status).toBe(200)
    expect(leftOf(spent, 'day')).toBe(0)
  })

  test('a request that failed in the middle of its commit', async () => {
    const key = await keyWith({ perDay: 5 })
    await world.owner.query('ALTER TABLE history RENAME TO history_gone')
    expectError(await generate(key, 5), 500, 'internal')
    await world.owner.query('ALTER TABLE history_gone RENAME TO history')
    expect((await generate(key, 5)).status).toBe(200)
  })

  test('a replay', async () => {
    const key = await keyWith({ perDay: 5 })
    const headers = { 'idempotency-key': 'costs-nothing' }
    const first = await generate(key, 5, {}, headers)
    for (let i = 0; i < 3; i++) expect((await generate(key, 5, {}, headers)).text).toBe(first.text)
    expectError(await generate(key, 1), 429, 'quota_exceeded')
  })

  test('what was asked for and could not be had', async () => {
    const key = await keyWith({ perDay: 100 })
    // Nothing costs so little: no suffix is left, so no suggestion either.
    const none = await generate(key, 50, { max_price: 0.01 })
    expect(none.json.data).toEqual({
      suggestions: [],
      shortfall: { wanted: 50, returned: 0, reason: 'max_price' },
    })
    const some = await generate(key, 100, { include_words: ['sourdough'], max_length: 12 })
    const { returned } = some.json.data.shortfall
    expect(returned).toBe(some.json.data.suggestions.length)
    expect(leftOf(await node.call('/v1/history', { key }), 'day')).toBe(100 - returned)
  })
})

test('a key without a budget is never refused for one', async () => {
  const key = await keyWith({ perDay: null, perMonth: null })
  for (let i = 0; i < 8; i++) expect((await generate(key, 100, { only_available: false })).status).toBe(200)
})

function secondsToMidnight(): number {
  const now = new Date()
  return (Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1) - now.getTime()) / 1000
}
