/**
 * A node that can reach nobody outside: what everybody is shown who asks it for names. Each text is kept as
 * no-network/NAME.txt; after a change that is meant: pnpm exec vitest run web/test/nightly/no-network.test.ts -u, and read them.
 */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createNamewright } from '../../../sdk/src/namewright.ts'
import { runCli } from '../../../command/test/harness.ts'
import { makePublishable, openPage, openShop, search } from '../../../sdk/test/element-shop.ts'
import { closeContexts, shareBrowser } from '../../../server/test/browser.ts'
import { freePort } from '../../../server/test/free-port.ts'
import { connect } from '../../../server/test/mcp-client.ts'
import { emptyRedis } from '../../../server/test/redis.ts'
import { ACCEPT } from '../../../server/test/stream-reader.ts'
import { request } from '../../../server/test/world.ts'
import { startApp } from '../../../server/test/start-app.ts'
import type { Node, World } from '../../../server/test/world.ts'
import { DESK, show } from '../appearances.ts'
import type { Appearance } from '../appearances.ts'

const DESCRIPTION = 'a bakery that delivers by bicycle'
const BODY = { description: DESCRIPTION, count: 2, tlds: ['com'] }
const HOSTS = ['api.vercel.com', 'rdap.verisign.com', 'data.iana.org']
const LANGUAGES = ['en', 'de', 'es', 'fr', 'it', 'ja', 'ko', 'pt-BR', 'ru', 'tr', 'zh-Hans', 'ar']
const PATIENT = { timeout: 120_000 }

let world: World
let node: Node
let key: string
let browser: Browser
beforeAll(async () => {
  // Nobody listens there.
  const [nowhere, here] = [`127.0.0.1:${await freePort()}`, await freePort()]
  world = await startApp({
    own: true,
    settings: {
      ...(await emptyRedis()),
      NAMEWRIGHT_AVAILABILITY_MODE: 'strict',
      NAMEWRIGHT_SUFFIXES: 'com',
      NAMEWRIGHT_DNS_RESOLVERS: nowhere,
      NAMEWRIGHT_REGISTRARS: 'vercel',
      NAMEWRIGHT_RDAP: 'on',
      NAMEWRIGHT_OUTBOUND_ROUTES: HOSTS.map((host) => `${host}=${nowhere}`).join(','),
      NAMEWRIGHT_PUBLIC_ALLOWANCE: '1000',
      NAMEWRIGHT_PORT: String(here),
      NAMEWRIGHT_PUBLIC_URL: `http://127.0.0.1:${here}`,
    },
  })
  node = await world.startNodeProcess()
  key = (await world.makeKey(await world.makeAccount())).secret
  browser = await shareBrowser()
}, 120_000)
afterAll(async () => {
  await closeContexts(browser)
  await world?.[Symbol.asyncDispose]()
})

const golden = (name: string, text: string) => expect(`${text.trim()}\n`).toMatchFileSnapshot(`no-network/${name}.txt`)
const asText = (value: unknown) => JSON.stringify(value, undefined, 2)

test('within seconds the node knows and says that it can reach nobody', PATIENT, async () => {
  const sources = async () => (await node.call('/readyz')).json.checks.sources as string
  await expect.poll(sources).toMatch(/^dns unreachable: .*; vercel unreachable: /)
  // Registries are asked for the first time with the first name.
  const isAsked = async () => {
    await node.call('/v1/domains/check', { key, body: { domains: ['mayfly.com'], deadline_ms: 10_000 } })
    return sources()
  }
  await expect.poll(isAsked).toMatch(/; rdap\.verisign\.com unreachable: /)
  await expect.poll(node.output).toMatch(/"level":40.*"source":"vercel","state":"unreachable"/)
  const { json } = await node.call('/v1/status', { key })
  const trusts = json.data.sources.map(({ source, state, why }: Record<string, string>) => ({ source, state, why }))
  await golden('status', asText({ parts: json.data.parts, sources: trusts }))
})

test('a program gets the reason, the sources and what to do', PATIENT, async () => {
  const { json, ...answer } = await node.call('/v1/generate', { key, body: BODY })
  await golden('generate', `${answer.status}\n${asText(json)}`)
  const client = createNamewright({ baseUrl: node.url, apiKey: key })
  expect(await client.generate(BODY)).toEqual(json.data)
  const check = await node.call('/v1/domains/check', { key, body: { domains: ['google.com', 'mayfly.com'] } })
  const said = check.json.data.domains as Record<'domain' | 'available' | 'status', unknown>[]
  await golden('check', asText(said.map(({ domain, available, status }) => ({ domain, available, status }))))
})

test('the end of a stream says the same', PATIENT, async () => {
  const headers = { accept: ACCEPT.ndjson }
  const { text } = await request(node.url, '/v1/generate', { key, body: BODY, headers })
  const events = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { event: string; data: object })
  await golden('stream', asText(events.flatMap(({ event, data }) => (event === 'done' ? [{ event, data }] : []))))
})

test('the command says what is wrong and ends with 5', PATIENT, async () => {
  const env = { NAMEWRIGHT_URL: node.url, NAMEWRIGHT_API_KEY: key }
  for (const [name, args] of [
    ['cli-suggest', ['suggest', DESCRIPTION, '--count', '2', '--tlds', 'com']],
    ['cli-check', ['check', 'google.com', 'mayfly.com']],
  ] as const) {
    const { code, stdout, stderr } = await runCli(args, { env })
    await golden(name, `$ namewright ${args.join(' ')}\n[exit ${code}]\n--- stdout\n${stdout}--- stderr\n${stderr}`)
    expect(code).toBe(5)
  }
})

test('an agent gets the same in plain text', PATIENT, async () => {
  const agent = await connect(node, key)
  const { text, isError } = await agent.call('suggest_names', { description: DESCRIPTION, count: 2, tlds: ['com'] })
  await agent.client.close()
  expect(isError).toBe(false)
  await golden('mcp', text)
})

test('the element says that domains cannot be checked, and offers a retry', PATIENT, async () => {
  await using shop = await openShop(node.url)
  const publishable = await makePublishable(world, shop.url)
  const address = shop.pageOf({ 'publishable-key': publishable, count: '2', tlds: 'com' })
  // With a later deadline the service searches on, and the element gives up after eight seconds of silence.
  await using at = await openPage(browser, address, { keepsDeadline: true })
  await search(at.page, DESCRIPTION)
  const failure = at.page.locator('.failure')
  await failure.filter({ hasText: /\S/ }).waitFor()
  await golden('element', await failure.innerText())
  expect(await at.events()).toMatchObject([['namewright-error', { code: 'availability_unknown' }]])
})

test('the app says that availability cannot be checked and what to do, in every language', PATIENT, async () => {
  const context = await browser.newContext({ baseURL: node.url, locale: 'en-GB' })
  const page = await context.newPage()
  const asked = new URLSearchParams({ d: DESCRIPTION, n: '2', tlds: 'com' })
  await page.goto(`/?${asked}`)
  await page.getByText('Availability cannot be checked right now').waitFor()
  const texts: string[] = []
  for (const language of LANGUAGES) {
    await show(page, { language: language as Appearance['language'], theme: 'light', width: DESK })
    texts.push(`[${language}]\n${await emptyOf(page)}`)
  }
  await golden('app', texts.join('\n\n'))
  await context.close()
})

async function emptyOf(page: Page): Promise<string> {
  // Its button is the only one behind the filters.
  const button = page.getByRole('main').getByRole('button').last()
  return (await button.locator('..').innerText()).trim()
}
