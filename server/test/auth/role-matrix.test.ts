/**
 * What each role opens: every request to the settings, by an owner, an admin, a member, a viewer, somebody who owns
 * another team, and nobody. Whoever is refused has changed nothing, and whoever does not belong learns nothing.
 *
 * The list of requests is held against that of `namewright-server routes` and against docs/permissions.md, so a new one
 * fails here until somebody has decided whose it is. Each attempt has a team of its own.
 */
import { randomInt } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type AccountId,
  isAtLeast,
  makeId,
  type Members,
  openMembers,
  type Role,
  ROLES,
  type UserId,
} from '../source.ts'
import { readPage, rowsOf, sectionOf } from '../docs/pages.ts'
import { LISTED_ROUTES } from '../listed-routes.ts'
import { startApp } from '../start-app.ts'
import type { PeopleWorld, Reply, SignedIn, Visitor } from '../people-world.ts'
import { WIDE_QUOTA } from '../world.ts'

const ACCOUNT = '/settings/accounts/{account}'
const RECENT = 'a recent sign-in'
const NOBODYS = '0198d2c4-0000-7000-8000-000000000000'

interface Setting {
  readonly least: Role
  readonly body?: unknown
  /** What stands for the last parameter of the path, or the last two, in a team that was just made. */
  readonly target?: (team: AccountId) => Promise<string>
}

const KEY = { name: 'key', scopes: ['generate'] }
const WEBHOOK = { url: 'https://hooks.example.com/', events: ['quota.warning'] }
const FAVORITE = '0198d2c4-0000-7000-8000-000000000001'
const SHARE = { title: 'ours', favorite_ids: [FAVORITE] }
const CLIENT = { name: 'robot', kind: 'confidential', own_scopes: ['generate'] }
const RULE = { client_id: 'agent', decision: 'blocked' }
const IN_ACCOUNT: Readonly<Record<string, Setting>> = {
  [`GET ${ACCOUNT}`]: { least: 'viewer' },
  [`PATCH ${ACCOUNT}`]: { least: 'admin', body: { name: 'renamed' } },
  [`DELETE ${ACCOUNT}`]: { least: 'owner' },
  [`GET ${ACCOUNT}/members`]: { least: 'viewer' },
  [`PATCH ${ACCOUNT}/members/{user}`]: { least: 'admin', body: { role: 'member' }, target: addMember },
  [`DELETE ${ACCOUNT}/members/{user}`]: { least: 'admin', target: addMember },
  [`GET ${ACCOUNT}/invitations`]: { least: 'admin' },
  [`POST ${ACCOUNT}/invitations`]: { least: 'admin', body: { email: 'new@people.example', role: 'viewer' } },
  [`DELETE ${ACCOUNT}/invitations/{id}`]: { least: 'admin', target: addInvitation },
  [`GET ${ACCOUNT}/keys`]: { least: 'viewer' },
  [`POST ${ACCOUNT}/keys`]: { least: 'admin', body: KEY },
  [`PATCH ${ACCOUNT}/keys/{id}`]: { least: 'admin', body: { name: 'renamed' }, target: addKey },
  [`POST ${ACCOUNT}/keys/{id}/rotate`]: { least: 'admin', body: {}, target: addKey },
  [`DELETE ${ACCOUNT}/keys/{id}`]: { least: 'admin', target: addKey },
  [`POST ${ACCOUNT}/keys/{id}/keep`]: { least: 'admin', target: addReviewedKey },
  [`GET ${ACCOUNT}/keys/{id}/retiring`]: { least: 'viewer', target: addKey },
  [`GET ${ACCOUNT}/usage`]: { least: 'viewer' },
  [`GET ${ACCOUNT}/clients`]: { least: 'admin' },
  [`POST ${ACCOUNT}/clients`]: { least: 'admin', body: CLIENT },
  [`PATCH ${ACCOUNT}/clients/{id}`]: { least: 'admin', body: { name: 'renamed' }, target: addClient },
  [`POST ${ACCOUNT}/clients/{id}/rotate`]: { least: 'admin', target: addClient },
  [`DELETE ${ACCOUNT}/clients/{id}`]: { least: 'admin', target: addClient },
  [`GET ${ACCOUNT}/applications`]: { least: 'viewer' },
  [`PATCH ${ACCOUNT}/applications`]: { least: 'admin', body: { policy: 'any' } },
  [`PUT ${ACCOUNT}/change-emails`]: { least: 'viewer', body: { is_on: true } },
  [`PUT ${ACCOUNT}/applications/rules`]: { least: 'admin', body: RULE, target: addRule },
  [`GET ${ACCOUNT}/grants`]: { least: 'viewer' },
  [`PATCH ${ACCOUNT}/grants/{id}`]: { least: 'admin', body: { quota: { burst: 1 } }, target: addGrant },
  [`DELETE ${ACCOUNT}/grants/{id}`]: { least: 'admin', target: addGrant },
  [`POST ${ACCOUNT}/pass`]: { least: 'viewer' },
  [`GET ${ACCOUNT}/security-events`]: { least: 'admin' },
  [`GET ${ACCOUNT}/shares`]: { least: 'viewer' },
  [`POST ${ACCOUNT}/shares`]: { least: 'member', body: SHARE, target: addFavorite },
  [`DELETE ${ACCOUNT}/shares/{id}`]: { least: 'member', target: addShare },
  [`GET ${ACCOUNT}/webhooks`]: { least: 'admin' },
  [`POST ${ACCOUNT}/webhooks`]: { least: 'admin', body: WEBHOOK },
  [`PATCH ${ACCOUNT}/webhooks/{id}`]: { least: 'admin', body: { enabled: false }, target: addWebhook },
  [`DELETE ${ACCOUNT}/webhooks/{id}`]: { least: 'admin', target: addWebhook },
  [`POST ${ACCOUNT}/webhooks/{id}/rotate-secret`]: { least: 'admin', body: {}, target: addWebhook },
  [`POST ${ACCOUNT}/webhooks/{id}/test`]: { least: 'admin', target: addWebhook },
  [`GET ${ACCOUNT}/webhooks/{id}/deliveries`]: { least: 'admin', target: addWebhook },
  [`POST ${ACCOUNT}/webhooks/{id}/deliveries/{delivery}/replay`]: { least: 'admin', target: addDelivery },
}

