/**
 * Two organisations, each with everything that one can have, and every route that people and programs have to them,
 * tried by a member of the one with every id of the other. The list of routes is that of
 * `namewright-server routes`. Then all of it once more on a node whose SQL has lost its account filters.
 *
 * At last without the application: whatever a statement without any condition can reach, over every table that the
 * catalogue knows. What the policies themselves say is in ../faults/row-level-security.test.ts.
 */
import { hash } from 'node:crypto'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type AccountId,
  accountRateName,
  type Acting,
  ApiError,
  APP_ROLE,
  makeId,
  type Member,
  SCOPES,
  sql,
  type Transaction,
  type UserId,
} from '../source.ts'
import { LISTED_ROUTES } from '../listed-routes.ts'
import { startApp } from '../start-app.ts'
import type { PeopleWorld, Reply, SignedIn } from '../people-world.ts'
import type { Node } from '../world.ts'

const ROUTES = LISTED_ROUTES.filter(({ name, access }) => / \/(?:v1|settings)\//.test(name) && access !== 'public').map(
  ({ name }) => name,
)
const NOBODYS = '0198d2c4-0000-7000-8000-000000000000'
const VERBS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE']
const BODIES: Readonly<Record<string, unknown>> = {
  'PATCH /settings/accounts/{account}': { name: 'taken over' },
  'PATCH /settings/accounts/{account}/members/{user}': { role: 'viewer' },
  'POST /settings/accounts/{account}/invitations': { email: 'eve@people.example', role: 'admin' },
  'POST /settings/accounts/{account}/keys': { name: 'taken over', scopes: ['history:read'] },
  'PATCH /settings/accounts/{account}/keys/{id}': { name: 'taken over' },
  'POST /settings/accounts/{account}/keys/{id}/rotate': {},
  'POST /settings/accounts/{account}/clients': { name: 'taken over', kind: 'confidential', own_scopes: ['generate'] },
  'PATCH /settings/accounts/{account}/clients/{id}': { name: 'taken over' },
  'PATCH /settings/accounts/{account}/grants/{id}': { quota: { burst: 1 } },
  'POST /settings/accounts/{account}/shares': { title: 'taken over', favorite_ids: [NOBODYS] },
  'PATCH /v1/favorites/{id}': { note: 'taken over' },
  'PATCH /v1/webhooks/{id}': { enabled: false },
  'POST /v1/webhooks/{id}/rotate-secret': {},
  'POST /settings/accounts/{account}/webhooks': { url: 'https://taken.over.example/', events: ['quota.warning'] },
  'PATCH /settings/accounts/{account}/webhooks/{id}': { enabled: false },
  'POST /settings/accounts/{account}/webhooks/{id}/rotate-secret': {},
}

interface Organisation {
  readonly owner: SignedIn
  readonly account: AccountId
  readonly key: string
  readonly client: { readonly client_id: string; readonly client_secret: string }
  readonly token: string
  readonly invitation: string
  /** By what each is. */
  readonly ids: Readonly<Record<string, string>>
}

let at: PeopleWorld
let redis: Redis
let mine: Organisation
const nodes: Node[] = []
let theirs: Organisation
beforeAll(async () => {
  at = await startApp({ people: true, own: true })
  redis = new Redis(at.world.env['NAMEWRIGHT_REDIS_URL'] ?? '')
  ;[mine, theirs] = await Promise.all([organise('mine'), organise('theirs')])
})
afterAll(async () => {
  redis.disconnect()
  await at[Symbol.asyncDispose]()
})

