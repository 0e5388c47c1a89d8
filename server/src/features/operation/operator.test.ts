/**
 * What who runs the installation sees, and that nobody else does. The world has one registry, which the test lets fail
 * and heal; DNS is the loopback internet's own.
 */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type AccountId, ROLES, rowOf, runAdmin, sql, UNLIMITED } from '../../../test/source.ts'
import { readConfig } from '../../../test/read-config.ts'
import { makeCertificate } from '../../../test/certificate.ts'
import { openRdapServer } from '../../../test/internet/rdap-server.ts'
import type { RdapServer } from '../../../test/internet/rdap-server.ts'
import { emptyRedis } from '../../../test/redis.ts'
import { PASSWORD } from '../../../test/people-world.ts'
import { startApp } from '../../../test/start-app.ts'
import type { PeopleWorld, SignedIn, Visitor } from '../../../test/people-world.ts'

const REGISTRY = 'rdap.publicinterestregistry.org'
const REGISTRY_OF_COM = 'rdap.verisign.com'
const SOURCES = '/settings/operator/sources'
const ACCOUNTS = '/settings/operator/accounts'
const DESCRIPTION = 'a quiet harbour for wooden boats'

const closing = new AsyncDisposableStack()
let at: PeopleWorld
let registry: RdapServer
let operator: Visitor
let stranger: SignedIn
beforeAll(async () => {
  const certificate = closing.use(await makeCertificate([REGISTRY, REGISTRY_OF_COM]))
  registry = closing.use(await openRdapServer({ isRegistered: (domain) => domain === 'google.org', certificate }))
  const here = `127.0.0.1:${new URL(registry.base).port}`
  const routes = [`${REGISTRY}=${here}`, `${REGISTRY_OF_COM}=${here}`, 'data.iana.org=127.0.0.1:9']
  at = closing.use(
    await startApp({
      people: true,
      own: true,
      settings: {
        ...(await emptyRedis()),
        NAMEWRIGHT_RDAP: 'on',
        NAMEWRIGHT_OUTBOUND_ROUTES: routes.join(','),
        NAMEWRIGHT_OUTBOUND_CA_FILE: certificate.caFile,
      },
    }),
  )
  operator = await setUp()
  stranger = await at.signUp('Stranger')
})
afterAll(() => closing.disposeAsync())

/** Somebody opens the setup link. */
async function setUp(): Promise<Visitor> {
  const link = await vi.waitUntil(() => /https?:\/\/\S+\/setup\?token=[\w-]+/.exec(at.node.output())?.[0], {
    timeout: 20_000,
  })
  const first = at.visitor()
  const token = new URL(link).searchParams.get('token') ?? ''
  const form = { token, name: 'First', email: 'first@people.example', password: PASSWORD }
  const done = await first.ask('/setup', { form })
  expect(done.status, done.text).toBe(303)
  return first
}

/** The command, run as the operator would. */
async function admin(...args: string[]) {
  let [out, err] = ['', '']
  const stdout = { write: (text: string) => (out += text) }
  const stderr = { write: (text: string) => (err += text) }
  return { code: await runAdmin(args, readConfig(at.world.env), { stdout, stderr }), out, err }
}

async function read(path: string, visitor = operator) {
  const reply = await visitor.ask(path)
  expect(reply.status, reply.text).toBe(200)
  expect(reply.headers.get('cache-control')).toBe('no-store')
  return reply.json.data
}

async function sourceOf(name: string) {
  const { sources } = await read(SOURCES)
  return sources.find((source: { name: string }) => source.name === name)
}

async function join(team: AccountId, userId: string, role: string): Promise<void> {
  await at.world.owner.query(
    `INSERT INTO member VALUES ($1, $2, $3, now()) ON CONFLICT (account_id, user_id) DO UPDATE SET role = excluded.role`,
    [team, userId, role],
  )
}