/** What everybody may do about themselves. */
interface OwnSetting {
  readonly body?: (actor: SignedIn) => Promise<unknown>
  readonly target?: (actor: SignedIn) => Promise<string>
}
const OWN: Readonly<Record<string, OwnSetting>> = {
  'GET /settings/me': {},
  'PATCH /settings/me': { body: async () => ({ language: 'en' }) },
  'POST /settings/me/email': { body: async () => ({ email: `moved-${randomInt(1e12)}@people.example` }) },
  'GET /settings/me/export': {},
  'GET /settings/me/sessions': {},
  'GET /settings/me/step-up': {},
  'POST /settings/me/step-up': { body: async ({ password }) => ({ password }) },
  'DELETE /settings/me/sessions/{id}': { target: addSession },
  'DELETE /settings/me/sessions': {},
  'POST /settings/accounts': { body: async () => ({ name: 'new team' }) },
  'POST /settings/invitations/accept': { body: async ({ email }) => ({ token: await inviteElsewhere(email) }) },
  // Last, because nobody is left after it.
  'DELETE /settings/me': { target: forgetStrangers },
}

/** What nobody in this world may, because nobody in it runs the installation; features/operation/operator.test.ts has somebody who does. */
const OPERATORS = [
  ...['sources', 'accounts'].map((what) => `GET /settings/operator/${what}`),
  'PUT /settings/operator/accounts/{id}/limits',
  'POST /settings/operator/accounts/{id}/suspend',
  'POST /settings/operator/accounts/{id}/resume',
]

