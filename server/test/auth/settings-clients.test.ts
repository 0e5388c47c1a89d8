/** Applications from the settings: registered by an account, acting for it with tokens of their own, and their end. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp } from '../start-app.ts'
import type { PeopleWorld, Reply, SignedIn, Visitor } from '../people-world.ts'
import { expectRefused } from './until-refused.ts'

const WITHIN_MS = 1_000

let at: PeopleWorld
let ada: SignedIn
let account: string
beforeAll(async () => {
  at = await startApp({ people: true, settings: { NAMEWRIGHT_LOG_LEVEL: 'debug' } })
  ada = await at.signUp('Ada')
  account = `/settings/accounts/${ada.userId}`
})
afterAll(() => at[Symbol.asyncDispose]())

interface Client {
  readonly client_id: string
  readonly client_secret: string
}

const refusalOf = ({ status, json }: Reply) => `${status} ${json?.error?.code}`
const fieldsOf = ({ json }: Reply) =>
  (json.error.errors as { pointer: string; code: string }[]).map(({ pointer, code }) => `${pointer} ${code}`).toSorted()

async function makeClient(body: Record<string, unknown> = {}, by: Visitor = ada, where = account): Promise<Client> {
  const own = { name: 'robot', kind: 'confidential', own_scopes: ['history:read', 'domains:check'] }
  const made = await by.ask(`${where}/clients`, { body: { ...own, ...body } })
  expect(made.status, made.text).toBe(201)
  return made.json.data.client as Client
}

const changeClient = (id: string, body: unknown) => ada.ask(`${account}/clients/${id}`, { method: 'PATCH', body })

const askToken = ({ client_id, client_secret }: Client, form: Record<string, string> = {}) =>
  at.visitor().ask('/auth/oauth2/token', {
    form: { grant_type: 'client_credentials', resource: `${at.url}/v1`, ...form },
    headers: { authorization: `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}` },
  })

async function tokenOf(client: Client, form: Record<string, string> = {}): Promise<string> {
  const reply = await askToken(client, form)
  expect(reply.status, reply.text).toBe(200)
  return reply.json.access_token as string
}

const call = (token: string, path = '/v1/history', body?: unknown) =>
  at.visitor().ask(path, { headers: { authorization: `Bearer ${token}` }, ...(body === undefined ? {} : { body }) })

async function grantOf({ client_id }: Client) {
  const { json } = await ada.ask(`${account}/grants`)
  const grants = json.data.grants as ({ id: string; client_id: string } & Record<string, unknown>)[]
  return grants.find((grant) => grant.client_id === client_id)
}

async function actionsOf({ client_id }: Client): Promise<string[]> {
  const { json } = await ada.ask(`${account}/security-events?limit=100`)
  const events = json.data.security_events as { action: string; detail: Record<string, string> }[]
  return events
    .filter(({ detail }) => detail.client_id === client_id)
    .map(({ action }) => action)
    .toReversed()
}

describe('an application with scopes of its own', () => {
  test('gets a token with its secret and acts for the account that registered it', async () => {
    const { client_secret, ...client } = await makeClient()
    expect(client_secret).toMatch(/^nwc_[0-9A-Za-z]{36}$/)
    expect(client).toEqual({
      client_id: expect.any(String),
      name: 'robot',
      kind: 'confidential',
      redirect_uris: [],
      own_scopes: ['history:read', 'domains:check'],
      created_at: expect.any(String),
      enabled: true,
      off_reason: null,
    })
    const listed = await ada.ask(`${account}/clients`)
    expect(listed.json.data.clients).toContainEqual(client)
    expect(listed.text).not.toContain('nwc_')

    const token = await tokenOf({ ...client, client_secret })
    expect(token).toMatch(/^nwa_/)
    expect((await call(token)).status).toBe(200)
    const checked = await call(token, '/v1/domains/check', { domains: ['mayfly.com'] })
    expect(checked.status, checked.text).toBe(200)
    expect(refusalOf(await call(token, '/v1/favorites'))).toBe('403 insufficient_scope')
    await expect
      .poll(async () => (await grantOf({ ...client, client_secret }))?.['last_used_at'])
      .toEqual(expect.any(String))
    expect(await grantOf({ ...client, client_secret })).toEqual({
      id: expect.any(String),
      client_id: client.client_id,
      name: 'robot',
      uri: null,
      own: true,
      scopes: ['history:read', 'domains:check'],
      quota: { per_minute: 60, burst: 20, per_day: 1000, per_month: null },
      allowed_ips: [],
      created_at: expect.any(String),
      created_by: { id: ada.userId, name: 'Ada' },
      last_used_at: expect.any(String),
      revoked_at: null,
      used: { today: 0, this_month: 0 },
    })
    const keys = await ada.ask(`${account}/keys`)
    expect(keys.json.data.keys).toEqual([])
  })

  test('its use counts in the account, under its own row', async () => {
    const gus = await at.signUp('Gus')
    const where = `/settings/accounts/${gus.userId}`
    const client = await makeClient({ own_scopes: ['generate'] }, gus, where)
    const answer = await call(await tokenOf(client), '/v1/generate', {
      description: 'a bakery in Lisbon',
      count: 2,
      deadline_ms: 30_000,
    })
    expect(answer.status, answer.text).toBe(200)
    const returned = answer.json.data.suggestions.length
    const { json } = await gus.ask(`${where}/usage?days=1`)
    expect(json.data.usage).toMatchObject({
      account: { today: returned },
      keys: [{ client_id: client.client_id, name: 'robot', this_month: returned }],
    })
    const grants = await gus.ask(`${where}/grants`)
    expect(grants.json.data.grants).toMatchObject([{ used: { today: returned, this_month: returned } }])
  })

  test('a new secret takes the place of the old one', async () => {
    const client = await makeClient()
    const token = await tokenOf(client)
    const rotated = await ada.ask(`${account}/clients/${client.client_id}/rotate`, { method: 'POST' })
    expect(rotated.status, rotated.text).toBe(200)
    const fresh = rotated.json.data.client as Client
    expect(fresh.client_secret).toMatch(/^nwc_/)
    expect(fresh.client_secret).not.toBe(client.client_secret)
    const refused = await askToken(client)
    expect([refused.status, refused.json.error]).toEqual([401, 'invalid_client'])
    expect((await call(await tokenOf(fresh))).status).toBe(200)
    expect((await call(token)).status).toBe(200)
    expect(await actionsOf(client)).toEqual(['client_created', 'client_secret_rotated'])
    for (const secret of [client.client_secret, fresh.client_secret]) {
      const { rows } = await at.world.owner.query('SELECT c::text FROM people.oauth_client c')
      expect(JSON.stringify(rows)).not.toContain(secret.slice(8, 30))
      expect(at.node.output()).not.toContain(secret.slice(8, 30))
    }
  })

  test('with fewer scopes its tokens are gone and new ones are narrower', async () => {
    const client = await makeClient()
    const token = await tokenOf(client)
    expect((await call(token)).status).toBe(200)
    const changed = await changeClient(client.client_id, { own_scopes: ['domains:check'], name: 'smaller' })
    expect(changed.json.data.client).toMatchObject({ own_scopes: ['domains:check'], name: 'smaller' })
    await expectRefused(() => call(token), '401 invalid_token')
    const fresh = await tokenOf(client)
    expect(refusalOf(await call(fresh))).toBe('403 insufficient_scope')
    expect((await call(fresh, '/v1/domains/check', { domains: ['mayfly.com'] })).status).toBe(200)
    expect(await grantOf(client)).toMatchObject({ scopes: ['domains:check'], name: 'smaller', revoked_at: null })

    await changeClient(client.client_id, { own_scopes: ['domains:check', 'history:read'] })
    expect((await call(await tokenOf(client))).status).toBe(200)
  })

  test('without scopes of its own it gets no token, until it has some again', async () => {
    const redirect_uris = ['https://app.example/callback']
    const client = await makeClient({ redirect_uris })
    const token = await tokenOf(client)
    expect((await changeClient(client.client_id, { own_scopes: [] })).status).toBe(200)
    await expectRefused(() => call(token), '401 invalid_token')
    expect((await askToken(client)).status).toBe(400)
    expect(await grantOf(client)).toMatchObject({ revoked_at: expect.any(String) })
    await changeClient(client.client_id, { own_scopes: ['history:read'] })
    expect((await call(await tokenOf(client))).status).toBe(200)
    expect(await grantOf(client)).toMatchObject({ scopes: ['history:read'], revoked_at: null })
    expect(await actionsOf(client)).toEqual(['client_created', 'client_changed', 'client_changed'])
  })

  test('is gone with its tokens within a second when it is deleted', async () => {
    const client = await makeClient()
    const token = await tokenOf(client)
    expect((await call(token)).status).toBe(200)
    const path = `${account}/clients/${client.client_id}`
    expect((await ada.ask(path, { method: 'DELETE' })).json).toEqual({ status: 'success', data: {} })
    await expectRefused(() => call(token), '401 invalid_token')
    expect((await askToken(client)).status).toBeGreaterThanOrEqual(400)
    expect(await grantOf(client)).toMatchObject({ name: 'robot', own: false, revoked_at: expect.any(String) })
    expect(refusalOf(await ada.ask(path, { method: 'DELETE' }))).toBe('404 not_found')
    expect(refusalOf(await ada.ask(path, { method: 'PATCH', body: { name: 'x' } }))).toBe('404 not_found')
    expect(refusalOf(await ada.ask(`${path}/rotate`, { method: 'POST' }))).toBe('404 not_found')
    expect(await actionsOf(client)).toEqual(['client_created', 'client_deleted'])
  })
})

describe('a grant', () => {
  test('limits what its application may call, from the next second on', async () => {
    const client = await makeClient()
    const token = await tokenOf(client)
    expect((await call(token)).headers.get('ratelimit-policy')).toContain('"rate";q=20;w=20')
    const grant = await grantOf(client)
    const path = `${account}/grants/${grant?.id}`
    const changed = await ada.ask(path, { method: 'PATCH', body: { quota: { per_minute: 6, burst: 1 } } })
    expect(changed.json.data.grant).toMatchObject({
      id: grant?.id,
      quota: { per_minute: 6, burst: 1, per_day: 1000, per_month: null },
    })
    await expectRefused(() => call(token), '429 rate_limited')
    await ada.ask(path, { method: 'PATCH', body: { allowed_ips: ['192.0.2.1'] } })
    await sleep(WITHIN_MS)
    expect(refusalOf(await call(token))).toBe('403 ip_not_allowed')
    expect(await actionsOf(client)).toEqual(['client_created', 'grant_changed', 'grant_changed'])
  })

  test('that is ended takes the tokens with it, and new ones are worth nothing', async () => {
    const client = await makeClient()
    const token = await tokenOf(client)
    const path = `${account}/grants/${(await grantOf(client))?.id}`
    expect((await call(token)).status).toBe(200)
    expect((await ada.ask(path, { method: 'DELETE' })).status).toBe(200)
    await expectRefused(() => call(token), '401 invalid_token')
    expect(refusalOf(await call(await tokenOf(client)))).toBe('401 invalid_token')
    expect((await changeClient(client.client_id, { name: 'renamed' })).status).toBe(200)
    expect(refusalOf(await call(await tokenOf(client)))).toBe('401 invalid_token')
    expect(refusalOf(await ada.ask(path, { method: 'DELETE' }))).toBe('404 not_found')
    expect(refusalOf(await ada.ask(path, { method: 'PATCH', body: { quota: {} } }))).toBe('404 not_found')
    expect(await actionsOf(client)).toEqual(['client_created', 'grant_ended', 'client_changed'])
  })

  test('is no key, and a key is no grant', async () => {
    const grant = await grantOf(await makeClient())
    const key = (await ada.ask(`${account}/keys`, { body: { name: 'k', scopes: ['generate'] } })).json.data.key
    for (const path of [`${account}/keys/${grant?.id}`, `${account}/grants/${key.id}`]) {
      expect(refusalOf(await ada.ask(path, { method: 'DELETE' }))).toBe('404 not_found')
      const body = { quota: { per_minute: 1 } }
      expect(refusalOf(await ada.ask(path, { method: 'PATCH', body }))).toBe('404 not_found')
    }
    expect(refusalOf(await ada.ask(`${account}/keys/${grant?.id}/rotate`, { body: {} }))).toBe('404 not_found')
  })
})

describe('a body that is wrong', () => {
  const refused = async (body: Record<string, unknown>) => {
    const reply = await ada.ask(`${account}/clients`, { body: { name: 'x', kind: 'confidential', ...body } })
    expect(refusalOf(reply)).toBe('400 invalid_request')
    return fieldsOf(reply)
  }

  test('is refused with a pointer to each mistake', async () => {
    expect(await refused({ kind: 'secret', redirect_uris: [1], own_scopes: ['all'], skip_consent: true })).toEqual([
      '/kind not_allowed',
      '/own_scopes/0 not_allowed',
      '/redirect_uris/0 wrong_type',
      '/skip_consent unknown_field',
    ])
    const uris = ['https://app.example/*', 'http://app.example/', 'https://app.example/ok', 'javascript:alert(1)']
    expect(await refused({ redirect_uris: uris })).toEqual([
      '/redirect_uris/0 bad_format',
      '/redirect_uris/1 bad_format',
      '/redirect_uris/3 bad_format',
    ])
    const many = Array.from({ length: 21 }, (_, i) => `https://app.example/${i}`)
    expect(await refused({ redirect_uris: many })).toEqual(['/redirect_uris too_many'])
    expect(await refused({})).toEqual(['/redirect_uris too_few'])
    expect(await refused({ kind: 'public', own_scopes: ['generate'] })).toEqual([
      '/own_scopes too_many',
      '/redirect_uris too_few',
    ])
  })

  test('a change is measured with what stays', async () => {
    const open = await makeClient({ kind: 'public', redirect_uris: ['com.example.app:/callback'], own_scopes: [] })
    expect(open.client_secret).toBeUndefined()
    expect(fieldsOf(await changeClient(open.client_id, { own_scopes: ['generate'] }))).toEqual(['/own_scopes too_many'])
    expect(fieldsOf(await changeClient(open.client_id, { redirect_uris: [] }))).toEqual(['/redirect_uris too_few'])
    expect(fieldsOf(await changeClient(open.client_id, { kind: 'confidential' }))).toEqual(['/kind unknown_field'])
    expect(refusalOf(await ada.ask(`${account}/clients/${open.client_id}/rotate`, { method: 'POST' }))).toBe(
      '404 not_found',
    )
    expect(await grantOf(open)).toBeUndefined()
    expect(await actionsOf(open)).toEqual(['client_created'])
  })
})

test('the security log is read in pages, newest first, with who did it and from where', async () => {
  const hal = await at.signUp('Hal')
  const where = `/settings/accounts/${hal.userId}`
  for (const name of ['one', 'two', 'three']) {
    await hal.ask(`${where}/keys`, { body: { name, scopes: ['generate'] } })
  }
  const first = await hal.ask(`${where}/security-events?limit=2`)
  const { security_events: events, next_cursor } = first.json.data
  expect(events[0]).toEqual({
    id: expect.any(String),
    created_at: expect.any(String),
    action: 'key_created',
    actor: { id: hal.userId, name: 'Hal' },
    credential: { kind: 'session', id: expect.any(String), name: null },
    application: null,
    ip: hal.address,
    detail: { key_id: expect.any(String), name: 'three', scopes: 'generate' },
  })
  expect(events).toHaveLength(2)
  const link = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? ''
  expect(link).toBe(`${at.url}${where}/security-events?limit=2&cursor=${next_cursor}`)
  const second = await hal.ask(link)
  expect(second.json.data.security_events[0]).toMatchObject({ action: 'key_created', detail: { name: 'one' } })
  const stolen = `${account}/security-events?limit=2&cursor=${next_cursor}`
  expect(refusalOf(await ada.ask(stolen))).toBe('400 invalid_cursor')
  const wrong = await ada.ask(`${account}/security-events?limit=0&page=2`)
  expect(fieldsOf(wrong)).toEqual(['?limit too_small', '?page unknown_field'])
})
