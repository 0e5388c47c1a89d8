/**
 * The API keys of an account, and which applications may act for it. Every member sees both, and which callers still use
 * a replaced secret. Admins create, change, rotate and revoke keys; they block applications, or allow only those on a
 * list.
 *
 * The text of a key is only in the response that creates it.
 */
import type { Context } from '../../context.ts'
import { found } from '../../http/route.ts'
import { role, settingsRoute, type MemberAsk } from '../../http/settings-route.ts'
import { Done } from '../../http/wire/schemas.ts'
import { ApiError } from '../../model/errors.ts'
import type { Member } from '../../model/member.ts'
import { isWidened, listCredentials, parseKeyChange, parseKeySpec, shown } from './key.ts'
import type { KeyRow } from './keys.ts'
import {
  KeyBody,
  KeyChangeBody,
  KeyList,
  KeyMade,
  KeyOne,
  RetiringList,
  RotateBody,
  Applications,
  PolicyBody,
  RuleBody,
} from './schemas.ts'
import { WEB_CLIENT_ID } from '../../model/caller.ts'
import { isAllowed, MAX_RULES } from './application-rules.ts'

const KEYS = '/settings/accounts/{account}/keys'
// Long enough to deploy a new secret to every machine on the next working day.
const DEFAULT_GRACE_SECONDS = 86_400

const listKeys = settingsRoute({
  method: 'GET',
  path: KEYS,
  id: 'listKeys',
  summary: 'List the keys',
  access: role('viewer'),
  replies: { 200: KeyList },
  async run({ member }, app) {
    return { keys: (await listCredentials(app, member)).filter(({ row }) => row.client_id === null).map(shown) }
  },
})

const createKey = settingsRoute({
  method: 'POST',
  path: KEYS,
  id: 'createKey',
  summary: 'Create a key',
  access: role('admin'),
  stepUp: true,
  body: KeyBody,
  replies: { 201: KeyMade },
  async run(ask, app) {
    const spec = parseKeySpec(ask.body, ask.person.userId, app.now())
    const origins = spec.allowedOrigins?.join(' ') ?? ''
    const detail = { name: spec.name, scopes: spec.scopes.join(' '), ...(origins === '' ? {} : { origins }) }
    const { id, secret } = await app.keys.create(ask.member, spec, (key_id) => [
      ask.note('key_created', { key_id, ...detail }),
    ])
    return { key: { ...(await shownKey(app, ask.member, id)), secret } }
  },
})

const changeKey = settingsRoute({
  method: 'PATCH',
  path: `${KEYS}/{id}`,
  id: 'changeKey',
  summary: 'Change a key',
  access: role('admin'),
  body: KeyChangeBody,
  replies: { 200: KeyOne },
  async run(ask, app) {
    const row = await findKey(app, ask.member, ask.params.id)
    const change = parseKeyChange(ask.body, row, app.now())
    if (isWidened(row, change)) ask.requireRecent()
    const detail = { key_id: row.id, name: change.name ?? row.name, changed: Object.keys(ask.body).join(' ') }
    found(await app.keys.change(ask.member, row.id, change, [ask.note('key_changed', detail)]))
    return { key: await shownKey(app, ask.member, row.id) }
  },
})

const rotateKey = settingsRoute({
  method: 'POST',
  path: `${KEYS}/{id}/rotate`,
  id: 'rotateKey',
  summary: 'Create a new secret for a key',
  access: role('admin'),
  stepUp: true,
  body: RotateBody,
  replies: { 200: KeyMade },
  async run(ask, app) {
    const { id, name } = await findKey(app, ask.member, ask.params.id)
    const { grace_seconds = DEFAULT_GRACE_SECONDS } = ask.body
    const note = ask.note('key_rotated', { key_id: id, name, grace_seconds: String(grace_seconds) })
    const { secret } = found(await app.keys.rotate(ask.member, id, grace_seconds, [note]))
    return { key: { ...(await shownKey(app, ask.member, id)), secret } }
  },
})

const keepKey = settingsRoute({
  method: 'POST',
  path: `${KEYS}/{id}/keep`,
  id: 'keepKey',
  summary: 'Keep a key that is listed for review',
  access: role('admin'),
  replies: { 200: KeyOne },
  async run(ask, app) {
    const { id, name } = await findKey(app, ask.member, ask.params.id)
    const note = ask.note('key_kept', { key_id: id, name })
    if (!(await app.keys.keep(ask.member, id, [note]))) throw new ApiError('not_found')
    return { key: await shownKey(app, ask.member, id) }
  },
})

const listRetiring = settingsRoute({
  method: 'GET',
  path: `${KEYS}/{id}/retiring`,
  id: 'listRetiring',
  summary: 'List the replaced secrets of a key, and who uses them',
  access: role('viewer'),
  replies: { 200: RetiringList },
  async run({ member, params }, app) {
    const { id } = await findKey(app, member, params.id)
    const [secrets, uses] = await Promise.all([app.keys.listRetiring(member, id), app.traffic.listUses(member, id)])
    return { retiring: secrets.map(({ prefix, expires_at }) => retiringOf(prefix, expires_at, uses)) }
  },
})

