/** Keys from the settings: made, changed, rotated and revoked by people, and obeyed under /v1 within a second. */
import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { fetch } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp } from '../start-app.ts'
import type { PeopleWorld, Reply, SignedIn, Visitor } from '../people-world.ts'
import { expectRefused } from './until-refused.ts'
import { runningMs } from '../../../scripts/test/running-ms.ts'

const WITHIN_MS = 1_000

let at: PeopleWorld
let ada: SignedIn
let keys: string
beforeAll(async () => {
  at = await startApp({ people: true, settings: { NAMEWRIGHT_LOG_LEVEL: 'debug' } })
  ada = await at.signUp('Ada')
  keys = `/settings/accounts/${ada.userId}/keys`
})
afterAll(() => at[Symbol.asyncDispose]())

const refusalOf = ({ status, json }: Reply) => `${status} ${json?.error?.code}`
const fieldsOf = ({ json }: Reply) =>
  (json.error.errors as { pointer: string; code: string }[]).map(({ pointer, code }) => `${pointer} ${code}`).toSorted()

const call = (key: string, path = '/v1/history', from: Visitor = ada, body?: unknown) =>
  from.ask(path, { headers: { authorization: `Bearer ${key}` }, ...(body === undefined ? {} : { body }) })

// Asked every 50 ms in some of these tests.
const WIDE = { per_minute: 6_000, burst: 600 }

async function makeKey(body: Record<string, unknown> = {}) {
  const made = await ada.ask(keys, { body: { name: 'site', scopes: ['history:read'], quota: WIDE, ...body } })
  expect(made.status, made.text).toBe(201)
  return made.json.data.key as { id: string; secret: string; prefix: string }
}

const changeKey = (id: string, body: unknown) => ada.ask(`${keys}/${id}`, { method: 'PATCH', body })

async function shown(id: string) {
  const { json } = await ada.ask(keys)
  return (json.data.keys as ({ id: string } & Record<string, unknown>)[]).find((key) => key.id === id)
}

async function actionsOf(detail: string): Promise<string[]> {
  const { rows } = await at.world.owner.query<{ action: string }>(
    `SELECT action FROM security_event WHERE account_id = $1 AND actor = $1::text AND ip = $2 AND detail::text LIKE $3
     ORDER BY id`,
    [ada.userId, ada.address, `%${detail}%`],
  )
  return rows.map(({ action }) => action)
}

/** After how long the last request was sent that was still refused. */
async function untilAccepted(key: string): Promise<number> {
  const startedAt = runningMs()
  for (let ms = 0; ;) {
    const sentMs = runningMs() - startedAt
    const answer = await call(key, '/v1/history', ada)
    if (answer.status === 200 || sentMs > 5 * WITHIN_MS) return ms
    ms = sentMs
    await sleep(50)
  }
}