let at: PeopleWorld
let members: Members
let people: Readonly<Record<Role, SignedIn>>
let outsider: SignedIn
let everyRow: string
beforeAll(async () => {
  at = await startApp({ people: true })
  members = openMembers({ db: at.world.db, now: Date.now })
  const [owner, admin, member, viewer, other] = await Promise.all(
    ['Owner', 'Admin', 'Member', 'Viewer', 'Other'].map((name) => at.signUp(name)),
  )
  if (!owner || !admin || !member || !viewer || !other) throw new Error('somebody is missing')
  people = { owner, admin, member, viewer }
  outsider = other
  await addMember(await at.world.makeAccount({ name: 'of the other' }), outsider.userId, 'owner')
  everyRow = await textOfEveryRow()
})
afterAll(() => at[Symbol.asyncDispose]())

async function makeTeam(): Promise<AccountId> {
  const team = await at.world.makeAccount({ name: 'team' })
  for (const role of ROLES) await addMember(team, people[role].userId, role)
  return team
}

async function addMember(team: AccountId, userId?: string, role: Role = 'viewer'): Promise<string> {
  const id = userId ?? (await makeStranger())
  await at.world.owner.query('INSERT INTO member VALUES ($1, $2, $3, now())', [team, id, role])
  return id
}

/** A member to change or to remove, who never signs in. */
async function makeStranger(): Promise<string> {
  const id = makeId(Date.now())
  const text = `INSERT INTO people."user" (id, name, email, email_verified) VALUES ($1, 'Stranger', $1, true)`
  await at.world.owner.query(text, [id])
  return id
}

async function addInvitation(team: AccountId): Promise<string> {
  const draft = { email: 'somebody@people.example', role: 'viewer', invitedBy: people.owner.userId as UserId } as const
  return (await members.invite(team, draft)).id
}

async function inviteElsewhere(email: string): Promise<string> {
  const elsewhere = await at.world.makeAccount()
  // An invitation counts only while its sender is an admin.
  const invitedBy = (await addMember(elsewhere, undefined, 'admin')) as UserId
  return (await members.invite(elsewhere, { email, role: 'viewer', invitedBy })).token
}

async function addKey(team: AccountId): Promise<string> {
  return (await at.world.makeKey(team)).id
}

async function addReviewedKey(team: AccountId): Promise<string> {
  const id = await addKey(team)
  await at.world.owner.query('INSERT INTO key_review VALUES ($1, $2, now())', [team, id])
  return id
}

async function addClient(team: AccountId): Promise<string> {
  const id = makeId(Date.now())
  await at.world.owner.query(
    `INSERT INTO people.oauth_client (id, client_id, client_secret, name, redirect_uris, reference_id, created_at)
     VALUES ($1, $1, 'hidden', 'robot', '["https://app.example/callback"]', $2, now())`,
    [id, team],
  )
  return id
}

async function addRule(team: AccountId): Promise<string> {
  const text = `INSERT INTO application_rule VALUES ($1, 'agent', 'Agent', 'allowed', now())`
  await at.world.owner.query(text, [team])
  return ''
}

async function addGrant(team: AccountId, createdBy?: string): Promise<string> {
  const grant = { clientId: makeId(Date.now()), name: 'robot', scopes: ['generate'], quota: WIDE_QUOTA } as const
  await at.world.keys.grant(team, { ...grant, ...(createdBy === undefined ? {} : { createdBy }) })
  const rows = await at.world.keys.list(team)
  return rows.find(({ client_id }) => client_id === grant.clientId)?.id ?? ''
}

/** To an address that is never called, since the operator allows none like it. */
async function addWebhook(team: AccountId): Promise<string> {
  const id = makeId(Date.now())
  await at.world.owner.query(
    `INSERT INTO webhook (account_id, id, created_at, url, events, secret)
     VALUES ($1, $2, now(), 'http://127.0.0.1:1/', '{quota.warning}', 'hidden')`,
    [team, id],
  )
  return id
}

async function addFavorite(team: AccountId): Promise<string> {
  const text = `INSERT INTO favorite (account_id, id, key_id, domain, name, created_at, saved, current)
    VALUES ($1, $2, $2, 'fernhill.com', 'Fernhill', now(), $3, $3)`
  const seen = { available: true, price: '$9.99', checked_at: '2026-11-15T10:00:00.000Z' }
  await at.world.owner.query(text, [team, FAVORITE, seen])
  return FAVORITE
}

