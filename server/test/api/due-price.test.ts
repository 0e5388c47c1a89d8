/** `.ai` is sold for two years: wherever a price stands, it is what two years cost, and nothing says otherwise. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCli } from '../../../command/test/harness.ts'
import { connect } from '../mcp-client.ts'
import { startApp } from '../start-app.ts'
import type { Node, World } from '../world.ts'

// Free in the sandbox under every suffix of this file.
const LABEL = 'bredweela'
const DOMAIN = `${LABEL}.ai`
const SANDBOX = { NAMEWRIGHT_SANDBOX: 'on', NAMEWRIGHT_DNS_RESOLVERS: '', NAMEWRIGHT_AVAILABILITY_MODE: 'strict' }
// One year is $82.70.
const DUE = '$165.40'
const PRICING = {
  currency: 'USD',
  registration_minor: 8_270,
  renewal_minor: 8_270,
  term_years: 2,
  due_minor: 16_540,
  renews_at_minor: 16_540,
  renewal_years: 2,
  total_5y_minor: 49_620,
}

let world: World
let node: Node
let key: string
beforeAll(async () => {
  world = await startApp()
  node = await world.startNode(SANDBOX)
  key = (await world.makeKey(await world.makeAccount())).secret
})
afterAll(() => world[Symbol.asyncDispose]())

const generate = (more: object) =>
  node.call('/v1/generate', {
    key,
    body: { description: 'an assistant that reads contracts', count: 2, tlds: ['ai'], deadline_ms: 30_000, ...more },
  })
const domainsOf = async (more: object) =>
  (await generate(more)).json.data.suggestions.flatMap(({ domains }: { domains: object[] }) => domains)

test('generate', async () => {
  const found = await domainsOf({ include: ['pricing'] })
  expect(found.length).toBeGreaterThan(0)
  for (const one of found) expect(one).toMatchObject({ price: DUE, pricing: PRICING })
  for (const one of await domainsOf({})) expect(one).toEqual({ domain: one.domain, available: true, price: DUE })
})

test('max_price is held against what is due, and max_price_5y against whole terms', async () => {
  const refused = { suggestions: [], shortfall: { wanted: 2, returned: 0, reason: 'max_price' } }
  expect((await generate({ max_price: 165.39 })).json.data).toEqual(refused)
  expect((await generate({ max_price: 100 })).json.data).toEqual(refused)
  expect(await domainsOf({ max_price: 165.4 })).not.toEqual([])
  expect((await generate({ max_price_5y: 496.19 })).json.data).toEqual(refused)
  expect(await domainsOf({ max_price_5y: 496.2 })).not.toEqual([])
})

test('check, names and the catalogue', async () => {
  const checked = await node.call('/v1/domains/check', { key, body: { domains: [DOMAIN], deadline_ms: 30_000 } })
  expect(checked.json.data.domains).toMatchObject([{ available: true, price: DUE, pricing: PRICING }])
  const named = await node.call('/v1/names/check', { key, body: { names: [LABEL], tlds: ['ai'] } })
  expect(named.json.data.names).toMatchObject([{ domains: [{ price: DUE, pricing: PRICING }] }])
  const listed = await node.call('/v1/tlds?q=ai&limit=1', { key })
  expect(listed.json.data.tlds).toMatchObject([{ suffix: 'ai', price: DUE, term_years: 2, pricing: PRICING }])
})

test('a favorite', async () => {
  const saved = await node.call('/v1/favorites', { key, body: { domain: DOMAIN } })
  expect(saved.json.data.favorite).toMatchObject({ term_years: 2, saved: { price: DUE }, current: { price: DUE } })
  const com = await node.call('/v1/favorites', { key, body: { domain: `${LABEL}.com` } })
  expect(com.json.data.favorite).toMatchObject({ term_years: 1 })
})

test('the command says it as text, and as JSON', async () => {
  const env = { NAMEWRIGHT_URL: node.url, NAMEWRIGHT_API_KEY: key }
  const tableOf = async (...args: string[]) => {
    let text = ''
    const stdout = { isTTY: true, columns: 160, write: (more: string) => void (text += more) }
    await runCli(args, { env, stdout })
    return text
  }
  expect(await tableOf('check', DOMAIN)).toContain(`${DUE}, 2 years minimum`)
  expect(await tableOf('check', `${LABEL}.com`)).not.toContain('minimum')
  expect(await tableOf('suggest', 'an assistant that reads contracts', '--tlds', 'ai')).toContain(
    `${DUE}, 2 years minimum`,
  )
  const json = await runCli(['check', DOMAIN, '--json'], { env })
  expect(JSON.parse(json.stdout)).toMatchObject([{ price: DUE, pricing: PRICING }])
  const refused = await runCli(['suggest', 'contracts', '--tlds', 'ai', '--max-price', '100', '--json'], { env })
  expect(JSON.parse(refused.stdout)).toMatchObject({ suggestions: [], shortfall: { reason: 'max_price' } })
})

test('agents read it with its term', async () => {
  const agent = await connect(node, (await world.makeKey(await world.makeAccount())).secret)
  const text = `${DUE} due now (2 years minimum)`
  const suggested = await agent.call('suggest_names', {
    description: 'an assistant that reads contracts',
    tlds: ['ai'],
  })
  expect(suggested.text).toContain(text)
  expect(suggested.text.split('due now')).toHaveLength(suggested.text.split(text).length)
  expect(suggested.text).toContain(' every 2 years')
  expect((await agent.call('check', { domains: [DOMAIN] })).text).toContain(`available, ${text}`)
  expect((await agent.call('check', { names: [LABEL], tlds: ['ai'] })).text).toContain(text)
  const saved = `${DUE} (2 years minimum)`
  expect((await agent.call('saved', { action: 'add', domain: DOMAIN })).text).toContain(saved)
  expect((await agent.call('saved')).text).toContain(saved)
  expect((await agent.call('check', { domains: [`${LABEL}.com`] })).text).not.toContain('minimum')
})