describe('the life of a key', () => {
  test('from a sign-up to a suggestion, with its use shown', async () => {
    const bea = await at.signUp('Bea')
    const path = `/settings/accounts/${bea.userId}/keys`
    const made = await bea.ask(path, { body: { name: 'first', scopes: ['generate', 'usage:read'] } })
    expect(made.status, made.text).toBe(201)
    expect(made.headers.get('cache-control')).toBe('no-store')
    const { secret, ...key } = made.json.data.key
    expect(secret).toMatch(/^nw_[0-9A-Za-z]{36}$/)
    expect(key).toEqual({
      id: expect.any(String),
      name: 'first',
      prefix: `${secret.slice(0, 7)}…`,
      scopes: ['generate', 'usage:read'],
      quota: { per_minute: 60, burst: 20, per_day: 1000, per_month: null },
      allowed_ips: [],
      origins: [],
      created_at: expect.any(String),
      created_by: { id: bea.userId, name: 'Bea' },
      expires_at: null,
      last_used_at: null,
      revoked_at: null,
      review: null,
      used: { today: 0, this_month: 0 },
    })

    const answer = await call(secret, '/v1/generate', bea, {
      description: 'a bakery in Lisbon',
      count: 3,
      deadline_ms: 30_000,
    })
    expect(answer.status, answer.text).toBe(200)
    const returned = answer.json.data.suggestions.length
    expect(returned).toBeGreaterThan(0)

    await expect.poll(async () => (await bea.ask(path)).json.data.keys[0].last_used_at).toEqual(expect.any(String))
    const listed = await bea.ask(path)
    expect(listed.json.data.keys).toEqual([
      { ...key, last_used_at: expect.any(String), used: { today: returned, this_month: returned } },
    ])
    expect(Date.now() - Date.parse(listed.json.data.keys[0].last_used_at)).toBeLessThan(60_000)
    const usage = await bea.ask(`/settings/accounts/${bea.userId}/usage?days=2`)
    const use = {
      days: [
        { day: expect.any(String), suggestions: returned },
        { day: expect.any(String), suggestions: 0 },
      ],
      today: returned,
      this_month: returned,
    }
    expect(usage.json.data.usage).toEqual({
      account: use,
      keys: [{ id: key.id, name: 'first', client_id: null, ...use }],
      // Written a little later; see ../traffic.test.ts.
      endpoints: expect.any(Array),
    })
  })

  test('its text is in the answer that made it and nowhere else', async () => {
    const { id, secret } = await makeKey({ name: 'findable name' })
    const rotated = (await ada.ask(`${keys}/${id}/rotate`, { body: {} })).json.data.key.secret as string
    await call(secret)
    await call(rotated)
    const account = `/settings/accounts/${ada.userId}`
    const pages = ['keys', 'usage', 'clients', 'grants', 'security-events']
    const answers = await Promise.all(pages.map((page) => ada.ask(`${account}/${page}`)))
    const changed = await changeKey(id, { name: 'findable name too' })
    const { rows } = await at.world.owner.query<{ row: string }>(
      `SELECT k::text AS row FROM api_key k UNION ALL SELECT s::text FROM key_secret s
       UNION ALL SELECT e::text FROM security_event e`,
    )
    const everything = [...answers, changed].map(({ text }) => text).join() + rows.map(({ row }) => row).join()
    expect(everything).toContain('findable name')
    for (const text of [secret, rotated]) {
      expect(everything).not.toContain(text.slice(8, 30))
      expect(at.node.output()).not.toContain(text.slice(8, 30))
      for (const { text: answer } of answers) expect(answer).not.toContain(hash('sha256', text))
    }
  })

  test('ends within a second when it is revoked, once and for good', async () => {
    const { id, secret } = await makeKey()
    expect((await call(secret)).status).toBe(200)
    expect((await ada.ask(`${keys}/${id}`, { method: 'DELETE' })).json).toEqual({ status: 'success', data: {} })
    await expectRefused(() => call(secret), '401 invalid_token')
    expect(await shown(id)).toMatchObject({ revoked_at: expect.any(String) })
    expect(refusalOf(await ada.ask(`${keys}/${id}`, { method: 'DELETE' }))).toBe('404 not_found')
    expect(refusalOf(await changeKey(id, { name: 'again' }))).toBe('404 not_found')
    expect(refusalOf(await ada.ask(`${keys}/${id}/rotate`, { body: {} }))).toBe('404 not_found')
    expect(await actionsOf(id)).toEqual(['key_created', 'key_revoked'])
  })
})

describe('a change of a key takes effect within a second:', () => {
  test('its name', async () => {
    const { id, secret } = await makeKey()
    expect((await changeKey(id, { name: 'shop' })).json.data.key).toMatchObject({ id, name: 'shop' })
    expect(await shown(id)).toMatchObject({ name: 'shop', scopes: ['history:read'] })
    expect((await call(secret)).status).toBe(200)
    expect(await actionsOf(id)).toEqual(['key_created', 'key_changed'])
  })

  test('its scopes', async () => {
    const { id, secret } = await makeKey()
    expect((await call(secret)).status).toBe(200)
    await changeKey(id, { scopes: ['favorites:read'] })
    await expectRefused(() => call(secret), '403 insufficient_scope')
    expect((await call(secret, '/v1/favorites')).status).toBe(200)
  })

  test('its quota, of which what is left out stays', async () => {
    const { id, secret } = await makeKey({ quota: { per_month: 5_000 } })
    expect((await call(secret)).headers.get('ratelimit-policy')).toContain('"rate";q=20;w=20')
    const changed = await changeKey(id, { quota: { per_minute: 6, burst: 1, per_day: null } })
    expect(changed.json.data.key.quota).toEqual({ per_minute: 6, burst: 1, per_day: null, per_month: 5_000 })
    await expectRefused(() => call(secret), '429 rate_limited')
    const policy = (await call(secret)).headers.get('ratelimit-policy')
    expect(policy).toContain('"rate";q=1;w=10')
    expect(policy).not.toContain('"day"')
  })

  test('its budget', async () => {
    const { id, secret } = await makeKey({ scopes: ['generate'] })
    const ask = { description: 'a bakery in Lisbon', count: 2 }
    expect((await call(secret, '/v1/generate', ada, ask)).status).toBe(200)
    await changeKey(id, { quota: { per_day: 0 } })
    await sleep(WITHIN_MS)
    expect(refusalOf(await call(secret, '/v1/generate', ada, { ...ask, count: 100 }))).toBe('429 quota_exceeded')
  })

  test('its end, which can be taken off', async () => {
    const { id, secret } = await makeKey()
    expect((await call(secret)).status).toBe(200)
    const end = new Date(Date.now() + 4_000).toISOString()
    expect((await changeKey(id, { expires_at: end })).json.data.key.expires_at).toBe(end)
    expect((await call(secret)).status).toBe(200)
    await expectRefused(() => call(secret), '401 expired_token', 4_000 + WITHIN_MS)
    await changeKey(id, { expires_at: null })
    expect(await untilAccepted(secret)).toBeLessThan(WITHIN_MS)
    expect((await call(secret)).status).toBe(200)
  })

  test('the addresses it may be used from', async () => {
    const { id, secret } = await makeKey({ allowed_ips: [`${ada.address}/32`, '2001:db8::/32'] })
    const other = at.visitor()
    expect((await call(secret)).status).toBe(200)
    expect(refusalOf(await call(secret, '/v1/history', other))).toBe('403 ip_not_allowed')
    await changeKey(id, { allowed_ips: [other.address] })
    await expectRefused(() => call(secret), '403 ip_not_allowed')
    expect((await call(secret, '/v1/history', other)).status).toBe(200)
    await changeKey(id, { allowed_ips: [] })
    expect(await untilAccepted(secret)).toBeLessThan(WITHIN_MS)
    expect((await call(secret)).status).toBe(200)
  })
})