const revokeKey = settingsRoute({
  method: 'DELETE',
  path: `${KEYS}/{id}`,
  id: 'revokeKey',
  summary: 'Revoke a key',
  access: role('admin'),
  replies: { 200: Done },
  async run(ask, app) {
    const { id, name } = await findKey(app, ask.member, ask.params.id)
    const note = ask.note('key_revoked', { key_id: id, name })
    if (!(await app.keys.revoke(ask.member, id, [note]))) throw new ApiError('not_found')
    return {}
  },
})

export const keyRoutes = [listKeys, createKey, changeKey, rotateKey, keepKey, listRetiring, revokeKey]

/** Applications have rows in the same list but are no keys. */
async function findKey({ keys }: Context, member: Member, id: string): Promise<KeyRow> {
  return found((await keys.list(member)).find((one) => one.id === id && one.client_id === null))
}

/** Revoked keys stay in the list, so a missing one means that the account was deleted meanwhile. */
async function shownKey(ctx: Context, member: Member, id: string) {
  return shown(found((await listCredentials(ctx, member)).find(({ row }) => row.id === id)))
}

function retiringOf(prefix: string, expires_at: Date, all: Awaited<ReturnType<Context['traffic']['listUses']>>) {
  const uses = all
    .filter((use) => use.prefix === prefix)
    .map(({ address, user_agent, requests, last_at }) => ({ address, user_agent, requests, last_used_at: last_at }))
  return { prefix, expires_at, last_used_at: uses[0]?.last_used_at ?? null, uses }
}

const APPLICATIONS = '/settings/accounts/{account}/applications'

const getApplications = settingsRoute({
  method: 'GET',
  path: APPLICATIONS,
  id: 'getApplications',
  summary: 'Get the rules about applications',
  access: role('viewer'),
  replies: { 200: Applications },
  run: ({ member }, { applicationRules }) => applicationRules.find(member),
})

const changePolicy = settingsRoute({
  method: 'PATCH',
  path: APPLICATIONS,
  id: 'changeApplicationPolicy',
  summary: 'Allow any application, or only the listed ones',
  access: role('admin'),
  body: PolicyBody,
  replies: { 200: Applications },
  async run(ask, app) {
    const { policy } = ask.body
    await app.db.as(ask.member, [
      ...app.applicationRules.changingPolicy(ask.member.accountId, policy),
      ask.note('application_policy_changed', { policy }),
    ])
    await endForbidden(app, ask)
    return app.applicationRules.find(ask.member)
  },
})

const putRule = settingsRoute({
  method: 'PUT',
  path: `${APPLICATIONS}/rules`,
  id: 'putApplicationRule',
  summary: 'Allow or block an application, or remove its rule',
  access: role('admin'),
  body: RuleBody,
  replies: { 200: Applications },
  async run(ask, app) {
    const { member } = ask
    const { client_id: clientId, decision } = ask.body
    const applications = await app.applicationRules.find(member)
    const known = applications.rules.find((rule) => rule.client_id === clientId)
    if (!known && decision === null) return applications
    if (!known && applications.rules.length >= MAX_RULES) {
      throw new ApiError('invalid_request', {
        fields: [{ pointer: '/client_id', code: 'too_many', params: { limit: MAX_RULES } }],
      })
    }
    // Our own web app cannot be blocked. A rule needs an application that is known here or already listed.
    const name = found(
      clientId === WEB_CLIENT_ID ? undefined : (known?.name ?? (await findName(app, member, clientId))),
    )
    const detail = { client_id: clientId, name, decision: decision ?? 'none' }
    await app.db.as(member, [
      ...app.applicationRules.deciding(member.accountId, { clientId, name }, decision),
      ask.note('application_rule_changed', detail),
    ])
    await endForbidden(app, ask)
    return app.applicationRules.find(member)
  },
})

export const applicationRoutes = [getApplications, changePolicy, putRule]

async function findName(ctx: Context, member: Member, clientId: string): Promise<string | undefined> {
  const grant = (await ctx.keys.list(member)).find((row) => row.client_id === clientId)
  return (await ctx.people.clientNames([clientId])).get(clientId)?.name ?? grant?.name
}

/** Revokes every application that acts for the account and is no longer allowed to. */
async function endForbidden(ctx: Context, ask: MemberAsk): Promise<void> {
  const { member } = ask
  const rules = await ctx.applicationRules.find(member)
  const grants = (await ctx.keys.list(member)).filter(isLiveGrant)
  const clients = await ctx.people.clientNames(grants.map(({ client_id }) => client_id))
  for (const { id, client_id, name } of grants) {
    const isOwn = client_id === WEB_CLIENT_ID || clients.get(client_id)?.owner === member.accountId
    if (isAllowed(rules, client_id, isOwn)) continue
    await ctx.people.endGrant(member.accountId, client_id)
    await ctx.keys.revoke(member, id, [ask.note('grant_ended', { client_id, name })])
  }
}

type LiveGrant<Row extends KeyRow> = Row & { readonly client_id: string }

function isLiveGrant<Row extends KeyRow>(row: Row): row is LiveGrant<Row> {
  return row.client_id !== null && row.revoked_at === null
}
