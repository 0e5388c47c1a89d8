/**
 * Applications in the settings. `clients`: those that an account registers, with redirect URIs, for people who authorize
 * them, or with scopes of their own, to act for the account that registered them. `grants`: those that may act for an
 * account, whatever account registered them.
 *
 * An application and its permissions here are in two schemas that no transaction joins. So each change runs in an order
 * in which a retry repairs an interrupted change, and nothing is allowed longer than it should be.
 */
import { Type } from 'typebox'
import type { Context } from '../../context.ts'
import { found } from '../../http/route.ts'
import { role, settingsRoute } from '../../http/settings-route.ts'
import { closed, Done, Name, nullable, RowTime, Scope, Scopes, success } from '../../http/wire/schemas.ts'
import { FIRST_QUOTA } from '../../model/caller.ts'
import { ApiError, type FieldError } from '../../model/errors.ts'
import type { Member } from '../../model/member.ts'
import type { Statement } from '../../platform/db/db.ts'
import {
  credentialFields,
  GrantChangeBody,
  isWidened,
  type KeyRow,
  listCredentials,
  parseKeyChange,
} from '../keys/index.ts'
import type { ClientRow, ClientSpec } from './clients.ts'
import { isRedirectUri } from './redirect-uri.ts'

const CLIENTS = '/settings/accounts/{account}/clients'
const GRANTS = '/settings/accounts/{account}/grants'

const redirectUris = Type.Array(Type.String({ maxLength: 2000 }), { maxItems: 20, uniqueItems: true })
const Kind = Type.Enum(['public', 'confidential'], {
  description: 'public: no secret (an app on a device). confidential: has a secret.',
})

const ClientBody = Type.Object(
  {
    name: Name,
    kind: Kind,
    redirect_uris: Type.Optional(redirectUris),
    own_scopes: Type.Optional(Scopes(0)),
  },
  closed,
)
const ClientChangeBody = Type.Object(
  {
    name: Type.Optional(Name),
    redirect_uris: Type.Optional(redirectUris),
    own_scopes: Type.Optional(Scopes(0)),
    enabled: Type.Optional(Type.Boolean()),
  },
  { ...closed, minProperties: 1 },
)

const clientFields = {
  client_id: Type.String(),
  name: Type.String(),
  redirect_uris: Type.Array(Type.String()),
  created_at: RowTime,
  own_scopes: Type.Array(Scope, { description: 'What it may do without a person.' }),
  kind: Kind,
  enabled: Type.Boolean(),
  off_reason: nullable(
    Type.Enum(['by_hand', 'creator_lost_access'], {
      description: 'Why it is disabled: by an admin, or because its creator may no longer manage the account.',
    }),
  ),
}
const Client = Type.Object(clientFields, { ...closed, $id: 'OwnClient' })
const ClientMade = Type.Object(
  { ...clientFields, client_secret: Type.Optional(Type.String()) },
  { ...closed, $id: 'ClientWithSecret' },
)

const Grant = Type.Object(
  {
    id: Type.String(),
    client_id: Type.String(),
    name: Type.String(),
    uri: nullable(Type.String()),
    own: Type.Boolean({ description: 'Whether this account registered the application.' }),
    ...credentialFields,
  },
  { ...closed, $id: 'Grant' },
)

const listClients = settingsRoute({
  method: 'GET',
  path: CLIENTS,
  id: 'listClients',
  summary: 'List the applications that the account registered',
  access: role('admin'),
  replies: { 200: success(Type.Object({ clients: Type.Array(Client) }, closed), 'ClientList') },
  run: async ({ member }, { people }) => ({ clients: await people.listClients(member.accountId) }),
})

const registerClient = settingsRoute({
  method: 'POST',
  path: CLIENTS,
  id: 'registerClient',
  summary: 'Register an application',
  access: role('admin'),
  stepUp: true,
  body: ClientBody,
  replies: { 201: success(Type.Object({ client: ClientMade }, closed), 'ClientMade') },
  async run(ask, app) {
    const { accountId, userId } = ask.member
    const { name, kind, redirect_uris = [], own_scopes = [] } = ask.body
    const spec: ClientSpec = { name, kind, redirectUris: redirect_uris, ownScopes: own_scopes }
    refuseWrong(spec)
    const { clientId, clientSecret } = await app.people.createClient(accountId, spec, userId)
    const note = ask.note('client_created', { client_id: clientId, name, kind, own_scopes: own_scopes.join(' ') })
    await letAct(app, ask.member, { clientId, ...spec }, note).catch(async (error: unknown) => {
      // The secret was never shown, so nobody can use the application.
      await app.people.deleteClient(accountId, clientId).catch(() => {})
      throw error
    })
    const client = await findClient(app, ask.member, clientId)
    return { client: { ...client, ...(clientSecret === undefined ? {} : { client_secret: clientSecret }) } }
  },
})