async function organise(word: string): Promise<Organisation> {
  const owner = await at.signUp(word)
  const make = async (path: string, body: unknown) => {
    const reply = await owner.ask(path, { body })
    expect(reply.status, reply.text).toBe(201)
    return reply.json.data
  }
  const { id: account } = (await make('/settings/accounts', { name: `team ${word}` })).account
  const path = `/settings/accounts/${account}`
  const quota = { per_minute: 1_000_000, burst: 1_000_000 }
  const { key } = await make(`${path}/keys`, { name: `key ${word}`, scopes: SCOPES, quota })
  const kind = { kind: 'confidential', own_scopes: SCOPES, redirect_uris: [`https://${word}.example/`] }
  const { client } = await make(`${path}/clients`, { name: `client ${word}`, ...kind })
  const { invitation } = await make(`${path}/invitations`, { email: `${word}@people.example`, role: 'admin' })
  const { link } = await at.smtp.waitFor(`${word}@people.example`)
  const token = await tokenOf(client)

  const use = async (route: string, body?: unknown) => {
    const headers = { authorization: `Bearer ${body === undefined ? token : key.secret}`, 'idempotency-key': route }
    const reply = await owner.ask(route, { headers, ...(body === undefined ? {} : { body }) })
    expect(reply.status, reply.text).toBeLessThan(300)
  }
  await use('/v1/generate', { description: `a garden shop, ${word}`, count: 1 })
  await use('/v1/favorites', { domain: `garden-${word}.com`, note: word, watch: true })
  await use('/v1/batches', { requests: [{ description: `a garden shop, ${word}`, count: 1 }, {}] })
  await use('/v1/usage')
  await use('/v1/webhooks', { url: `https://${word}.example/`, events: ['quota.warning'] })

  // What no request makes at once.
  const tables = at.world.owner
  const [colleague, passkey] = [makeId(Date.now()), makeId(Date.now())]
  await tables.query(`INSERT INTO member VALUES ($1, $2, 'viewer', now())`, [account, colleague])
  await tables.query(`INSERT INTO application_rule VALUES ($1, 'one', 'One', 'blocked', now())`, [account])
  await tables.query(`INSERT INTO stream_charge VALUES ($1, 'one', now(), '{Mayfly}')`, [account])
  await tables.query(`INSERT INTO event VALUES ($1, $2, now(), 'budget', 'once', '{}')`, [account, makeId(Date.now())])
  await tables.query(
    `INSERT INTO people.passkey (id, name, public_key, user_id, credential_id, counter, device_type, backed_up)
     VALUES ($1, $2, 'x', $3, $1, 0, 'singleDevice', false)`,
    [passkey, word, owner.userId],
  )
  const idOf = async (table: string) => {
    const { rows } = await tables.query<{ id: string }>(`SELECT id FROM ${table} WHERE account_id = $1 LIMIT 1`, [
      account,
    ])
    return rows[0]?.id ?? ''
  }
  await tables.query(
    `INSERT INTO favorite_change VALUES ($1, $2, $3, now(), 'taken', '{"available": true}', '{"available": false}')`,
    [account, await idOf('favorite'), makeId(Date.now())],
  )
  await tables.query(
    'INSERT INTO change_email SELECT account_id, $2, favorite_id, id, now() FROM favorite_change WHERE account_id = $1',
    [account, colleague],
  )
  const webhook = await idOf('webhook')
  await tables.query('INSERT INTO delivery (account_id, webhook_id, event_id) VALUES ($1, $2, $3)', [
    account,
    webhook,
    await idOf('event'),
  ])
  const { share } = await make(`${path}/shares`, { title: word, message: word, favorite_ids: [await idOf('favorite')] })
  const shared = new URL(share.url).pathname.replace('/r/', '/shares/')
  const vote = { method: 'PUT', headers: { 'namewright-voter': 'a'.repeat(22) } }
  const voted = await at
    .visitor()
    .ask(`${shared}/votes`, { ...vote, body: { name: word, votes: { [share.items[0].id]: 'up' } } })
  expect(voted.status, voted.text).toBe(200)
  for (const text of [
    `INSERT INTO key_traffic VALUES ($1, $2, '2026-11-15', 'GET /v1/usage', 1, 0)`,
    `INSERT INTO retiring_use VALUES ($1, $2, 'nw_Ab…', '192.0.2.1', 'curl', 1, now())`,
    `INSERT INTO key_review VALUES ($1, $2, now())`,
  ]) {
    await tables.query(text, [account, key.id])
  }
  const { json } = await owner.ask('/settings/me/sessions')
  const ids = {
    account,
    key: key.id,
    client: client.client_id,
    grant: (await owner.ask(`${path}/grants`)).json.data.grants[0].id,
    invitation: invitation.id,
    person: owner.userId,
    colleague,
    session: json.data.sessions[0].id,
    passkey,
    history: await idOf('history'),
    favorite: await idOf('favorite'),
    batch: await idOf('batch'),
    event: await idOf('event'),
    securityEvent: await idOf('security_event'),
    share: share.id,
    shared: share.items[0].id,
    webhook,
  }
  const isWhole = Object.values(ids).every((id) => typeof id === 'string' && id !== '')
  expect(isWhole, JSON.stringify(ids)).toBe(true)
  return { owner, account, key: key.secret, client, token, invitation: tokenIn(link), ids }
}