describe('a rotated key', () => {
  test('works in both forms until the grace is over', async () => {
    const { id, secret: old } = await makeKey()
    const reply = await ada.ask(`${keys}/${id}/rotate`, { body: { grace_seconds: 5 } })
    expect(reply.status, reply.text).toBe(200)
    const { secret: fresh, prefix } = reply.json.data.key
    expect(prefix).toBe(`${fresh.slice(0, 7)}…`)
    await sleep(WITHIN_MS)
    expect([(await call(old)).status, (await call(fresh)).status]).toEqual([200, 200])
    await expectRefused(() => call(old), '401 expired_token', Infinity)
    expect((await call(fresh)).status).toBe(200)
    expect(await actionsOf(id)).toEqual(['key_created', 'key_rotated'])
  })

  test('has a day of grace unless another is asked for', async () => {
    const { id } = await makeKey()
    await ada.ask(`${keys}/${id}/rotate`, { body: {} })
    const { rows } = await at.world.owner.query<{ hours: number }>(
      `SELECT round(extract(epoch FROM expires_at - now()) / 3600)::int AS hours FROM key_secret
       WHERE key_id = $1 AND expires_at IS NOT NULL`,
      [id],
    )
    expect(rows).toEqual([{ hours: 24 }])
  })
})

describe('a body that is wrong', () => {
  test('is refused with a pointer to each mistake', async () => {
    const body = {
      name: ' ',
      scopes: ['generate', 'everything'],
      quota: { per_minute: 0, per_hour: 5 },
      allowed_ips: 'anywhere',
      key: 'nw_mine',
    }
    const reply = await ada.ask(keys, { body })
    expect(refusalOf(reply)).toBe('400 invalid_request')
    expect(fieldsOf(reply)).toEqual([
      '/allowed_ips wrong_type',
      '/key unknown_field',
      '/name bad_format',
      '/quota/per_hour unknown_field',
      '/quota/per_minute too_small',
      '/scopes/1 not_allowed',
    ])
    const ends = await ada.ask(keys, { body: { scopes: [], quota: { per_day: -1 }, expires_at: 'tomorrow' } })
    expect(fieldsOf(ends)).toEqual([
      '/expires_at bad_format',
      '/name required',
      '/quota/per_day too_small',
      '/scopes too_few',
    ])
    const said = (ends.json.error.errors as { pointer: string; message: string }[]).find(
      ({ pointer }) => pointer === '/expires_at',
    )
    expect(said?.message).toMatch(/date-time\.$/)
  })

  test('is refused where only its meaning is wrong', async () => {
    const past = { name: 'x', scopes: ['generate'], expires_at: '2020-01-01T00:00:00Z' }
    const reply = await ada.ask(keys, { body: { ...past, allowed_ips: ['10.0.0.1', '10.0.0.0/33', 'home'] } })
    expect(fieldsOf(reply)).toEqual(['/allowed_ips/1 bad_format', '/allowed_ips/2 bad_format', '/expires_at too_small'])
    const leap = await ada.ask(keys, { body: { ...past, expires_at: '2030-12-31T23:59:60Z' } })
    expect(fieldsOf(leap)).toEqual(['/expires_at bad_format'])
  })

  test('changes nothing', async () => {
    const { id } = await makeKey()
    const before = await shown(id)
    expect(fieldsOf(await changeKey(id, {}))).toEqual([' too_few'])
    expect(fieldsOf(await changeKey(id, { scopes: [] }))).toEqual(['/scopes too_few'])
    expect(fieldsOf(await changeKey(id, { revoked_at: null }))).toEqual(['/revoked_at unknown_field'])
    expect(fieldsOf(await changeKey(id, { name: 'y', allowed_ips: ['::/129'] }))).toEqual(['/allowed_ips/0 bad_format'])
    const rotate = (body: unknown) => ada.ask(`${keys}/${id}/rotate`, { body })
    expect(fieldsOf(await rotate({ grace_seconds: -1 }))).toEqual(['/grace_seconds too_small'])
    expect(fieldsOf(await rotate({ grace_seconds: 2_592_001 }))).toEqual(['/grace_seconds too_large'])
    const days = await ada.ask(`/settings/accounts/${ada.userId}/usage?days=0`)
    expect(fieldsOf(days)).toEqual(['?days too_small'])
    expect(await shown(id)).toEqual(before)
    expect(await actionsOf(id)).toEqual(['key_created'])
  })
})