/** Made by the member, who may therefore end it. */
async function addShare(team: AccountId, createdBy = people.member.userId): Promise<string> {
  const id = makeId(Date.now())
  const text = `INSERT INTO share VALUES ($1, $2, 'ours', now(), now() + interval '1 day', $3, true)`
  await at.world.owner.query(text, [team, id, createdBy])
  return id
}

async function addDelivery(team: AccountId): Promise<string> {
  const [webhook, event] = [await addWebhook(team), makeId(Date.now())]
  await at.world.owner.query(`INSERT INTO event VALUES ($1, $2, now(), 'webhook.test', 'once', '{}')`, [team, event])
  await at.world.owner.query(
    `INSERT INTO delivery (account_id, webhook_id, event_id, state) VALUES ($1, $2, $3, 'failed')`,
    [team, webhook, event],
  )
  return `${webhook} ${event}`
}

async function addSession({ userId }: SignedIn): Promise<string> {
  const id = makeId(Date.now())
  await at.world.owner.query(
    `INSERT INTO people.session (id, token, user_id, updated_at, expires_at)
     VALUES ($1, $1, $2, now(), now() + interval '1 day')`,
    [id, userId],
  )
  return id
}

/** Whoever owns a team with others in it cannot go. */
async function forgetStrangers(): Promise<string> {
  await at.world.owner.query(`DELETE FROM member USING people."user" u WHERE u.id = user_id AND u.name = 'Stranger'`)
  return ''
}

/** Everything that an account holds, in one text. */
async function stateOf(team: AccountId): Promise<string> {
  const { rows } = await at.world.owner.query<{ state: string }>(everyRow, [team])
  return rows[0]?.state ?? ''
}

async function textOfEveryRow(): Promise<string> {
  const { rows } = await at.world.owner.query<{ name: string; column: string }>(
    `SELECT format('%I.%I', table_schema, table_name) AS name, column_name AS column FROM information_schema.columns
     JOIN information_schema.tables USING (table_schema, table_name)
     WHERE table_type = 'BASE TABLE' AND table_name !~ '^history_p' AND (table_schema, column_name) IN
       (('public', 'account_id'), ('people', 'reference_id')) OR (table_schema, table_name, column_name) =
       ('public', 'account', 'id')`,
  )
  const parts = rows.map(
    ({ name, column }) =>
      `SELECT '${name}' AS name, to_jsonb(t) AS row FROM ${name} t WHERE ${column}::text = $1::text`,
  )
  return `SELECT jsonb_agg(to_jsonb(every) ORDER BY to_jsonb(every)::text)::text AS state FROM (${parts.join(' UNION ALL ')}) every`
}

function callRoute(visitor: Visitor, route: string, params: readonly string[], asking: { body?: unknown } = {}) {
  const [method = '', path = ''] = route.split(' ')
  const left = [...params]
  return visitor.ask(
    path.replaceAll(/\{\w+\}/g, () => left.shift() ?? ''),
    { method, ...asking },
  )
}

async function tryAt(route: string, visitor: Visitor, headers?: Record<string, string>) {
  const { body, target } = IN_ACCOUNT[route] ?? {}
  const team = await makeTeam()
  const params = [team, ...((await target?.(team)) ?? '').split(' ')]
  const asking = { ...(body === undefined ? {} : { body }), ...(headers ? { headers } : {}) }
  const before = await stateOf(team)
  const reply = await callRoute(visitor, route, params, asking)
  const isUnchanged = (await stateOf(team)) === before
  // What people export and leave at the end would grow with every attempt.
  await at.world.owner.query('DELETE FROM member WHERE account_id = $1', [team])
  return { reply, refusal: refusalOf(reply), isUnchanged }
}

/** `in`, or the refusal. */
const refusalOf = ({ status, json }: Reply) => (status < 300 ? 'in' : `${status} ${json?.error?.code}`)
const isChange = (route: string) => !route.startsWith('GET ')
const ROUTES = Object.entries(IN_ACCOUNT).map(([route, { least }]) => [route, least] as const)