const changeClient = settingsRoute({
  method: 'PATCH',
  path: `${CLIENTS}/{id}`,
  id: 'changeClient',
  summary: 'Change, enable or disable an application',
  access: role('admin'),
  stepUp: true,
  body: ClientChangeBody,
  replies: { 200: success(Type.Object({ client: Client }, closed), 'ClientAnswer') },
  async run(ask, app) {
    const { member, body } = ask
    const before = await findClient(app, member, ask.params.id)
    const { client_id: clientId, kind } = before
    const {
      name = before.name,
      redirect_uris: uris = before.redirect_uris,
      own_scopes: ownScopes = before.own_scopes,
    } = body
    refuseWrong({ name, kind, redirectUris: uris, ownScopes })
    const note = ask.note('client_changed', { client_id: clientId, name, changed: Object.keys(body).join(' ') })
    await changeGrantOf(app, member, before, { name, ownScopes }, note)
    const change = { name, redirectUris: uris, ownScopes, enabled: body.enabled, by: member.userId }
    if (!(await app.people.changeClient(member.accountId, clientId, change))) throw new ApiError('not_found')
    return { client: await findClient(app, member, clientId) }
  },
})

const rotateClientSecret = settingsRoute({
  method: 'POST',
  path: `${CLIENTS}/{id}/rotate`,
  id: 'rotateClientSecret',
  summary: 'Create a new secret for an application',
  access: role('admin'),
  stepUp: true,
  replies: { 200: success(Type.Object({ client: ClientMade }, closed), 'ClientRotated') },
  async run(ask, app) {
    const { client_id, name } = await findClient(app, ask.member, ask.params.id)
    // A public application has no secret.
    const { clientSecret } = found(await app.people.rotateClientSecret(ask.member.accountId, client_id))
    await app.db.as(ask.member, [ask.note('client_secret_rotated', { client_id, name })])
    return { client: { ...(await findClient(app, ask.member, client_id)), client_secret: clientSecret } }
  },
})

const deleteClient = settingsRoute({
  method: 'DELETE',
  path: `${CLIENTS}/{id}`,
  id: 'deleteClient',
  summary: 'Delete an application',
  access: role('admin'),
  replies: { 200: Done },
  async run(ask, app) {
    const { client_id, name } = await findClient(app, ask.member, ask.params.id)
    const note = ask.note('client_deleted', { client_id, name })
    const grant = await findGrantOf(app, ask.member, client_id)
    if (!(grant && (await app.keys.revoke(ask.member, grant.id, [note])))) await app.db.as(ask.member, [note])
    if (!(await app.people.deleteClient(ask.member.accountId, client_id))) throw new ApiError('not_found')
    return {}
  },
})

const listGrants = settingsRoute({
  method: 'GET',
  path: GRANTS,
  id: 'listGrants',
  summary: 'List the applications that may act for the account',
  access: role('viewer'),
  replies: { 200: success(Type.Object({ grants: Type.Array(Grant) }, closed), 'GrantList') },
  run: async ({ member }, app) => ({ grants: await shownGrants(app, member) }),
})

const changeGrant = settingsRoute({
  method: 'PATCH',
  path: `${GRANTS}/{id}`,
  id: 'changeGrant',
  summary: 'Change the limits of an application',
  access: role('admin'),
  body: GrantChangeBody,
  replies: { 200: success(Type.Object({ grant: Grant }, closed), 'GrantAnswer') },
  async run(ask, app) {
    const row = await findGrant(app, ask.member, ask.params.id)
    const change = parseKeyChange(ask.body, row, app.now())
    if (isWidened(row, change)) ask.requireRecent()
    const detail = { client_id: row.client_id, name: row.name, changed: Object.keys(ask.body).join(' ') }
    found(await app.keys.change(ask.member, row.id, change, [ask.note('grant_changed', detail)]))
    return { grant: found((await shownGrants(app, ask.member)).find(({ id }) => id === row.id)) }
  },
})

/** The member who authorized an application may revoke it, too. */
const endGrant = settingsRoute({
  method: 'DELETE',
  path: `${GRANTS}/{id}`,
  id: 'endGrant',
  summary: 'Revoke an application',
  access: role('admin', 'viewer'),
  replies: { 200: Done },
  async run(ask, app) {
    const { id, client_id, name, created_by } = await findGrant(app, ask.member, ask.params.id)
    ask.requireRoleUnlessOwn(created_by === ask.person.userId)
    // The tokens first: if the rest fails, the request can be repeated as long as the row exists.
    await app.people.endGrant(ask.member.accountId, client_id)
    const note = ask.note('grant_ended', { client_id, name })
    if (!(await app.keys.revoke(ask.member, id, [note]))) throw new ApiError('not_found')
    return {}
  },
})

