/** `namewright tlds`, `webhooks` and `status`: against a real service, and against a service that is not healthy. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readPage } from '../../server/test/docs/pages.ts'
import { startApp } from '../../server/test/start-app.ts'
import type { World } from '../../server/test/world.ts'
import type { StatusAnswer, Webhook } from '../../sdk/src/api-types.ts'
import { EVENTS } from '../src/commands.ts'
import { EXIT } from '../src/exit.ts'
import { openFolder, runCli } from './harness.ts'
import type { Folder } from './harness.ts'

const HOOK = 'https://hooks.example.com/namewright'

let world: World
let folder: Folder
let env: Record<string, string>
let narrow: string
beforeAll(async () => {
  // Nothing listens there, so that a delivery fails and does not leave this machine.
  world = await startApp({ own: true, settings: { NAMEWRIGHT_OUTBOUND_ROUTES: 'hooks.example.com=127.0.0.1:1' } })
  const node = await world.startNode()
  folder = openFolder()
  const account = await world.makeAccount()
  const { secret } = await world.makeKey(account)
  narrow = (await world.makeKey(account, { scopes: ['history:read'] })).secret
  env = { NAMEWRIGHT_URL: node.url, NAMEWRIGHT_API_KEY: secret, XDG_CONFIG_HOME: folder.path }
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

const run = (args: readonly string[], more: Record<string, string> = {}) =>
  runCli([...args], { env: { ...env, ...more } })

describe('tlds', () => {
  test('lists the most popular suffixes first, with prices and renewals', async () => {
    const { code, stdout } = await run(['tlds', '--limit', '3', '--csv'])
    expect(code).toBe(EXIT.found)
    const [heading, first, ...others] = stdout.trimEnd().split('\r\n')
    expect(heading).toBe('suffix,price,renewal,term_years,eligibility,popularity,idn,currency')
    expect(first).toMatch(/^com,\$\d+\.\d\d,\$\d+\.\d\d,1,open,1,/)
    expect(others).toHaveLength(2)
  })

  test('shows twenty by default, in the requested currency', async () => {
    const lines = async (...args: string[]) => (await run(['tlds', ...args])).stdout.trimEnd().split('\n')
    expect(await lines()).toHaveLength(20)
    expect((await lines('--all')).length).toBeGreaterThan(100)
    const found = JSON.parse((await run(['tlds', '--search', 'com', '--currency', 'usd', '--json'])).stdout) as object[]
    expect(found[0]).toMatchObject({ suffix: 'com', pricing: { currency: 'USD' } })
  })

  test('exits with 1 without a match, and with 3 without the scope', async () => {
    const none = await run(['tlds', '--search', 'nosuchsuffix'])
    expect(none).toMatchObject({ code: EXIT.none, stdout: '', stderr: 'No matching suffix.\n' })
    expect((await run(['tlds'], { NAMEWRIGHT_API_KEY: narrow })).code).toBe(EXIT.auth)
  })
})

describe('webhooks', () => {
  test('are created, listed, tested and deleted', async () => {
    expect(await run(['webhooks'])).toMatchObject({ code: EXIT.none, stdout: '', stderr: 'No results.\n' })
    const made = await run(['webhooks', 'create', HOOK, '--events', 'favorite.available,batch.completed', '--json'])
    expect(made.code).toBe(EXIT.found)
    expect(made.stderr).toContain('not shown again')
    const { id, secret } = JSON.parse(made.stdout) as Webhook
    expect(secret).toMatch(/^whsec_/)

    const listed = await run(['webhooks', 'list', '--json'])
    expect(JSON.parse(listed.stdout)).toMatchObject([{ id, url: HOOK, enabled: true }])
    expect(listed.stdout).not.toContain('whsec_')

    const tried = await run(['webhooks', 'test', id, '--json'])
    expect(tried.code).toBe(EXIT.upstream)
    expect(JSON.parse(tried.stdout)).toMatchObject({ type: 'webhook.test', state: 'failed' })

    const unasked = await run(['webhooks', 'delete', id])
    expect(unasked.code).toBe(EXIT.usage)
    expect(unasked.stderr).toContain('Confirm with --yes.')
    expect((await run(['webhooks', 'delete', id, '--yes'])).code).toBe(EXIT.found)
    expect((await run(['webhooks'])).code).toBe(EXIT.none)
  })

  test('can receive every event of the OpenAPI document', () => {
    const { components } = JSON.parse(readPage('api/openapi.json')) as {
      components: { schemas: { WebhookRequest: { properties: { events: { items: { enum: string[] } } } } } }
    }
    expect(EVENTS).toEqual(components.schemas.WebhookRequest.properties.events.items.enum)
  })

  test.each([
    [['create'], 'Pass one URL'],
    [['create', HOOK], 'Pass the events'],
    [['create', HOOK, '--events', 'favorite.avaliable'], 'Did you mean favorite.available?'],
    [['delete', '--yes'], 'Pass at least one id'],
    [['test'], 'Pass one id'],
  ])('%j is a usage error', async (args, message) => {
    const ran = await run(['webhooks', ...args])
    expect(ran).toMatchObject({ code: EXIT.usage, stdout: '' })
    expect(ran.stderr).toContain(message)
  })
})

describe('status', () => {
  const HEALTHY: StatusAnswer['data'] = {
    audit: [],
    index: [],
    redis: true,
    parts: { database: 'ok', redis: 'ok', registries: 'ok', language_model: 'off' },
    sources: [{ source: 'dns', state: 'trusted', since: '2026-01-01T00:00:00.000Z', why: null }],
    sandbox: false,
    in_force: [],
    last_hour: { minutes: 60, down: 0 },
  }

  /** The command against a service with this status. */
  async function statusOf(data: StatusAnswer['data'], ...args: string[]) {
    const server = createServer((_request, response) => {
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ status: 'success', data }))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const ran = await run(['status', ...args], { NAMEWRIGHT_URL: url })
    server.closeAllConnections()
    server.close()
    return ran
  }

  test('of a real service has its dependencies and sources', async () => {
    const { stdout } = await run(['status', '--csv'])
    expect(stdout).toMatch(/^kind,name,state,why\r\npart,database,ok,\r\npart,redis,ok,\r\n/)
    expect(stdout).toContain('\r\nsource,dns')
    expect(JSON.parse((await run(['status', '--json'])).stdout)).toMatchObject({ parts: { database: 'ok' } })
  })

  test('exits with 0 while everything is healthy, also with a dependency that is turned off', async () => {
    const { code, stdout, stderr } = await statusOf(HEALTHY)
    expect(code).toBe(EXIT.found)
    expect(stdout).toContain('source\tdns\ttrusted\t')
    expect(stderr).toContain('Last hour: 0 of 60 minutes with failures.')
  })

  test('exits with 5 when a dependency is unreachable or a source cannot be used, in every format', async () => {
    const unreachable: StatusAnswer['data'] = {
      ...HEALTHY,
      parts: { ...HEALTHY.parts, redis: 'away' },
      in_force: ['local_limits'],
    }
    const ran = await statusOf(unreachable)
    expect(ran.code).toBe(EXIT.upstream)
    expect(ran.stderr).toContain('In force: local_limits.')
    const untrusted = {
      source: 'dns',
      state: 'untrusted' as const,
      since: '2026-01-01T00:00:00.000Z',
      why: 'denies all',
    }
    for (const format of ['--json', '--ndjson', '--csv'])
      expect((await statusOf({ ...HEALTHY, sources: [untrusted] }, format)).code).toBe(EXIT.upstream)
  })
})