function tokenIn(link: string): string {
  return new URL(link).searchParams.get('token') ?? ''
}

const basic = ({ client_id, client_secret }: Organisation['client']) => ({
  authorization: `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`,
})

async function tokenOf(client: Organisation['client']): Promise<string> {
  const form = { grant_type: 'client_credentials', resource: `${at.url}/v1` }
  const reply = await at.visitor().ask('/auth/oauth2/token', { form, headers: basic(client) })
  expect(reply.status, reply.text).toBe(200)
  return reply.json.access_token
}

/** Everything that belongs to an organisation or its owner, in any table, but for when and how often a key was used. */
async function everythingOf({ account, owner }: Organisation): Promise<Record<string, unknown[]>> {
  const { rows } = await at.world.owner.query<{ name: string; columns: string[] }>(
    `SELECT format('%I.%I', table_schema, table_name) AS name, array_agg(quote_ident(column_name)) AS columns
     FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
     WHERE table_type = 'BASE TABLE' AND table_schema IN ('public', 'people') AND table_name !~ '^(history_p|key_traffic)'
       AND data_type IN ('uuid', 'text') GROUP BY 1 ORDER BY 1`,
  )
  const state: Record<string, unknown[]> = {}
  for (const { name, columns } of rows) {
    const isTheirs = columns.map((column) => `${column}::text IN ($1, $2)`).join(' OR ')
    const text = `SELECT to_jsonb(t) - 'last_used_at' AS row FROM ${name} t WHERE ${isTheirs} ORDER BY t::text`
    const found = await at.world.owner.query<{ row: unknown }>(text, [account, owner.userId])
    if (found.rows.length > 0) state[name] = found.rows.map(({ row }) => row)
  }
  return state
}

/** Their page was not changed that often; what is tried here is not how often one may try. */
async function forgetPace({ owner, account }: Organisation): Promise<void> {
  const settings = [owner.userId, owner.address].map((subject) => `li:{settings:${hash('sha256', subject)}}`)
  const changes = `li:{webhook-change:${hash('sha256', account)}}`
  await redis.del(...settings, accountRateName(account), changes)
}

const refusalOf = ({ status, json }: Reply) => `${status} ${json?.error?.code}`
const statement = <Row>(text: string, values: readonly string[] = []) =>
  sql<Row>(hash('sha256', text).slice(0, 32), text, values)
const fill = (path: string, ...params: string[]) => path.replaceAll(/\{\w+\}/g, () => params.shift() ?? NOBODYS)

/** Takes the account out of every condition, but where it is asked who somebody is in it. */
const WITHOUT_FILTERS = `
  import pg from '${import.meta.resolve('pg')}'
  const { parse } = pg.Connection.prototype
  pg.Connection.prototype.parse = function (query, more) {
    const asksWho = /FROM member WHERE account_id = \\$1 AND user_id = \\$2/.test(query.text) && /^SELECT/.test(query.text)
    const text = asksWho ? query.text : query.text
      .replace(/\\b(?:\\w+\\.)?account_id = \\$1\\b/g, () => '$1::uuid IS NOT NULL')
      .replace(/\\b(account(?: SET[^]*)?) WHERE id = \\$1/g, (_, head) => head + ' WHERE $1::uuid IS NOT NULL')
    return parse.call(this, { ...query, text }, more)
  }`
const PRELOAD = `--import data:text/javascript,${encodeURIComponent(WITHOUT_FILTERS)}`