describe('in an account', () => {
  test.each(ROUTES)('%s is for %s and above', async (route, least) => {
    for (const role of ROLES) {
      const { reply, refusal, isUnchanged } = await tryAt(route, people[role])
      const isIn = isAtLeast(role, least)
      expect(`${role}: ${refusal}`, reply.text).toBe(`${role}: ${isIn ? 'in' : '403 insufficient_role'}`)
      expect(isUnchanged, role).toBe(!(isIn && isChange(route)))
      expect(reply.headers.get('cache-control')).toBe('no-store')
    }
  })

  test.each(ROUTES)('%s is not there for the owner of another team', async (route) => {
    const { reply, refusal, isUnchanged } = await tryAt(route, outsider)
    expect(refusal).toBe('404 not_found')
    expect(isUnchanged).toBe(true)
    const { body } = IN_ACCOUNT[route] ?? {}
    const nowhere = await callRoute(outsider, route, [NOBODYS, NOBODYS, NOBODYS], body === undefined ? {} : { body })
    expect(comparable(reply)).toEqual(comparable(nowhere))
  })

  test.each(ROUTES)('%s is closed to nobody', async (route) => {
    const { refusal, isUnchanged } = await tryAt(route, at.visitor())
    expect([refusal, isUnchanged]).toEqual(['401 sign_in_required', true])
  })

  test.each(ROUTES.filter(([route]) => isChange(route)))('%s is closed to foreign pages', async (route) => {
    for (const origin of ['https://evil.example', at.url.replace('https', 'http'), `${at.url}.evil.example`, 'null']) {
      const { refusal, isUnchanged } = await tryAt(route, people.owner, { origin })
      expect([origin, refusal, isUnchanged]).toEqual([origin, '403 cross_site', true])
    }
  })

  /** All that an answer says, but for what differs between any two. */
  function comparable({ status, headers, text, json }: Reply) {
    const names = ['content-type', 'content-length', 'vary', 'allow', 'link', 'set-cookie', 'retry-after']
    return [status, text.replace(json.error.request_id, ''), names.map((name) => headers.get(name))]
  }
})

describe('beyond the ladder', () => {
  test('anybody may go, and nobody but an admin sends others away', async () => {
    const team = await makeTeam()
    const route = `DELETE ${ACCOUNT}/members/{user}`
    for (const role of ['viewer', 'member'] as const) {
      expect(refusalOf(await callRoute(people[role], route, [team, people.admin.userId]))).toBe('403 insufficient_role')
      expect(refusalOf(await callRoute(people[role], route, [team, people[role].userId]))).toBe('in')
      expect(refusalOf(await callRoute(people[role], `GET ${ACCOUNT}`, [team]))).toBe('404 not_found')
    }
  })

  test('whoever let an application in may end that, and no more', async () => {
    const team = await makeTeam()
    const id = await addGrant(team, people.member.userId)
    const change = { body: { quota: { burst: 1 } } }
    const patch = await callRoute(people.member, `PATCH ${ACCOUNT}/grants/{id}`, [team, id], change)
    expect(refusalOf(patch)).toBe('403 insufficient_role')
    const route = `DELETE ${ACCOUNT}/grants/{id}`
    expect(refusalOf(await callRoute(people.viewer, route, [team, id]))).toBe('403 insufficient_role')
    expect(refusalOf(await callRoute(people.member, route, [team, id]))).toBe('in')
  })

  test('a share is ended by whoever made it, or by an admin', async () => {
    const team = await makeTeam()
    const id = await addShare(team, people.viewer.userId)
    const route = `DELETE ${ACCOUNT}/shares/{id}`
    expect(refusalOf(await callRoute(people.viewer, route, [team, id]))).toBe('403 insufficient_role')
    expect(refusalOf(await callRoute(people.member, route, [team, id]))).toBe('403 insufficient_role')
    expect(refusalOf(await callRoute(people.admin, route, [team, id]))).toBe('in')
    expect(refusalOf(await callRoute(people.admin, route, [team, id]))).toBe('404 not_found')
  })

  test('what cannot be undone wants a recent sign-in', async () => {
    const { userId } = people.owner
    const age = (hours: number) =>
      at.world.owner.query(`UPDATE people.session SET created_at = now() - $2 * interval '1 hour' WHERE user_id = $1`, [
        userId,
        hours,
      ])
    await age(1)
    const wanted = rowsOf(section).filter(([, , more]) => more === RECENT)
    const refused = '403 recent_sign_in_required'
    for (const [route = ''] of wanted) {
      expect([route, refusalOf(await callRoute(people.owner, route, [await makeTeam(), NOBODYS]))]).toEqual([
        route,
        refused,
      ])
    }
    expect(refusalOf(await callRoute(people.owner, 'GET /settings/me', []))).toBe('in')
    await age(0)
    expect(wanted).toHaveLength(11)
  })
})