export const applicationSettings = [
  listClients,
  registerClient,
  changeClient,
  rotateClientSecret,
  deleteClient,
  listGrants,
  changeGrant,
  endGrant,
]

/** Creates the row in the list of keys for an application that acts for itself. `note` is committed with it. */
async function letAct(
  ctx: Context,
  member: Member,
  { clientId, name, ownScopes }: Pick<ClientSpec, 'name' | 'ownScopes'> & { clientId: string },
  note: Statement,
): Promise<void> {
  if (ownScopes.length === 0) await ctx.db.as(member, [note])
  else {
    const grant = { clientId, name, scopes: ownScopes, quota: FIRST_QUOTA, createdBy: member.userId, isOwn: true }
    await ctx.keys.grant(member, grant, [note])
  }
}

/**
 * Updates the row to what the application may do by itself. Runs before the application itself is changed: a token
 * never has more permissions than the row, so nothing is allowed meanwhile.
 */
async function changeGrantOf(
  ctx: Context,
  member: Member,
  before: ClientRow,
  { name, ownScopes }: Pick<ClientSpec, 'name' | 'ownScopes'>,
  note: Statement,
): Promise<void> {
  const clientId = before.client_id
  const grant = await findGrantOf(ctx, member, clientId)
  const narrowed = before.own_scopes.some((scope) => !ownScopes.includes(scope))
  const widened = ownScopes.some((scope) => !before.own_scopes.includes(scope))
  if (grant && narrowed) {
    // The row also holds what people of this account have authorized. That is revoked, too: they are asked again, and
    // the row is then exactly what somebody has agreed to.
    if (ownScopes.length === 0) await ctx.keys.revoke(member, grant.id, [note])
    else await ctx.keys.change(member, grant.id, { name, scopes: ownScopes }, [note])
    await ctx.people.endGrant(member.accountId, clientId)
  } else if (narrowed || widened) await letAct(ctx, member, { clientId, name, ownScopes }, note)
  else if (grant) await ctx.keys.change(member, grant.id, { name }, [note])
  else await ctx.db.as(member, [note])
}

/** The active row through which an application acts for this account. */
async function findGrantOf({ keys }: Context, member: Member, clientId: string) {
  return (await keys.list(member)).find((row) => row.client_id === clientId && row.revoked_at === null)
}

async function findClient({ people }: Context, member: Member, id: string): Promise<ClientRow> {
  return found((await people.listClients(member.accountId)).find(({ client_id }) => client_id === id))
}

function refuseWrong({ kind, redirectUris: uris, ownScopes }: ClientSpec): void {
  const expected = 'https://app.example/callback, http://127.0.0.1/callback, com.example.app:/callback'
  const fields: FieldError[] = uris.flatMap((uri, i) =>
    isRedirectUri(uri) ? [] : [{ pointer: `/redirect_uris/${i}`, code: 'bad_format', params: { expected } }],
  )
  // RFC 6749 §4.4: "The client credentials grant type MUST only be used by confidential clients."
  if (kind === 'public' && ownScopes.length > 0) {
    fields.push({ pointer: '/own_scopes', code: 'too_many', params: { limit: 0 } })
  }
  // An application that can neither be authorized nor act by itself is of no use.
  if (uris.length === 0 && (kind === 'public' || ownScopes.length === 0)) {
    fields.push({ pointer: '/redirect_uris', code: 'too_few', params: { limit: 1 } })
  }
  if (fields.length > 0) throw new ApiError('invalid_request', { fields })
}

type GrantRow = KeyRow & { readonly client_id: string }

async function findGrant({ keys }: Context, member: Member, id: string): Promise<GrantRow> {
  const row = (await keys.list(member)).find((one) => one.id === id)
  if (!row || !isGrant(row) || row.revoked_at !== null) throw new ApiError('not_found')
  return row
}

async function shownGrants(ctx: Context, member: Member) {
  const shown = (await listCredentials(ctx, member)).flatMap(({ row, wire }) => (isGrant(row) ? [{ row, wire }] : []))
  const clients = await ctx.people.clientNames(shown.map(({ row }) => row.client_id))
  return shown.map(({ row: { id, client_id, name }, wire }) => {
    // An application that is no longer registered keeps its last name.
    const client = clients.get(client_id)
    const own = client?.owner === member.accountId
    return { id, client_id, name: client?.name ?? name, uri: client?.uri ?? null, own, ...wire }
  })
}

function isGrant(row: KeyRow): row is GrantRow {
  return row.client_id !== null
}
