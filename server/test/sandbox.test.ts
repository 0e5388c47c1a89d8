/** NAMEWRIGHT_SANDBOX: nothing outside is asked, every answer says that it is made up, and no real source stands beside it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AccountId } from './source.ts'
import { readConfig } from './read-config.ts'
import { runCli } from '../../command/test/harness.ts'
import { connect } from './mcp-client.ts'
import { talk } from './raw-talk.ts'
import { REDIS_URL } from './redis.ts'
import { ADMIN_URL, request } from './world.ts'
import { startApp } from './start-app.ts'
import type { Answer, Call, Node, World } from './world.ts'

const NOTE = 'Sandbox: these domains and prices are made up.'
// What tests of real sources set, taken back.
const SANDBOX = { NAMEWRIGHT_SANDBOX: 'on', NAMEWRIGHT_DNS_RESOLVERS: '', NAMEWRIGHT_AVAILABILITY_MODE: 'strict' }
const REPORT_SOCKETS = `--import=${new URL('tell-sockets.ts', import.meta.url).href}`
const BODY = {
  description: 'a bakery that delivers by bicycle',
  count: 5,
  deadline_ms: 20_000,
  include: ['evidence', 'pricing'],
}

let world: World
let node: Node
let account: AccountId
let key: string
beforeAll(async () => {
  world = await startApp({ own: true, settings: { ...SANDBOX, NAMEWRIGHT_WORKER: 'inside' } })
  node = await world.startNodeProcess({ NODE_OPTIONS: REPORT_SOCKETS })
  account = await world.makeAccount()
  key = (await world.makeKey(account)).secret
})
afterAll(() => world[Symbol.asyncDispose]())

interface Entry {
  readonly domain: string
  readonly available: boolean
  readonly status: string
  readonly sources: readonly string[]
  readonly price: string
}

const call = (path: string, more: Call = {}): Promise<Answer> => node.call(path, { key, ...more })
const check = async (...domains: string[]): Promise<Entry[]> =>
  (await call('/v1/domains/check', { body: { domains } })).json.data.domains

describe('what it says', () => {
  test('famous names are taken under every suffix', async () => {
    const entries = await check('google.com', 'apple.com', 'amazon.io', 'netflix.ai', 'github.co')
    expect(entries.map(({ status }) => status)).toEqual(Array(5).fill('taken'))
    expect(entries.every(({ sources }) => sources.join() === 'sandbox')).toBe(true)
  })

  test('words of the dictionary and short labels cannot be had at the list price', async () => {
    const entries = await check('river.com', 'copper.io', 'window.ai', 'abq.com', 'zzt.co', 'lantern.net')
    for (const { status } of entries) expect(['taken', 'premium']).toContain(status)
  })

  test('of other labels some are taken, some free and a few premium, each at a price of its own', async () => {
    const labels = Array.from({ length: 200 }, (_, at) => `bredweel${at.toString(36)}x.com`)
    const entries = await check(...labels)
    const count = (status: string) => entries.filter((one) => one.status === status).length
    expect(count('taken')).toBeGreaterThan(60)
    expect(count('available')).toBeGreaterThan(60)
    expect(count('premium')).toBeGreaterThan(0)
    const [list] = entries.filter(({ status }) => status === 'available')
    for (const { price } of entries.filter(({ status }) => status === 'premium')) expect(price).not.toBe(list?.price)
    expect(await check(...labels)).toEqual(
      entries.map((one) => ({ ...one, checked_at: expect.any(String), expires_at: expect.any(String) })),
    )
  })
})

describe('answers cannot be mistaken', () => {
  test('every suggestion names the sandbox as its only source, in the answer and in the history', async () => {
    const { json, headers } = await call('/v1/generate', { body: BODY })
    expect(headers.get('namewright-sandbox')).toBe('true')
    expect(json.data.suggestions).toHaveLength(5)
    const history = await call('/v1/history')
    for (const { suggestions } of [json.data, history.json.data.history[0]]) {
      for (const { domains } of suggestions as { domains: Entry[] }[]) {
        for (const { sources } of domains) expect(sources).toEqual(['sandbox'])
      }
    }
  })

  test('a stream has the header, and its domains the source', async () => {
    const answer = await fetch(`${node.url}/v1/generate`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', accept: 'application/x-ndjson' },
      body: JSON.stringify(BODY),
    })
    expect(answer.headers.get('namewright-sandbox')).toBe('true')
    const text = await answer.text()
    expect(text).toContain('"sources":["sandbox"]')
    expect(text.match(/"sources":\[[^\]]*\]/g)?.filter((one) => one !== '"sources":["sandbox"]')).toEqual([])
  })

  test('a favorite and an item of a batch come with the header', async () => {
    const free = (await check('bredweelone.com', 'bredweeltwo.com', 'bredweelthree.com', 'bredweelfour.com')).find(
      ({ available }) => available,
    )
    const kept = await call('/v1/favorites', { body: { domain: free?.domain } })
    expect(kept.json.data.favorite.current.available).toBe(true)
    expect(kept.headers.get('namewright-sandbox')).toBe('true')
    const accepted = await call('/v1/batches', { body: { requests: [{ ...BODY, count: 1 }] } })
    const path = `/v1/batches/${accepted.json.data.batch.id}`
    await expect.poll(async () => (await call(path)).json.data.batch.state, { timeout: 20_000 }).toBe('completed')
    const results = await call(`${path}/results`)
    expect(results.headers.get('namewright-sandbox')).toBe('true')
    expect(results.text).toContain('"sources":["sandbox"]')
  })

  test('a premium domain is as available in the favorites as in a check, at the same price', async () => {
    const entries = await check(...Array.from({ length: 200 }, (_, at) => `bredweel${at.toString(36)}x.com`))
    const premium = entries.find(({ status }) => status === 'premium')
    expect(premium).toMatchObject({ available: true })
    const kept = await call('/v1/favorites', { body: { domain: premium?.domain } })
    expect(kept.json.data.favorite.saved).toMatchObject({ available: true, price: premium?.price })
    expect(kept.json.data.favorite.current).toEqual(kept.json.data.favorite.saved)
  })

  test.each([
    '/healthz',
    '/readyz',
    '/openapi.json',
    '/',
    '/no-such-page',
    '/v1/generate',
    '/sign-in',
    '/web/session',
    '/llms.txt',
    '/%',
  ])('the answer to GET %s has the header', async (path) => {
    const { headers } = await request(node.url, path, {})
    expect(headers.get('namewright-sandbox')).toBe('true')
  })

  test('even what is no HTTP is answered with it', async () => {
    expect(await talk(Number(new URL(node.url).port), ['NONSENSE\r\n\r\n'])).toMatch(/^namewright-sandbox: true\r$/im)
  })

  test('pages of other origins can read the header', async () => {
    const { headers } = await call('/v1/tlds', { headers: { origin: 'https://shop.example' } })
    expect(headers.get('access-control-expose-headers')).toContain('namewright-sandbox')
  })

  test('/readyz, /v1/status and the log say it', async () => {
    const ready = await request(node.url, '/readyz', {})
    expect(ready.json.checks.sources).toBe('sandbox: domains and prices are made up')
    expect((await call('/v1/status')).json.data).toMatchObject({
      sandbox: true,
      sources: [],
      parts: { registries: 'off' },
    })
    await expect.poll(node.output).toMatch(/"level":"?(?:40|warn)"?.*sandbox mode: domains and prices are made up/)
  })

  test.each([
    ['en', NOTE],
    ['de', 'Sandbox: Diese Domains und Preise sind erfunden.'],
    ['ar', 'بيئة تجريبية: هذه النطاقات والأسعار غير حقيقية.'],
  ])('the sign-in page says it in %s', async (language, note) => {
    const { text } = await request(node.url, '/sign-in', { headers: { 'accept-language': language } })
    expect(text).toContain(note)
  })

  test('the web app is told', async () => {
    expect((await request(node.url, '/web/session', {})).json.data.sandbox).toBe(true)
  })

  test('the command says it on standard error, once, and nowhere in its data', async () => {
    const env = { NAMEWRIGHT_URL: node.url, NAMEWRIGHT_API_KEY: key }
    const ran = await runCli(['check', 'google.com', 'bredweelone.com', '--json'], { env })
    expect(ran.stderr).toBe(`${NOTE}\n`)
    expect(JSON.stringify(JSON.parse(ran.stdout))).not.toContain(NOTE)
  })

  test('agents are told, at the start and with every result', async () => {
    const { client } = await connect(node, key)
    expect(client.getInstructions()).toContain(NOTE)
    const result = await client.callTool({ name: 'check', arguments: { domains: ['google.com'] } })
    expect(result).toMatchObject({ _meta: { 'namewright/sandbox': true } })
    expect(JSON.stringify(result.content)).toContain(NOTE)
    await client.close()
  })

  test('the OpenAPI document has the header on every answer, and names the source', async () => {
    const { json } = await request(node.url, '/openapi.json', {})
    const answers = Object.values(json.paths as Record<string, Record<string, { responses: object }>>).flatMap((path) =>
      Object.values(path).flatMap(({ responses }) => Object.values(responses) as { $ref?: string; headers?: object }[]),
    )
    expect(answers.length).toBeGreaterThan(50)
    for (const answer of answers) {
      const { headers } = answer.$ref ? json.components.responses[answer.$ref.split('/').at(-1) ?? ''] : answer
      expect(headers).toMatchObject({ 'Namewright-Sandbox': { $ref: '#/components/headers/Namewright-Sandbox' } })
    }
    expect(json.components.schemas.DomainEntry.properties.sources.description).toContain('`sandbox`')
  })
})

describe('nothing outside is asked', () => {
  const opened = (one: Node) => [...new Set([...one.output().matchAll(/^opened (.*)$/gm)].map(([, where]) => where))]

  test('whatever is called, connections go to PostgreSQL and Redis alone', async () => {
    await call('/v1/generate', { body: { ...BODY, verify: 'full', variants: true, tlds: ['com', 'de', 'co.uk'] } })
    await call('/v1/domains/check', { body: { domains: ['google.com'], verify: 'full', for_sale: true } })
    const ours = [ADMIN_URL, REDIS_URL].map((url) => `tcp ${new URL(url).host}`)
    expect(new Set(opened(node))).toEqual(new Set(ours))
  })

  test('a node with real sources shows that others would be seen', async () => {
    const real = await world.startNodeProcess({
      NODE_OPTIONS: REPORT_SOCKETS,
      NAMEWRIGHT_SANDBOX: 'off',
      NAMEWRIGHT_DNS_RESOLVERS: '127.0.0.1:5320',
    })
    await expect.poll(() => opened(real)).toContain('udp')
    expect((await request(real.url, '/readyz', {})).headers.get('namewright-sandbox')).toBeNull()
    expect((await real.call('/v1/status', { key })).json.data.sandbox).toBe(false)
    // Made-up verdicts of the other node are not repeated here, although both use one Redis.
    const answer = await real.call('/v1/domains/check', { key, body: { domains: ['google.com', 'bredweelone.com'] } })
    expect(answer.text).not.toContain('"sandbox"')
  })
})

describe('beside a real source it does not start', () => {
  const ENV = {
    NAMEWRIGHT_DATABASE_URL: 'postgres://a@127.0.0.1/a',
    NAMEWRIGHT_REDIS_URL: 'redis://127.0.0.1',
    NAMEWRIGHT_SECRET: 'x'.repeat(32),
    NAMEWRIGHT_SANDBOX: 'on',
  }

  const REAL = {
    NAMEWRIGHT_REGISTRARS: 'vercel',
    NAMEWRIGHT_CLOUDFLARE: 'id:token',
    NAMEWRIGHT_NAME_COM: 'user:token',
    NAMEWRIGHT_PORKBUN: 'key:secret',
    NAMEWRIGHT_GODADDY: 'key:secret',
    NAMEWRIGHT_NAMECHEAP: 'user:key:192.0.2.1',
    NAMEWRIGHT_RDAP: 'on',
    NAMEWRIGHT_DNS_RESOLVERS: '127.0.0.1:53',
    NAMEWRIGHT_CZDS: 'user:password',
    NAMEWRIGHT_PRICE_REFRESH: 'on',
    NAMEWRIGHT_INDEX: '/var/lib/index',
  }
  const refused = 'NAMEWRIGHT_SANDBOX is on and cannot be combined with real sources: unset'

  test.each(Object.entries(REAL))('%s', (name, value) => {
    const env = { ...ENV, NAMEWRIGHT_DATA_DIR: '/var/lib/namewright', [name]: value }
    expect(() => readConfig(env)).toThrow(`${refused} ${name}`)
  })

  test('all of them are named in one line', () => {
    const env = { ...ENV, NAMEWRIGHT_REGISTRARS: 'vercel', NAMEWRIGHT_RDAP: 'on' }
    expect(() => readConfig(env)).toThrow(/^[^\n]*unset NAMEWRIGHT_REGISTRARS, NAMEWRIGHT_RDAP$/)
  })

  test('alone it switches everything off that is on by default', () => {
    expect(readConfig({ ...ENV, NAMEWRIGHT_REGISTRARS: 'none', NAMEWRIGHT_RDAP: 'off' })).toMatchObject({
      sandbox: true,
      resolvers: [],
      registrars: { order: [] },
      rdap: false,
      index: undefined,
      prices: { refresh: false },
    })
  })
})