describe('about oneself', () => {
  const routes = Object.keys(OWN)

  test.each(routes)('%s is closed to nobody', async (route) => {
    const body = await OWN[route]?.body?.(people.owner)
    const reply = await callRoute(at.visitor(), route, [NOBODYS], body === undefined ? {} : { body })
    expect(refusalOf(reply)).toBe('401 sign_in_required')
    expect(reply.headers.get('cache-control')).toBe('no-store')
  })

  test.each(routes.filter(isChange))('%s is closed to foreign pages', async (route) => {
    const body = await OWN[route]?.body?.(people.owner)
    const params = [(await OWN[route]?.target?.(people.owner)) ?? '']
    const asking = { headers: { origin: 'https://evil.example' }, ...(body === undefined ? {} : { body }) }
    expect(refusalOf(await callRoute(people.owner, route, params, asking))).toBe('403 cross_site')
  })

  test.each(routes)('%s is for everybody, whatever their roles', async (route) => {
    const { body, target } = OWN[route] ?? {}
    // The owner of everything goes last, when there is nobody else left in it.
    for (const actor of [outsider, people.viewer, people.member, people.admin, people.owner]) {
      const sent = await body?.(actor)
      const reply = await callRoute(
        actor,
        route,
        [(await target?.(actor)) ?? ''],
        sent === undefined ? {} : { body: sent },
      )
      expect(refusalOf(reply), reply.text).toBe('in')
    }
  })
})

describe('for operators', () => {
  test.each(OPERATORS)('%s is not there for any role, and closed to nobody', async (route) => {
    const somebody = await at.signUp('Newcomer')
    const team = await at.world.makeAccount()
    for (const role of ROLES) {
      await at.world.owner.query('DELETE FROM member WHERE account_id = $1', [team])
      await addMember(team, somebody.userId, role)
      expect([role, refusalOf(await callRoute(somebody, route, []))]).toEqual([role, '404 not_found'])
    }
    expect(refusalOf(await callRoute(at.visitor(), route, []))).toBe('401 sign_in_required')
  })
})

const section = sectionOf(readPage('docs/permissions.md'), '## What a role opens')

describe('the table misses nothing and invents nothing:', () => {
  const table = {
    ...Object.fromEntries(Object.keys(OWN).map((route) => [route, 'anybody'])),
    ...Object.fromEntries(OPERATORS.map((route) => [route, 'operator'])),
    ...Object.fromEntries(ROUTES),
  }

  test('it has every route of the command, with its role', () => {
    const words = { 'signed in': 'anybody', operator: 'operator' }
    const listed = LISTED_ROUTES.filter(({ name, access }) => name.includes(' /settings') && access !== 'public').map(
      ({ name, access }) => [name, words[access as keyof typeof words] ?? access.replace(/^role (\w+).*/, '$1')],
    )
    // The shares of these tests are the member's own.
    const ofShare = `DELETE ${ACCOUNT}/shares/{id}`
    expect(Object.fromEntries(listed)).toEqual({ ...table, [ofShare]: 'admin' })
  })

  test('the manual has the same', () => {
    expect(Object.fromEntries(rowsOf(section).map(([route, least]) => [route, least]))).toEqual(table)
  })
})
