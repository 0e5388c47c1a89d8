/**
 * Applications that an account registers: with redirect URIs, for people who authorize them, or with scopes of their
 * own, to act for the account that registered them.
 *
 * The application and its permissions here are in two schemas that no transaction joins. So each change runs in an
 * order in which a retry repairs an interrupted change, and nothing is allowed longer than it should be.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import type { Statement } from '../../platform/db/db.ts'
import { ApiError } from '../../model/errors.ts'
import type { FieldError } from '../../model/errors.ts'
import type { Member } from '../../model/member.ts'
import type { ClientRow, ClientSpec } from './people.ts'
import { successOf } from '../../http/wire/texts.ts'
import { ClientBody, ClientChangeBody } from './client-schemas.ts'
import { signedInMemberOf } from '../../http/settings/session-auth.ts'
import type { SignedInMember } from '../../http/settings/session-auth.ts'
import { FIRST_QUOTA } from '../../model/caller.ts'
import { noting } from '../../http/settings/noting.ts'
import { applyRateLimit } from '../../http/settings/rate-limit.ts'
import { isRedirectUri } from './redirect-uri.ts'

const CLIENTS = '/settings/accounts/:account/clients'

export function clientRoutes(app: FastifyInstance, ctx: Context): void {
  app.get(CLIENTS, async (request, reply) => {
    const { member } = signedInMemberOf(request)
    const clients = await ctx.people.listClients(member.accountId)
    return reply.send(successOf(JSON.stringify({ clients })))
  })

  app.post<{ Body: ClientBody }>(
    CLIENTS,
    { schema: { body: ClientBody }, config: { stepUp: true } },
    async (request, reply) => {
      const { member } = await enterToChange(ctx, request)
      const { name, kind, redirect_uris = [], own_scopes = [] } = request.body
      const spec: ClientSpec = { name, kind, redirectUris: redirect_uris, ownScopes: own_scopes }
      refuseWrong(spec)
      const { clientId, clientSecret } = await ctx.people.createClient(member.accountId, spec, member.userId)
      const detail = { client_id: clientId, name, kind, own_scopes: own_scopes.join(' ') }
      const note = noting(ctx, request, member, 'client_created', detail)
      await letAct(ctx, member, { clientId, ...spec }, note).catch(async (error: unknown) => {
        // The secret was never shown, so nobody can use the application.
        await ctx.people.deleteClient(member.accountId, clientId).catch(() => {})
        throw error
      })
      return reply.code(201).send(await clientText(ctx, member, clientId, { client_secret: clientSecret }))
    },
  )

  app.patch<{ Params: { id: string }; Body: ClientChangeBody }>(
    `${CLIENTS}/:id`,
    { schema: { body: ClientChangeBody }, config: { stepUp: true } },
    async (request, reply) => {
      const { member } = await enterToChange(ctx, request)
      const before = await findClient(ctx, member, request.params.id)
      const { client_id: clientId, kind } = before
      const {
        name = before.name,
        redirect_uris: redirectUris = before.redirect_uris,
        own_scopes: ownScopes = before.own_scopes,
      } = request.body
      refuseWrong({ name, kind, redirectUris, ownScopes })
      const detail = { client_id: clientId, name, changed: Object.keys(request.body).join(' ') }
      const note = noting(ctx, request, member, 'client_changed', detail)
      await changeGrant(ctx, member, before, { name, ownScopes }, note)
      const change = { name, redirectUris, ownScopes, enabled: request.body.enabled, by: member.userId }
      const changed = await ctx.people.changeClient(member.accountId, clientId, change)
      if (!changed) throw new ApiError('not_found')
      return reply.send(await clientText(ctx, member, clientId))
    },
  )

  app.post<{ Params: { id: string } }>(
    `${CLIENTS}/:id/rotate`,
    { config: { stepUp: true } },
    async (request, reply) => {
      const { member } = await enterToChange(ctx, request)
      const { client_id, name } = await findClient(ctx, member, request.params.id)
      const rotated = await ctx.people.rotateClientSecret(member.accountId, client_id)
      // A public application has no secret.
      if (!rotated) throw new ApiError('not_found')
      await ctx.db.as(member, [noting(ctx, request, member, 'client_secret_rotated', { client_id, name })])
      return reply.send(await clientText(ctx, member, client_id, { client_secret: rotated.clientSecret }))
    },
  )

  app.delete<{ Params: { id: string } }>(`${CLIENTS}/:id`, async (request, reply) => {
    const { member } = await enterToChange(ctx, request)
    const { client_id, name } = await findClient(ctx, member, request.params.id)
    const note = noting(ctx, request, member, 'client_deleted', { client_id, name })
    const grant = await findGrant(ctx, member, client_id)
    if (!(grant && (await ctx.keys.revoke(member, grant.id, [note])))) await ctx.db.as(member, [note])
    if (!(await ctx.people.deleteClient(member.accountId, client_id))) throw new ApiError('not_found')
    return reply.send(successOf('{}'))
  })
}

async function enterToChange(ctx: Context, request: FastifyRequest): Promise<SignedInMember> {
  const signedInMember = signedInMemberOf(request)
  await applyRateLimit(ctx, request, signedInMember.person)
  return signedInMember
}

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
async function changeGrant(
  ctx: Context,
  member: Member,
  before: ClientRow,
  { name, ownScopes }: Pick<ClientSpec, 'name' | 'ownScopes'>,
  note: Statement,
): Promise<void> {
  const clientId = before.client_id
  const grant = await findGrant(ctx, member, clientId)
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
async function findGrant(ctx: Context, member: Member, clientId: string) {
  return (await ctx.keys.list(member)).find((row) => row.client_id === clientId && row.revoked_at === null)
}

async function findClient(ctx: Context, member: Member, id: string): Promise<ClientRow> {
  const client = (await ctx.people.listClients(member.accountId)).find(({ client_id }) => client_id === id)
  if (!client) throw new ApiError('not_found')
  return client
}

async function clientText(
  ctx: Context,
  member: Member,
  id: string,
  more: { client_secret?: string | undefined } = {},
): Promise<string> {
  return successOf(JSON.stringify({ client: { ...(await findClient(ctx, member, id)), ...more } }))
}

function refuseWrong({ kind, redirectUris, ownScopes }: ClientSpec): void {
  const expected = 'https://app.example/callback, http://127.0.0.1/callback, com.example.app:/callback'
  const fields: FieldError[] = redirectUris.flatMap((uri, i) =>
    isRedirectUri(uri) ? [] : [{ pointer: `/redirect_uris/${i}`, code: 'bad_format', params: { expected } }],
  )
  // RFC 6749 §4.4: "The client credentials grant type MUST only be used by confidential clients."
  if (kind === 'public' && ownScopes.length > 0) {
    fields.push({ pointer: '/own_scopes', code: 'too_many', params: { limit: 0 } })
  }
  // An application that can neither be authorized nor act by itself is of no use.
  if (redirectUris.length === 0 && (kind === 'public' || ownScopes.length === 0)) {
    fields.push({ pointer: '/redirect_uris', code: 'too_few', params: { limit: 1 } })
  }
  if (fields.length > 0) throw new ApiError('invalid_request', { fields })
}
