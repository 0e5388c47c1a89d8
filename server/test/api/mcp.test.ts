/** POST /mcp, through the official client: what agents see of us, what they may do, and what is kept from them. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { SCOPES } from '../../src/model/caller.ts'
import type { AccountId, Scope } from '../../src/model/caller.ts'
import { bare, readPage, rowsOf, sectionOf } from '../docs/pages.ts'
import { expectError, fieldsOf } from '../expect-error.ts'
import { openFakeResolver } from '../internet/fake-resolver.ts'
import { connect as connectTo, message, REVISIONS } from '../mcp-client.ts'
import type { Mode } from '../mcp-client.ts'
import { emptyRedis } from '../redis.ts'
import { recordsOf, spentBy } from '../readings.ts'
import { startApp } from '../start-app.ts'
import { request, WIDE_QUOTA } from '../world.ts'
import type { Node, World } from '../world.ts'

const PUBLIC_URL = 'https://names.example.com'
const DESCRIPTION = 'a bakery that brings bread to your door by bicycle'
const SUGGEST = { description: DESCRIPTION, count: 2 }
const FREE = 'free-for-sure-agent.com'
const TAKEN = 'taken-for-sure.com'
const SCOPE_OF: Readonly<Record<string, Scope>> = {
  suggest_domains: 'generate',
  check_domains: 'domains:check',
  check_names: 'domains:check',
  list_favorites: 'favorites:read',
  add_favorite: 'favorites:write',
  get_history: 'history:read',
}
const ARGUMENTS_OF: Readonly<Record<string, Record<string, unknown>>> = {
  suggest_domains: SUGGEST,
  check_domains: { domains: [FREE] },
  check_names: { names: ['mayfly'], tlds: ['com'] },
  list_favorites: {},
  add_favorite: { domain: FREE },
  get_history: {},
}
let world: World
let node: Node
let account: AccountId
let key: string
beforeAll(async () => {
  world = await startApp({ settings: { NAMEWRIGHT_PUBLIC_URL: PUBLIC_URL } })
  node = await world.startNode()
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(async () => {
  account = await world.makeAccount()
  key = (await world.makeKey(account)).secret
})

const connect = (by = key, { at = node, ...more }: { mode?: Mode; headers?: Record<string, string>; at?: Node } = {}) =>
  connectTo(at, by, more)

describe.each(REVISIONS)('a client %s', (_what, mode) => {
  test('is told who we are and what there is to call', async () => {
    const { client } = await connect(key, { mode })
    expect(client.getNegotiatedProtocolVersion()).toBe(mode === 'legacy' ? '2025-11-25' : mode.pin)
    expect(client.getServerVersion()).toMatchObject({ name: 'namewright' })
    expect(client.getServerCapabilities()).toEqual({ tools: { listChanged: false }, prompts: { listChanged: false } })
    expect(client.getInstructions()).toContain('`available: true`')
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(Object.keys(SCOPE_OF))
  })

  test('gets suggestions, which cost as many and are in the history', async () => {
    const agent = await connect(key, { mode })
    const { data, text, isError } = await agent.call('suggest_domains', { ...SUGGEST, count: 3 })
    expect(isError).toBe(false)
    expect(data.suggestions).toHaveLength(3)
    const { name, domains } = data.suggestions[0]
    expect(Object.keys(domains[0])).toEqual(['domain', 'available', 'price'])
    expect(text.split('\n')).toHaveLength(3)
    const free = domains.filter(({ available }: { available: boolean }) => available)
    expect(text).toMatch(new RegExp(`^${name}: available ${free[0].domain} \\${free[0].price}[,;\n]`))
    expect(await spentBy(world, account)).toBe(3)
    const list = await agent.call('get_history')
    const [record] = list.data.history
    expect(Object.keys(record).toSorted()).toEqual(['created_at', 'description', 'id', 'left_out', 'suggestions'])
    expect(record).toMatchObject({ description: DESCRIPTION, left_out: 0 })
    expect(record.suggestions[0]).toEqual({ name, domains: free })
    expect(list.text).toContain(`${JSON.stringify(DESCRIPTION)}: ${name} (`)
    const whole = await agent.call('get_history', { id: record.id })
    expect(whole.data).toEqual({ history: [{ ...record, suggestions: data.suggestions }], next_cursor: null })
  })

  test('gets ten suggestions when it does not say how many', async () => {
    const { data } = await (await connect(key, { mode })).call('suggest_domains', { description: DESCRIPTION })
    expect(data.suggestions).toHaveLength(10)
    expect(await spentBy(world, account)).toBe(10)
  })

  test('gets the same names as POST /v1/generate gives', async () => {
    const body = { description: DESCRIPTION, count: 4, tlds: ['net', 'io'], styles: ['compound'], max_price: 60 }
    const { data } = await (await connect(key, { mode })).call('suggest_domains', body)
    expect(data).toEqual((await node.call('/v1/generate', { key, body })).json.data)
  })

  test('learns of a domain what is known, and saves it once', async () => {
    const agent = await connect(key, { mode })
    const domains = [FREE, TAKEN, 'no domain\nat all']
    const checked = await agent.call('check_domains', { domains })
    expect(checked.data.domains.map(({ available }: { available: boolean }) => available)).toEqual([true, false, false])
    const [free, taken, none] = checked.text.split('\n')
    expect(free).toMatch(/^"free-for-sure-agent\.com": available \$\d+\.\d\d, available \(likely\)$/)
    expect(taken).toBe('"taken-for-sure.com": not available, taken (definitive)')
    expect(none).toBe('"no domain\\nat all": not available, invalid (definitive)')
    const all = await agent.call('check_domains', { domains, include: ['evidence', 'pricing'] })
    const body = { domains }
    const there = await node.call('/v1/domains/check', { key, body })
    const timeless = (data: unknown): unknown =>
      JSON.parse(JSON.stringify(data).replace(/"\d{4}-\d\d-\d\dT[^"]+"/g, '"then"'))
    expect(timeless(all.data)).toEqual(timeless(there.json.data))
    const wish = { domain: FREE, note: 'first line\nsecond line', tags: ['bread'] }
    const first = await agent.call('add_favorite', wish)
    expect(first.data).toMatchObject({ created: true, favorite: { ...wish, saved: { available: true } } })
    const again = await agent.call('add_favorite', { domain: FREE })
    expect(again.data).toEqual({ favorite: first.data.favorite, created: false })
    const list = await agent.call('list_favorites', { tag: 'bread' })
    expect(list.data).toEqual({ favorites: [first.data.favorite], next_cursor: null })
    expect(list.text).toContain('note "first line\\nsecond line", tags ["bread"]')
    expect(await spentBy(world, account)).toBe(0)
  })

  test('pages through a list, with a cursor that only fits its own question', async () => {
    const agent = await connect(key, { mode })
    for (const label of ['one', 'two', 'three']) await agent.call('add_favorite', { domain: `${label}-${FREE}` })
    const first = await agent.call('list_favorites', { limit: 2 })
    const cursor = first.data.next_cursor
    expect(first.text).toContain(`next_cursor: ${cursor}`)
    const second = await agent.call('list_favorites', { limit: 2, cursor })
    const domains = [...first.data.favorites, ...second.data.favorites].map(({ domain }) => domain)
    expect(domains).toEqual([`three-${FREE}`, `two-${FREE}`, `one-${FREE}`])
    expect(second.data.next_cursor).toBeNull()
    expect((await agent.call('list_favorites', { q: 'one', cursor })).error?.code).toBe('invalid_cursor')
    expect((await agent.call('get_history', { cursor })).error?.code).toBe('invalid_cursor')
    const elsewhere = await node.call(`/v1/favorites?cursor=${encodeURIComponent(cursor)}`, { key })
    expectError(elsewhere, 400, 'invalid_cursor')
  })

  test.each(Object.keys(SCOPE_OF))('cannot call %s without its scope', async (name) => {
    const scope = SCOPE_OF[name]
    const scopes = SCOPES.filter((one) => one !== scope)
    const agent = await connect((await world.makeKey(account, { scopes })).secret, { mode })
    const { error, text, isError } = await agent.call(name, ARGUMENTS_OF[name] ?? {})
    expect({ isError, code: error?.code }).toEqual({ isError: true, code: 'insufficient_scope' })
    expect(text).toMatch(new RegExp(`^insufficient_scope: .*${scope}`))
    expect(await recordsOf(world, account)).toBe(0)
  })

  test('may do two things at a time', async () => {
    const agent = await connect(key, { mode })
    const [suggested, checked] = await Promise.all([
      agent.call('suggest_domains', SUGGEST),
      agent.call('check_domains', { domains: [TAKEN] }),
    ])
    expect(suggested.data.suggestions).toHaveLength(2)
    expect(checked.data.domains).toHaveLength(1)
  })

  test('spends the same budget as /v1, to the last suggestion', async () => {
    const { secret } = await world.makeKey(account, { quota: { ...WIDE_QUOTA, perDay: 23 } })
    const agent = await connect(secret, { mode })
    const ask = async (turn: number, count: number) => {
      const body = { description: DESCRIPTION, count }
      const { data, error } =
        turn % 2 === 0
          ? await agent.call('suggest_domains', body)
          : (await request(node.url, '/v1/generate', { key: secret, body })).json
      return { got: (data?.suggestions.length ?? 0) as number, refusal: error?.code as string | undefined }
    }
    const atOnce = await Promise.all(Array.from({ length: 16 }, (_, turn) => ask(turn, 2)))
    let got = atOnce.reduce((sum, one) => sum + one.got, 0)
    expect(got).toBeLessThanOrEqual(23)
    // A slow world may have given fewer than asked for; what is left is had one by one.
    const refusedAt = new Set<number>()
    for (let turn = 0; refusedAt.size < 2; turn++) {
      const last = await ask(turn, 1)
      got += last.got
      if (last.refusal === 'quota_exceeded') refusedAt.add(turn % 2)
    }
    expect(got).toBe(23)
    expect(await spentBy(world, account)).toBe(23)
  })
})

describe('a refusal', () => {
  test('names every wrong argument, also one that does not exist', async () => {
    const agent = await connect()
    const args = { description: '123', count: 0, tld: 'com', deadline_ms: 100 }
    const { error, text, isError } = await agent.call('suggest_domains', args)
    expect(isError).toBe(true)
    expect(error?.code).toBe('invalid_request')
    expect(error && fieldsOf(error)).toEqual(['/count too_small', '/deadline_ms unknown_field', '/tld unknown_field'])
    expect(text).toContain('\n/count too_small: ')
    expect((await agent.call('add_favorite', { domain: 'x.invalid' })).text).toContain('unknown_suffix')
    expect((await agent.call('get_history', { id: 'no-id' })).error?.code).toBe('invalid_request')
  })

  test('says what to do next, in the first line', async () => {
    const agent = await connect()
    const nobody = '018f0000-0000-7000-8000-000000000000'
    const wrong: [name: string, args: Record<string, unknown>][] = [
      ['suggest_domains', { description: '' }],
      ['check_domains', { domains: [] }],
      ['list_favorites', { cursor: 'made-up' }],
      ['add_favorite', { domain: 'nowhere' }],
      ['get_history', { id: nobody }],
    ]
    for (const [name, args] of wrong) {
      const { error, text } = await agent.call(name, args)
      // Where fields are wrong, the message says it of each.
      const next = error?.errors ? '' : ` ${error?.hint}`
      expect(next, name).not.toContain('undefined')
      expect(text.split('\n')[0], name).toBe(`${error?.code}: ${error?.message}${next}`)
    }
  })

  test('for want of budget says so, says when to come back, and costs nothing', async () => {
    const { secret } = await world.makeKey(account, { quota: { ...WIDE_QUOTA, perDay: 3 } })
    const agent = await connect(secret)
    const { error, text, isError } = await agent.call('suggest_domains', { description: DESCRIPTION, count: 4 })
    expect({ isError, code: error?.code }).toEqual({ isError: true, code: 'quota_exceeded' })
    expect(error?.retry_after).toBeGreaterThan(0)
    expect(error?.retry_after).toBeLessThanOrEqual(86_400)
    expect(text).toContain(`${error?.retry_after} s`)
    const { data: enough } = await agent.call('suggest_domains', { description: DESCRIPTION, count: 3 })
    expect(enough.suggestions).toHaveLength(3)
  })

  test('for calling too often is 429 here as there, of the one rate that both doors have', async () => {
    const { secret } = await world.makeKey(account, { quota: { ...WIDE_QUOTA, perMinute: 1, burst: 2 } })
    const body = message('tools/list')
    expect((await request(node.url, '/mcp', { key: secret, body })).status).toBe(200)
    expect((await request(node.url, '/v1/favorites', { key: secret })).status).toBe(200)
    expectError(await request(node.url, '/mcp', { key: secret, body }), 429, 'rate_limited')
    expectError(await request(node.url, '/v1/favorites', { key: secret }), 429, 'rate_limited')
  })

  test('is in the language of the arguments, else of the caller', async () => {
    const german = await connect(key, { headers: { 'accept-language': 'de' } })
    const bad = { description: '123', count: 1 }
    expect((await german.call('suggest_domains', bad)).text).toMatch(/^invalid_request: `description`: Verwenden Sie/)
    expect((await german.call('suggest_domains', { ...bad, language: 'fr' })).text).toMatch(
      /^invalid_request: `description`: Utilisez/,
    )
  })

  test('for a bug of ours tells nothing of it, but the log does', async () => {
    const agent = await connect()
    await world.owner.query('ALTER TABLE history RENAME TO history_gone')
    const { error, text } = await agent.call('suggest_domains', SUGGEST)
    await world.owner.query('ALTER TABLE history_gone RENAME TO history')
    expect(error?.code).toBe('internal')
    expect(JSON.stringify([error, text])).not.toMatch(/relation|insert/i)
    await expect.poll(node.output).toMatch(new RegExp(`"level":50.*"request_id":"${error?.request_id}"`))
    expect(await spentBy(world, account)).toBe(0)
  })

  test('of a tool that does not exist is one of the protocol', async () => {
    await expect((await connect()).call('buy_domain')).rejects.toThrow('buy_domain')
  })
})

test.each([
  ['no key', {}, 'missing_token'],
  ['a key that nobody has', { authorization: 'Bearer nw_nobody' }, 'invalid_token'],
] as const)('%s is 401, with a challenge', async (_what, headers, code) => {
  const answer = await request(node.url, '/mcp', { body: message('tools/list'), headers })
  expectError(answer, 401, code)
  expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer realm="namewright"/)
})

test('the manual has every tool, with its scope', () => {
  const rows = rowsOf(sectionOf(readPage('docs/mcp.md'), '## Tools')).map(([tool = '', scope = '']) => [
    tool,
    bare(scope),
  ])
  expect(Object.fromEntries(rows)).toEqual(SCOPE_OF)
})

test('nobody can hold a stream open', async () => {
  const { client } = await connect(key, { mode: { pin: '2026-07-28' } })
  const subscription = await client.listen({ toolsListChanged: true })
  expect(subscription.honoredFilter).toEqual({})
})

test('a caller who hangs up is not worked for, and does not pay', async () => {
  const hangUp = new AbortController()
  const silence = await openFakeResolver(() => {
    hangUp.abort()
    return []
  })
  const own = await emptyRedis()
  const slow = await world.startNode({ ...own, NAMEWRIGHT_DNS_RESOLVERS: silence.address })
  const body = JSON.stringify(message('tools/call', { name: 'suggest_domains', arguments: SUGGEST }))
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const left = fetch(`${slow.url}/mcp`, { method: 'POST', headers, body, signal: hangUp.signal })
  await expect(left).rejects.toThrow('aborted')
  // Had it gone on, it would have ended with its deadline of 2.5 seconds.
  await sleep(3_500)
  expect(await recordsOf(world, account)).toBe(0)
  const waited = await request(slow.url, '/mcp', { key, body })
  expect(waited.json.result.structuredContent.shortfall.returned).toBe(0)
  expect(await recordsOf(world, account)).toBe(1)
  expect(slow.output()).not.toContain('"level":50')
  await silence.close()
})