test('a change without an origin, or as a form, is refused', async () => {
  const body = { name: 'x', scopes: 'generate' }
  const cookie = [...ada.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const headers = { cookie, 'content-type': 'application/json', 'x-forwarded-for': ada.address }
  const options = { method: 'POST', headers, body: JSON.stringify(body), dispatcher: at.agent }
  const response = await fetch(`${at.url}${keys}`, options)
  expect(response.status).toBe(403)
  expect(await response.json()).toMatchObject({ error: { code: 'cross_site' } })
  expect(refusalOf(await ada.ask(keys, { form: body }))).toBe('415 unsupported_media_type')
})

describe('a publishable key', () => {
  const SHOP = 'https://shop.example'
  const make = (body: Record<string, unknown>) =>
    ada.ask(keys, { body: { name: 'page', scopes: ['generate'], origins: [SHOP], ...body } })
  const on = (origin: string, secret: string) =>
    ada.ask('/v1/tlds?limit=1', { headers: { authorization: `Bearer ${secret}`, origin } })

  test('is made with its origins, shown with them, and moved to others', async () => {
    const { id, secret, prefix } = await makeKey({ scopes: ['domains:check'], origins: [SHOP] })
    expect(secret).toMatch(/^nwp_[0-9A-Za-z]{36}$/)
    expect(prefix).toBe(`${secret.slice(0, 8)}…`)
    expect(await shown(id)).toMatchObject({ origins: [SHOP], scopes: ['domains:check'] })
    expect((await on(SHOP, secret)).status).toBe(200)
    const changed = await changeKey(id, { origins: ['https://*.shop.example'] })
    expect(changed.json.data.key.origins).toEqual(['https://*.shop.example'])
    await expect.poll(async () => refusalOf(await on(SHOP, secret))).toBe('403 origin_not_allowed')
    expect((await on('https://www.shop.example', secret)).status).toBe(200)
    const rotated = await ada.ask(`${keys}/${id}/rotate`, { body: {} })
    expect(rotated.json.data.key.secret).toMatch(/^nwp_/)
  })

  test('may only generate and check, when it is made and when it is changed', async () => {
    const made = await make({ scopes: ['generate', 'history:read', 'webhooks'] })
    expect(refusalOf(made)).toBe('400 invalid_request')
    expect(fieldsOf(made)).toEqual(['/scopes/1 not_allowed', '/scopes/2 not_allowed'])
    const { id } = (await make({})).json.data.key
    expect(fieldsOf(await changeKey(id, { scopes: ['usage:read'] }))).toEqual(['/scopes/0 not_allowed'])
  })

  test('stays one, and an ordinary key does not become one', async () => {
    const { id } = (await make({})).json.data.key
    expect(fieldsOf(await changeKey(id, { origins: [] }))).toEqual(['/origins too_few'])
    const ordinary = await makeKey()
    expect(fieldsOf(await changeKey(ordinary.id, { origins: [SHOP] }))).toContain('/origins too_many')
  })

  test('takes origins as browsers write them, and no others', async () => {
    const wrong = ['shop.example', 'https://shop.example/', 'https://*', 'http://*.shop.example', '*']
    const made = await make({ origins: [SHOP, ...wrong] })
    expect(fieldsOf(made)).toEqual(wrong.map((_, i) => `/origins/${i + 1} bad_format`))
  })
})