describe('who it is for', () => {
  test('the sources and the accounts are there for who opened the setup link', async () => {
    for (const path of [SOURCES, ACCOUNTS]) await read(path)
    expect((await operator.ask(`${ACCOUNTS}?limit=0`)).status).toBe(400)
  })

  test('to everybody else they look like what is not there, also with a wrong question', async () => {
    const nowhere = await stranger.ask('/settings/operator/nothing')
    for (const path of [SOURCES, `${ACCOUNTS}?limit=0`]) {
      const refused = await stranger.ask(path)
      expect(refused.status).toBe(404)
      expect(refused.text.replace(refused.json.error.request_id, '')).toBe(
        nowhere.text.replace(nowhere.json.error.request_id, ''),
      )
    }
  })

  test('the command moves it: then owners and admins of that account are it, members and viewers are not', async () => {
    const { id: before } = (await operator.ask('/settings/me')).json.data.person
    const team = await at.world.makeAccount()
    expect(await admin('operator', '--account', team)).toEqual({ code: 0, out: 'operator\n', err: '' })
    try {
      for (const role of ROLES) {
        await join(team, stranger.userId, role)
        const isIn = role === 'owner' || role === 'admin'
        expect([role, (await stranger.ask(SOURCES)).status]).toEqual([role, isIn ? 200 : 404])
      }
      expect((await operator.ask(SOURCES)).status).toBe(404)
      expect(await admin('operator', '--account', '0198d2c4-0000-7000-8000-000000000000')).toMatchObject({
        code: 2,
        err: expect.stringContaining('There is no such account.'),
      })
      // An account that is deleted takes the mark along, and nothing keeps it from going.
      await at.world.db.as(team, [sql('gone', 'DELETE FROM account WHERE id = $1', [team])])
      expect((await stranger.ask(SOURCES)).status).toBe(404)
    } finally {
      await admin('operator', '--account', before)
    }
    expect((await operator.ask(SOURCES)).status).toBe(200)
  })
})

describe('sources', () => {
  let key: string
  let asked = 0
  beforeAll(async () => {
    key = (await at.world.makeKey(await at.world.makeAccount())).secret
  })

  /** A name that nobody has asked about, so that the registry must be. */
  async function checkOne(suffix: string): Promise<void> {
    // With the budgets: how often a registry may be asked is not what this is about.
    await emptyRedis()
    const domain = `nobody-has-this-${asked++}.${suffix}`
    const body = { domains: [domain], verify: 'full' }
    const reply = await at.visitor().ask('/v1/domains/check', { body, headers: { authorization: `Bearer ${key}` } })
    expect(reply.status, reply.text).toBe(200)
  }

  const untilState = (state: string) =>
    vi.waitUntil(
      async () => {
        await checkOne('org')
        const source = await sourceOf(REGISTRY)
        return source?.state === state && source
      },
      { timeout: 60_000, interval: 20 },
    )

  test('it lists what the node uses, and what is off', async () => {
    const { sources } = await read(SOURCES)
    const off = sources.filter(({ state }: { state: string }) => state === 'off')
    expect(off.map(({ name }: { name: string }) => name)).toEqual(['registrars', 'index', 'language model'])
    expect(await sourceOf('redis')).toMatchObject({ kind: 'cache', state: 'well' })
  })

  test('a registry that answers is well, and so is the resolver', async () => {
    await untilState('well')
    const source = await sourceOf(REGISTRY)
    expect(source).toMatchObject({ kind: 'registry', state: 'well', failed: 0, detail: null })
    expect(source.answered).toBeGreaterThan(0)
    expect(Date.parse(source.last_answer_at)).toBeLessThanOrEqual(Date.now())
    const dns = await sourceOf('127.0.0.1:5320')
    expect(dns).toMatchObject({ kind: 'dns' })
    expect(dns.answered).toBeGreaterThan(0)
    expect(dns.asked).toBeGreaterThanOrEqual(dns.answered + dns.failed)
  })

  test('a registry that fails most of the time is failing, though never so often in a row that it is left alone', async () => {
    let turn = 0
    registry.set('org', () => (turn++ % 3 === 0 ? undefined : { status: 500 }))
    const source = await untilState('failing')
    expect(source.failed).toBeGreaterThan(2)
  })

  test('one that is left alone is resting, and says why', async () => {
    registry.set('org', { status: 500 })
    expect(await untilState('resting')).toMatchObject({ detail: 'does not respond for .org' })
  })

  test('one that asks for fewer questions is resting until then', async () => {
    registry.set('*', { status: 429, retryAfter: '600' })
    await checkOne('com')
    const resting = { state: 'resting', detail: 'rate limited' }
    await expect.poll(() => sourceOf(REGISTRY_OF_COM)).toMatchObject(resting)
  })
})