describe.each([
  { how: 'as it is', env: undefined },
  { how: 'without account filters in its SQL', env: { NODE_OPTIONS: PRELOAD, PGAPPNAME: 'without filters' } },
])('a node $how', ({ env }) => {
  let url: string
  let before: unknown
  beforeAll(async () => {
    const node = env ? await at.world.startNodeProcess(env) : at.node
    nodes.push(node)
    url = env ? node.url : at.url
    before = await everythingOf(theirs)
  })

  const ask = (path: string, method: string, body?: unknown) => {
    const headers = path.startsWith('/v1/') ? { authorization: `Bearer ${mine.key}` } : {}
    return mine.owner.ask(`${url}${path}`, { method, headers, ...(body === undefined ? {} : { body }) })
  }

  test.each(ROUTES.filter((route) => route.includes('{')))('%s finds nothing by an id of theirs', async (route) => {
    await forgetPace(mine)
    const [method = '', path = ''] = route.split(' ')
    const isInAccount = path.includes('{account}')
    const accounts = isInAccount ? [mine.account, theirs.account] : ['']
    for (const account of accounts) {
      for (const [what, id] of Object.entries(theirs.ids)) {
        const isOnlyAccount = isInAccount && path.split('{').length === 2
        if (isOnlyAccount && account === mine.account) continue
        const params = isOnlyAccount ? [id] : isInAccount ? [account, id] : [id]
        const reply = await ask(fill(path, ...params), method, BODIES[route])
        expect([what, refusalOf(reply)], reply.text).toEqual([what, '404 not_found'])
      }
    }
  })

  test('no other verb finds more', async () => {
    const paths = new Set(ROUTES.flatMap((route) => (route.includes('{') ? (route.split(' ')[1] ?? '') : [])))
    for (const path of paths) {
      const params = path.includes('{account}')
        ? [theirs.account, theirs.ids['key'] ?? '']
        : [theirs.ids['history'] ?? '']
      for (const verb of VERBS.filter((one) => !ROUTES.includes(`${one} ${path}`))) {
        expect([verb, path, (await ask(fill(path, ...params), verb)).status]).toEqual([verb, path, 405])
      }
    }
  })

  test('lists and searches show nothing of theirs', async () => {
    const own = `/settings/accounts/${mine.account}`
    const paths = [
      ...[
        '',
        '/members',
        '/invitations',
        '/keys',
        '/clients',
        '/grants',
        '/usage',
        '/webhooks',
        '/shares',
        '/security-events',
      ].map((list) => `${own}${list}`),
      '/settings/me',
      '/settings/me/sessions',
      '/settings/me/export',
      ...['history', 'favorites', 'history?q=theirs', 'favorites?q=theirs', 'usage', 'webhooks', 'batches'].map(
        (list) => `/v1/${list}`,
      ),
      ...Object.values(theirs.ids).map((id) => `/v1/history?key_id=${id}`),
    ]
    for (const path of paths) {
      const reply = await ask(path, 'GET')
      expect(reply.status, `${path} ${reply.text}`).toBe(200)
      expect(reply.text).not.toContain('theirs')
      for (const id of Object.values(theirs.ids)) expect(reply.text).not.toContain(id)
    }
  })

  test('an invitation of theirs lets in nobody else, and a change there shows nothing of it', async () => {
    const reply = await ask('/settings/invitations/accept', 'POST', { token: theirs.invitation })
    expect(refusalOf(reply)).toBe('410 invalid_link')
    expect(reply.text).not.toContain('theirs')
  })

  test('a passkey of theirs can be neither renamed nor removed', async () => {
    const id = theirs.ids['passkey']
    const renamed = await ask('/auth/passkey/update-passkey', 'POST', { id, name: 'taken over' })
    const removed = await ask('/auth/passkey/delete-passkey', 'POST', { id })
    for (const { status } of [renamed, removed]) expect([401, 403, 404]).toContain(status)
  })

  test('an application of mine learns nothing of a token of theirs and does not end it', async () => {
    const form = { token: theirs.token }
    for (const route of ['introspect', 'revoke']) {
      const reply = await at.visitor().ask(`${url}/auth/oauth2/${route}`, { form, headers: basic(mine.client) })
      expect(reply.json?.active ?? false).toBe(false)
      expect(reply.text).not.toContain(theirs.account)
    }
    const used = await at.visitor().ask(`${url}/v1/usage`, { headers: { authorization: `Bearer ${theirs.token}` } })
    expect(used.status).toBe(200)
  })

  test('after all of that everything of theirs is as it was', async () => {
    expect(await everythingOf(theirs)).toEqual(before)
    expect(Object.keys(before as object).length).toBeGreaterThan(15)
  })

  test.runIf(env)('it really sent its SQL without filters', async () => {
    const { rows } = await at.world.owner.query<{ query: string }>(
      `SELECT query FROM pg_stat_activity WHERE application_name = 'without filters' AND datname = current_database()`,
    )
    expect(rows.filter(({ query }) => query.includes('$1::uuid IS NOT NULL'))).not.toEqual([])
  })
})

