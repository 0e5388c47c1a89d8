/**
 * Applications that may act for an account, whatever account registered them: their permissions, their usage, and
 * revoking them.
 *
 * Every member sees them. An admin sets their limits and revokes them. The member who authorized one may revoke it,
 * too.
 */
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { ApiError } from '../../model/errors.ts'
import type { KeyRow } from '../keys/keys.ts'
import type { Member } from '../../model/member.ts'
import { successOf } from '../../http/wire/texts.ts'
import { requireRecent } from '../../http/step-up.ts'
import { listCredentials } from '../keys/credentials.ts'
import { signedInMemberOf, requireRoleUnlessOwn } from '../../http/settings/session-auth.ts'
import { GrantChangeBody } from '../keys/schemas.ts'
import { isWidened, parseKeyChange } from '../keys/key-request.ts'
import { noting } from '../../http/settings/noting.ts'
import { applyRateLimit } from '../../http/settings/rate-limit.ts'

const GRANTS = '/settings/accounts/:account/grants'

export function grantRoutes(app: FastifyInstance, ctx: Context): void {
  app.get(GRANTS, async (request, reply) => {
    const { member } = signedInMemberOf(request)
    return reply.send(successOf(JSON.stringify({ grants: await listGrants(ctx, member) })))
  })

  app.patch<{ Params: { id: string }; Body: GrantChangeBody }>(
    `${GRANTS}/:id`,
    { schema: { body: GrantChangeBody } },
    async (request, reply) => {
      const { member, person } = signedInMemberOf(request)
      await applyRateLimit(ctx, request, person)
      const row = await findGrant(ctx, member, request.params.id)
      const change = parseKeyChange(request.body, row, ctx.now())
      if (isWidened(row, change)) requireRecent(ctx, person)
      const detail = { client_id: row.client_id, name: row.name, changed: Object.keys(request.body).join(' ') }
      const changed = await ctx.keys.change(member, row.id, change, [
        noting(ctx, request, member, 'grant_changed', detail),
      ])
      if (!changed) throw new ApiError('not_found')
      const grant = (await listGrants(ctx, member)).find(({ id }) => id === row.id)
      return reply.send(successOf(JSON.stringify({ grant })))
    },
  )

  app.delete<{ Params: { id: string } }>(`${GRANTS}/:id`, async (request, reply) => {
    const { member, person } = signedInMemberOf(request)
    await applyRateLimit(ctx, request, person)
    const { id, client_id, name, created_by } = await findGrant(ctx, member, request.params.id)
    requireRoleUnlessOwn(request, created_by === person.userId)
    // The tokens first: if the rest fails, the request can be repeated as long as the row exists.
    await ctx.people.endGrant(member.accountId, client_id)
    const note = noting(ctx, request, member, 'grant_ended', { client_id, name })
    if (!(await ctx.keys.revoke(member, id, [note]))) throw new ApiError('not_found')
    return reply.send(successOf('{}'))
  })
}

type GrantRow = KeyRow & { readonly client_id: string }

async function findGrant(ctx: Context, member: Member, id: string): Promise<GrantRow> {
  const row = (await ctx.keys.list(member)).find((one) => one.id === id)
  if (!row || !isGrant(row) || row.revoked_at !== null) throw new ApiError('not_found')
  return row
}

async function listGrants(ctx: Context, member: Member) {
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
