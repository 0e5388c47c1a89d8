/** POST /mcp, through the official client: what agents see of us, what they may do, and what is kept from them. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { bare, readPage, rowsOf, sectionOf } from '../docs/pages.ts'
import { expectError, fieldsOf } from '../expect-error.ts'
import { openFakeResolver } from '../internet/fake-resolver.ts'
import { connect as connectTo, message, REVISIONS } from '../mcp-client.ts'
import type { Mode } from '../mcp-client.ts'
import { emptyRedis } from '../redis.ts'
import { recordsOf, spentBy } from '../readings.ts'
import type { Suggested } from '../readings.ts'
import { startApp } from '../start-app.ts'
import { SCOPES } from './contract.ts'
import { request, WIDE_QUOTA } from '../world.ts'
import type { AccountId, Node, Scope, World } from '../world.ts'

const PUBLIC_URL = 'https://names.example.com'
const DESCRIPTION = 'a bakery that brings bread to your door by bicycle'
const SUGGEST = { description: DESCRIPTION, count: 2 }
const FREE = 'free-for-sure-agent.com'
const TAKEN = 'taken-for-sure.com'
/** Of each tool, a call that needs each of its scopes. */
const CALLS: readonly [tool: string, scope: Scope, args: Record<string, unknown>][] = [
  ['suggest_names', 'generate', SUGGEST],
  ['check', 'domains:check', { domains: [FREE] }],
  ['saved', 'favorites:read', {}],
  ['saved', 'favorites:write', { action: 'add', domain: FREE }],
]
const TOOL_NAMES = [...new Set(CALLS.map(([tool]) => tool))]
const SHOWN = 'domain available status price renewal term_years register_url registrar'.split(' ')
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
    expect(tools.map(({ name }) => name)).toEqual(TOOL_NAMES)
  })

  test('gets suggestions, which cost as many and are in the history', async () => {
    const agent = await connect(key, { mode })
    const { data, text, isError } = await agent.call('suggest_names', { ...SUGGEST, count: 3 })
    expect(isError).toBe(false)
    expect(data.suggestions).toHaveLength(3)
    const { name, domains } = data.suggestions[0]
    const [free] = domains.filter(({ available }: { available: boolean }) => available)
    expect(Object.keys(free)).toEqual(SHOWN)
    expect(text.split('\n')).toHaveLength(3)
    const { domain, price, renewal, registrar, register_url: url } = free
    const line = `${domain} available, ${price} due now, renews at ${renewal}, register at ${registrar}: ${url}`
    expect(text).toContain(`${name}: ${line}`)
    expect(await spentBy(world, account)).toBe(3)
    const [record] = (await node.call('/v1/history', { key })).json.data.history
    expect(record).toMatchObject({ description: DESCRIPTION })
    // What the tool adds for the agent is not stored.
    expect(Object.keys(record.suggestions[0].domains[0]).toSorted()).toEqual(['available', 'domain', 'price'])
  })

  test('gets ten suggestions when it does not say how many', async () => {
    const { data } = await (await connect(key, { mode })).call('suggest_names', { description: DESCRIPTION })
    expect(data.suggestions).toHaveLength(10)
    expect(await spentBy(world, account)).toBe(10)
  })

  test('gets the same names as POST /v1/generate gives, with the fields of its filters', async () => {
    const main = { description: DESCRIPTION, count: 4, tlds: ['net', 'io'], max_price: 60 }
    const filters = { styles: ['compound'], include: ['rationale'] }
    const { data, text } = await (await connect(key, { mode })).call('suggest_names', { ...main, filters })
    const there = (await node.call('/v1/generate', { key, body: { ...main, ...filters } })).json.data
    const inShort = (suggestions: Suggested[]) =>
      suggestions.map(({ name, rationale, domains }) => [
        name,
        rationale,
        domains.map(({ domain, available, price }) => [domain, available, price]),
      ])
    expect(inShort(data.suggestions)).toEqual(inShort(there.suggestions))
    expect(text).toContain(`(${JSON.stringify(data.suggestions[0].rationale)})`)
  })

  test('learns of a domain what is known, and saves it once', async () => {
    const agent = await connect(key, { mode })
    const domains = [FREE, TAKEN, 'no domain\nat all', 'mayfly.nosuchsuffix']
    const checked = await agent.call('check', { domains })
    expect(checked.data.domains.map(({ available }: { available: boolean }) => available)).toEqual([
      true,
      false,
      false,
      false,
    ])
    expect(Object.keys(checked.data.domains[0])).toEqual(SHOWN)
    const [free, ...others] = checked.text.split('\n')
    const url = `https://porkbun.com/checkout/search?q=${FREE}`
    expect(free).toMatch(/^free-for-sure-agent\.com available, \$\d+\.\d\d due now, renews at \$\d+\.\d\d, /)
    expect(free?.endsWith(`register at Porkbun: ${url}`)).toBe(true)
    expect(others).toEqual([
      'taken-for-sure.com not available (taken)',
      '"no domain\\nat all" not available (invalid)',
      'mayfly.nosuchsuffix not available (unsupported: the suffix does not exist or is not offered here)',
    ])
    const proved = await agent.call('check', { domains: [TAKEN], include: ['evidence'] })
    expect(proved.data.domains[0]).toMatchObject({ confidence: 'definitive', sources: ['dns'] })
    expect(proved.text).toMatch(/\(taken\), sources: dns, checked at \d{4}-/)
    const wish = { domain: FREE, note: 'first line\nsecond line', tags: ['bread'] }
    const first = await agent.call('saved', { action: 'add', ...wish })
    expect(first.data).toMatchObject({ created: true, favorite: { ...wish, saved: { available: true } } })
    const again = await agent.call('saved', { action: 'add', domain: FREE })
    expect(again.data).toEqual({ favorite: first.data.favorite, created: false })
    const list = await agent.call('saved', { action: 'list', tag: 'bread' })
    expect(list.data).toEqual({ favorites: [first.data.favorite], next_cursor: null })
    expect(list.text).toContain('note "first line\\nsecond line", tags ["bread"]')
    expect(await spentBy(world, account)).toBe(0)
  })

  test('gets an answer for the suffixes that are known, and a list of the others', async () => {
    const agent = await connect(key, { mode })
    const ignored = [{ tld: 'nosuchsuffix', reason: 'unknown_suffix' }]
    const suggested = await agent.call('suggest_names', { ...SUGGEST, tlds: ['net', 'nosuchsuffix', 'is'] })
    expect(suggested.data.ignored).toEqual([...ignored, { tld: 'is', reason: 'no_price' }])
    expect(suggested.data.suggestions).toHaveLength(2)
    expect(suggested.text).toContain('\nignored "nosuchsuffix": unknown_suffix\nignored "is": no_price')
    const names = ['free-for-sure-agent']
    const checked = await agent.call('check', { names, tlds: ['nosuchsuffix', 'com', 'is'] })
    expect(checked.data.ignored).toEqual(ignored)
    expect(checked.data.domains.map(({ domain }: { domain: string }) => domain)).toEqual([FREE, `${names[0]}.is`])
    const { error } = await agent.call('check', { names, tlds: ['nosuchsuffix'] })
    expect(error && fieldsOf(error)).toEqual(['/tlds/0 unknown_suffix'])
    expectError(
      await node.call('/v1/generate', { key, body: { ...SUGGEST, tlds: ['net', 'nosuchsuffix'] } }),
      400,
      'invalid_request',
    )
  })

  test('has names of its own verified, and reads why the others are rejected', async () => {
    const agent = await connect(key, { mode })
    const candidates = ['Freeforsureagent', 'Taken-for-sure', 'google', 'a_b', 'Freeforsureagent']
    const { data, text } = await agent.call('suggest_names', { description: DESCRIPTION, candidates, tlds: ['com'] })
    expect(data.suggestions).toMatchObject([
      { name: 'Freeforsureagent', origin: 'candidate', domains: [{ domain: 'freeforsureagent.com', available: true }] },
    ])
    expect(data.rejected).toHaveLength(4)
    for (const { name, reason, nearest } of data.rejected) {
      const line = text
        .split('\n')
        .find((one) => one.startsWith(`rejected, ${reason}: `) && one.includes(JSON.stringify(name)))
      expect(line, name).toBeDefined()
      if (nearest) expect(line).toContain(`nearest ${nearest.domain} available`)
    }
    expect(data.rejected).toContainEqual({ name: 'Freeforsureagent', reason: 'duplicate' })
    expect(await spentBy(world, account)).toBe(1)
  })

  test('is told that a variant is no more than that, also of a name with an accent', async () => {
    const agent = await connect(key, { mode })
    const candidates = ['Taken-for-sure', 'Free for sure café']
    const asked = { description: DESCRIPTION, candidates, tlds: ['com'], filters: { variants: true } }
    const { text } = await agent.call('suggest_names', asked)
    expect(text).toMatch(
      /^Taken-for-sure \[candidate\]: \S+\.com available, .* \(a variant: taken-for-sure\.com is taken\)$/m,
    )
    expect(text).toMatch(/^Free for sure café \[candidate\]: \S+\.com available, [^(]*$/m)
  })

  test('can stop a check when enough domains are found, and pays for what was looked up', async () => {
    const agent = await connect(key, { mode })
    const names = Array.from(
      { length: 40 },
      (_, index) => `${index % 2 === 0 ? 'free-for-sure-stop' : 'taken-for-sure'}${index % 2 === 0 ? index : ''}`,
    )
    const { data, text } = await agent.call('check', { names, tlds: ['com'], limit: 3 })
    const found = data.domains.filter(({ available }: { available: boolean }) => available)
    // It looks at ten at a time.
    expect(found.map(({ domain }: { domain: string }) => domain)).toEqual(
      [0, 2, 4, 6, 8].map((index) => `free-for-sure-stop${index}.com`),
    )
    expect(data).toMatchObject({ not_checked: 30 })
    expect(data.domains).toHaveLength(10)
    expect(text.split('\n').at(-1)).toBe('30 more were not checked')
  })

  test('pages through a list, with a cursor that only fits its own question', async () => {
    const agent = await connect(key, { mode })
    for (const label of ['one', 'two', 'three'])
      await agent.call('saved', { action: 'add', domain: `${label}-${FREE}` })
    const first = await agent.call('saved', { limit: 2 })
    const cursor = first.data.next_cursor
    expect(first.text).toContain(`next_cursor: ${cursor}`)
    const second = await agent.call('saved', { limit: 2, cursor })
    const domains = [...first.data.favorites, ...second.data.favorites].map(({ domain }) => domain)
    expect(domains).toEqual([`three-${FREE}`, `two-${FREE}`, `one-${FREE}`])
    expect(second.data.next_cursor).toBeNull()
    expect((await agent.call('saved', { q: 'one', cursor })).error?.code).toBe('invalid_cursor')
    const elsewhere = await node.call(`/v1/favorites?cursor=${encodeURIComponent(cursor)}`, { key })
    expectError(elsewhere, 400, 'invalid_cursor')
  })

  test.each(CALLS)('cannot call %s without %s', async (name, scope, args) => {
    const scopes = SCOPES.filter((one) => one !== scope)
    const agent = await connect((await world.makeKey(account, { scopes })).secret, { mode })
    const { error, text, isError } = await agent.call(name, args)
    expect({ isError, code: error?.code }).toEqual({ isError: true, code: 'insufficient_scope' })
    expect(text).toMatch(new RegExp(`^insufficient_scope: .*${scope}`))
    expect(await recordsOf(world, account)).toBe(0)
  })

  test('may do two things at a time', async () => {
    const agent = await connect(key, { mode })
    const [suggested, checked] = await Promise.all([
      agent.call('suggest_names', SUGGEST),
      agent.call('check', { domains: [TAKEN] }),
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
          ? await agent.call('suggest_names', body)
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
    const { error, text, isError } = await agent.call('suggest_names', args)
    expect(isError).toBe(true)
    expect(error?.code).toBe('invalid_request')
    expect(error && fieldsOf(error)).toEqual(['/count too_small', '/deadline_ms unknown_field', '/tld unknown_field'])
    expect(text).toContain('\n/count too_small: ')
    const nested = await agent.call('suggest_names', { ...SUGGEST, filters: { min_length: 0, verify: 'full' } })
    expect(nested.error && fieldsOf(nested.error)).toEqual([
      '/filters/min_length too_small',
      '/filters/verify unknown_field',
    ])
    expect((await agent.call('saved', { action: 'add', domain: 'x.invalid' })).text).toContain('unknown_suffix')
    const mixed = await agent.call('saved', { action: 'add', domain: FREE, q: 'x' })
    expect(mixed.error && fieldsOf(mixed.error)).toEqual(['/q unknown_field'])
    expect((await agent.call('saved', { action: 'add' })).error?.errors).toMatchObject([{ code: 'required' }])
    expect((await agent.call('check')).error?.errors).toMatchObject([{ code: 'required' }])
  })

  test('of a currency lists those that are known', async () => {
    const agent = await connect()
    for (const currency of ['euro', '€', 'XYZ']) {
      const { error, text } = await agent.call('suggest_names', { ...SUGGEST, currency })
      expect(error && fieldsOf(error)).toEqual(['/currency not_allowed'])
      expect(text).toMatch(/^\/currency not_allowed: .*\bUSD\b/m)
    }
  })

  test('says what to do next, in the first line', async () => {
    const agent = await connect()
    const wrong: [name: string, args: Record<string, unknown>][] = [
      ['suggest_names', { description: '' }],
      ['check', { domains: [] }],
      ['saved', { cursor: 'made-up' }],
      ['saved', { action: 'add', domain: 'nowhere' }],
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
    const { error, text, isError } = await agent.call('suggest_names', { description: DESCRIPTION, count: 4 })
    expect({ isError, code: error?.code }).toEqual({ isError: true, code: 'quota_exceeded' })
    expect(error?.retry_after).toBeGreaterThan(0)
    expect(error?.retry_after).toBeLessThanOrEqual(86_400)
    expect(text).toContain(`${error?.retry_after} s`)
    const { data: enough } = await agent.call('suggest_names', { description: DESCRIPTION, count: 3 })
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
    expect((await german.call('suggest_names', bad)).text).toMatch(/^invalid_request: `description`: Verwenden Sie/)
    expect((await german.call('suggest_names', { ...bad, language: 'fr' })).text).toMatch(
      /^invalid_request: `description`: Utilisez/,
    )
  })

  test('for a bug of ours tells nothing of it, but the log does', async () => {
    const agent = await connect()
    await world.owner.query('ALTER TABLE history RENAME TO history_gone')
    const { error, text } = await agent.call('suggest_names', SUGGEST)
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

test('the manual has every tool, with its scopes', () => {
  const rows = rowsOf(sectionOf(readPage('docs/mcp.md'), '## Tools')).map(([tool = '', scopes = '']) => [
    tool,
    scopes.split(', ').map(bare),
  ])
  const needed = TOOL_NAMES.map((name) => [name, CALLS.flatMap(([tool, scope]) => (tool === name ? [scope] : []))])
  expect(rows).toEqual(needed)
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
  const body = JSON.stringify(message('tools/call', { name: 'suggest_names', arguments: SUGGEST }))
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