describe('accounts', () => {
  const names = (page: { accounts: { name: string }[] }) => page.accounts.map(({ name }) => name)

  test('are paged, newest first, each once', async () => {
    const made: { id: string; name: string }[] = []
    for (const n of Array.from({ length: 7 }, (_, index) => index)) {
      const name = `Paged ${n}`
      made.push({ id: await at.world.makeAccount({ name }), name })
    }
    const seen: string[] = []
    let query = '?q=paged&limit=3'
    for (;;) {
      const page = await read(`${ACCOUNTS}${query}`)
      seen.push(...names(page))
      if (page.next_cursor === null) break
      query = `?q=paged&limit=3&cursor=${page.next_cursor}`
    }
    // Within one millisecond an id is later by chance.
    expect(seen).toEqual(made.toSorted((a, b) => (a.id < b.id ? 1 : -1)).map(({ name }) => name))
  })

  test('a cursor is for one person and one search', async () => {
    const { next_cursor: cursor } = await read(`${ACCOUNTS}?q=paged&limit=3`)
    for (const query of [`limit=3&cursor=${cursor}`, `q=pag&limit=3&cursor=${cursor}`]) {
      expect((await operator.ask(`${ACCOUNTS}?${query}`)).json.error.code).toBe('invalid_cursor')
    }
  })

  test('are found by how their name begins, in any case, and signs of patterns are letters', async () => {
    await at.world.makeAccount({ name: '100% Öl_und\\Essig' })
    for (const q of ['100%', '100% ÖL', '100% öl_und\\e']) {
      expect(names(await read(`${ACCOUNTS}?q=${encodeURIComponent(q)}`))).toEqual(['100% Öl_und\\Essig'])
    }
    for (const q of ['%', '_00', "100'", '100\\', 'ssig']) {
      expect(names(await read(`${ACCOUNTS}?q=${encodeURIComponent(q)}`))).toEqual([])
    }
  })

  test('show how many people and keys there are and how much was used, and nothing of what is in them', async () => {
    const account = await at.world.makeAccount({ name: 'Used' })
    await join(account, stranger.userId, 'owner')
    const { secret } = await at.world.makeKey(account)
    const revoked = await at.world.makeKey(account)
    await at.world.keys.revoke(account, revoked.id)
    const body = { description: DESCRIPTION, count: 4 }
    const made = await at.visitor().ask('/v1/generate', { body, headers: { authorization: `Bearer ${secret}` } })
    const used = made.json.data.suggestions.length
    expect(used).toBeGreaterThan(0)
    const reply = await operator.ask(`${ACCOUNTS}?q=used`)
    const [row] = reply.json.data.accounts
    expect(row).toEqual({
      id: account,
      name: 'Used',
      created_at: expect.any(String),
      is_visitors: false,
      people: 1,
      keys: 1,
      used_today: used,
      used_month: used,
      last_used_at: row.last_used_at,
      limits: rowOf(UNLIMITED),
      suspended: null,
    })
    const hidden = [DESCRIPTION, 'harbour', stranger.email, stranger.userId, 'Stranger', secret.slice(0, 12)]
    for (const text of hidden) expect(reply.text).not.toContain(text)
  })
})

describe('limits and suspension', () => {
  const change = (id: string, path: string, body: object, method = 'POST') =>
    operator.ask(`${ACCOUNTS}/${id}/${path}`, { method, body })

  test('are set by the operator alone, told to the account, and taken back', async () => {
    const account = await at.world.makeAccount({ name: 'Limited' })
    await join(account, stranger.userId, 'owner')
    const { secret } = await at.world.makeKey(account)
    const limits = await change(account, 'limits', { names_per_day: 5, keys: null }, 'PUT')
    expect(limits.json.data.account.limits).toMatchObject({ names_per_day: 5, keys: null, webhooks: null })
    expect((await change(account, 'suspend', { reason: 'unpaid' })).json.data.account.suspended.reason).toBe('unpaid')
    const [row] = (await read(`${ACCOUNTS}?q=limited`)).accounts
    expect(row).toMatchObject({ limits: { names_per_day: 5 }, suspended: { reason: 'unpaid' } })
    const call = () => at.visitor().ask('/v1/usage', { headers: { authorization: `Bearer ${secret}` } })
    await expect.poll(async () => (await call()).json.error?.code).toBe('account_suspended')
    expect((await stranger.ask(`/settings/accounts/${account}`)).json.data.account).toMatchObject({
      limits: { names_per_day: 5 },
      suspended: { reason: 'unpaid' },
    })
    expect((await change(account, 'resume', {})).json.data.account.suspended).toBeNull()
    await expect.poll(async () => (await call()).status).toBe(200)
    const log = await at.world.owner.query<{ action: string }>(
      'SELECT action FROM security_event WHERE account_id = $1 ORDER BY id',
      [account],
    )
    expect(log.rows.map(({ action }) => action)).toEqual(['limits_changed', 'account_suspended', 'account_resumed'])
  })

  test('are refused for an account that is not there, and below nothing', async () => {
    expect((await change('0198d2c4-0000-7000-8000-000000000000', 'suspend', {})).status).toBe(404)
    expect((await change(stranger.userId, 'limits', { keys: -1 }, 'PUT')).status).toBe(400)
  })
})