describe('whatever the application asks for', () => {
  interface Table {
    readonly name: string
    /** Of the account. */
    readonly owned: string
    readonly columns: string[]
    /** Also seen by a person who is in no account: those of their own. */
    readonly own: boolean
  }
  // By which a tenant is found from the hash of a key, and those who watch a domain; every account may read there, none may write for another.
  const LOOKUPS = ['change_email', 'key_secret', 'share_link', 'watcher']
  let tables: Table[]
  let me: Member
  let stranger: Member
  beforeAll(async () => {
    // What they have counted is written now, and not in the middle of what follows.
    for (const node of nodes) await node.stop()
    const { rows } = await at.world.owner.query<Table>(
      `SELECT relname AS name, CASE relname WHEN 'account' THEN 'id' ELSE 'account_id' END AS owned,
         relname = 'member' AS own,
         ARRAY(SELECT quote_ident(attname) FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped
               ORDER BY attnum) AS columns
       FROM pg_class c WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm')
         AND has_table_privilege($1, c.oid, 'SELECT, INSERT, UPDATE, DELETE') AND (relname = 'account' OR EXISTS (
         SELECT FROM pg_attribute WHERE attrelid = c.oid AND attname = 'account_id' AND NOT attisdropped))
       ORDER BY relname`,
      [APP_ROLE],
    )
    tables = rows
    me = { accountId: mine.account, userId: mine.owner.userId as UserId }
    stranger = { ...me, accountId: theirs.account }
  })

  const countOf = async ({ name, owned }: Table, account: AccountId) => {
    const text = `SELECT count(*)::int AS count FROM ${name} WHERE ${owned} = $1`
    return (await at.world.owner.query<{ count: number }>(text, [account])).rows[0]?.count ?? 0
  }
  const ran = (tx: Transaction, text: string) => tx.run(statement<{ account: string }>(text))

  /** What the statement has done, undone. */
  async function tryOut(acting: Acting, text: string): Promise<number> {
    let count = 0
    const undone = at.world.db.transaction(acting, async (tx) => {
      count = (await ran(tx, text)).count
      throw new ApiError('not_found')
    })
    await expect(undone).rejects.toThrow('not_found')
    return count
  }

  test('both organisations have something in every table, so that there is something to see', async () => {
    expect(tables.length).toBeGreaterThan(10)
    for (const table of tables) {
      for (const { account } of [mine, theirs])
        expect([table.name, await countOf(table, account)]).not.toEqual([table.name, 0])
    }
  })

  test('a SELECT of everything has nothing of theirs', async () => {
    for (const { name, owned, own } of tables.filter((table) => !LOOKUPS.includes(table.name))) {
      const text = `SELECT ${owned}::text AS account FROM ${name}`
      const seen = async (acting: Acting) => {
        const { rows } = await at.world.db.transaction(acting, (tx) => ran(tx, text))
        return new Set(rows.map(({ account }) => account))
      }
      const memberships = own ? [mine.account, mine.owner.userId] : []
      expect([name, await seen(mine.account)]).toEqual([name, new Set([mine.account])])
      expect([name, await seen(me)]).toEqual([name, new Set([mine.account, ...memberships])])
      expect([name, await seen(stranger)]).toEqual([name, new Set(memberships)])
      const [{ rows }] = await at.world.db.asPerson(me.userId, [statement<{ account: string }>(text)])
      expect([name, new Set(rows.map(({ account }) => account))]).toEqual([name, new Set(memberships)])
      expect([name, (await at.world.db.lookup(statement(text))).rows]).toEqual([name, []])
    }
  })

  test('an UPDATE, a DELETE and a lock of everything reach nothing of theirs', async () => {
    for (const table of tables) {
      const { name, columns } = table
      const statements = [
        `UPDATE ${name} SET ${columns.map((column) => `${column} = ${column}`).join()}`,
        `DELETE FROM ${name}`,
        ...(LOOKUPS.includes(name) ? [] : [`SELECT FROM ${name} FOR UPDATE`]),
      ]
      const own = await countOf(table, mine.account)
      for (const text of statements) {
        expect([text, await tryOut(mine.account, text)]).toEqual([text, own])
        expect([text, await tryOut(me, text)]).toEqual([text, own])
        expect([text, await tryOut(stranger, text)]).toEqual([text, 0])
      }
    }
  })

  test('no row can be written for them, moved to them or taken from them', async () => {
    const denied = expect.objectContaining({ code: '42501' })
    for (const table of tables) {
      const { name, owned } = table
      const copy = `SELECT to_jsonb(t)::text AS row FROM ${name} t WHERE ${owned} = $1 LIMIT 1`
      const { rows } = await at.world.owner.query<{ row: string }>(copy, [theirs.account])
      const insert = `INSERT INTO ${name} SELECT (jsonb_populate_record(NULL::${name}, $1::jsonb)).*`
      const move = `UPDATE ${name} SET ${owned} = '${theirs.account}'`
      const take = `UPDATE ${name} SET ${owned} = '${mine.account}' WHERE ${owned} = '${theirs.account}'`
      for (const acting of [mine.account, me, stranger]) {
        await expect(at.world.db.as(acting, [statement(insert, [rows[0]?.row ?? ''])]), insert).rejects.toEqual(denied)
        await expect(at.world.db.as(acting, [statement(`TRUNCATE ${name}`)]), name).rejects.toEqual(denied)
        expect([take, await tryOut(acting, take)]).toEqual([take, 0])
      }
      for (const acting of [mine.account, me]) {
        await expect(at.world.db.as(acting, [statement(move)]), move).rejects.toEqual(denied)
      }
    }
  })

  // What the three of the queue may do, and that they do it only for the account that acts, is held in jobs/queue.test.ts.
  // What the totals and the plans show is tested in features/operation/operator.test.ts. That applications are disabled only for the account that acts: below.
  test('no function steps around that, but the one that asks whose a token is, the one that adds up, the one that tells plans, the one that disables applications, and the three of the queue', async () => {
    const { rows } = await at.world.owner.query<{ name: string }>(
      `SELECT proname AS name FROM pg_proc WHERE prosecdef AND prorettype <> 'trigger'::regtype
         AND has_function_privilege($1, oid, 'EXECUTE') ORDER BY name`,
      [APP_ROLE],
    )
    expect(rows.map(({ name }) => name)).toEqual([
      'account_plans',
      'account_totals',
      'disable_clients',
      'enqueue_jobs',
      'find_token',
      'finish_job',
      'forget_jobs',
    ])
  })

  test('the applications of another account are disabled by nobody', async () => {
    const { rows } = await at.world.owner.query<{ client_id: string; created_by: string }>(
      `SELECT client_id, coalesce(created_by, '') AS created_by FROM people.oauth_client WHERE reference_id = $1`,
      [theirs.account],
    )
    expect(rows.length).toBeGreaterThan(0)
    for (const { client_id, created_by } of rows) {
      const values = [theirs.account, created_by, `{"${client_id}"}`]
      const [disabled] = await at.world.db.as(mine.account, [
        statement('SELECT * FROM people.disable_clients($1::uuid, $2, $3::text[])', values),
      ])
      expect(disabled.rows).toEqual([])
    }
  })
})
