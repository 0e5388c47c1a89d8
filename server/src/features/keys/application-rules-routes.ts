/**
 * Which applications may act for an account, whatever account registered them: an admin blocks some, or allows only
 * those on a list.
 *
 * A change revokes the access that it forbids. The rule is committed first, so that nobody can authorize the
 * application again, and then its grants and tokens are revoked. If that is interrupted, repeating the request revokes
 * the rest.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { Context } from '../../context.ts'
import { ApiError } from '../../model/errors.ts'
import { APPLICATION_POLICIES, DECISIONS, isAllowed, MAX_RULES } from './application-rules.ts'
import type { KeyRow } from './keys.ts'
import type { Member } from '../../model/member.ts'
import { WEB_CLIENT } from '../sign-in/people.ts'
import { closed } from '../../http/wire/schemas.ts'
import { successOf } from '../../http/wire/texts.ts'
import { signedInMemberOf } from '../../http/settings/session-auth.ts'
import { noting } from '../../http/settings/noting.ts'
import { applyRateLimit } from '../../http/settings/rate-limit.ts'

const APPLICATIONS = '/settings/accounts/:account/applications'

const PolicyBody = Type.Object({ policy: Type.Enum([...APPLICATION_POLICIES]) }, closed)
type PolicyBody = Static<typeof PolicyBody>

const RuleBody = Type.Object(
  {
    client_id: Type.String({ minLength: 1, maxLength: 2_000 }),
    decision: Type.Union([Type.Enum([...DECISIONS]), Type.Null()]),
  },
  closed,
)
type RuleBody = Static<typeof RuleBody>

export function applicationRoutes(app: FastifyInstance, ctx: Context): void {
  app.get(APPLICATIONS, async (request, reply) => {
    const { member } = signedInMemberOf(request)
    return reply.send(await applicationsText(ctx, member))
  })

  app.patch<{ Body: PolicyBody }>(APPLICATIONS, { schema: { body: PolicyBody } }, async (request, reply) => {
    const { member, person } = signedInMemberOf(request)
    await applyRateLimit(ctx, request, person)
    const { policy } = request.body
    await ctx.db.as(member, [
      ...ctx.applicationRules.changingPolicy(member.accountId, policy),
      noting(ctx, request, member, 'application_policy_changed', { policy }),
    ])
    await endForbidden(ctx, request, member)
    return reply.send(await applicationsText(ctx, member))
  })

  app.put<{ Body: RuleBody }>(`${APPLICATIONS}/rules`, { schema: { body: RuleBody } }, async (request, reply) => {
    const { member, person } = signedInMemberOf(request)
    await applyRateLimit(ctx, request, person)
    const { client_id: clientId, decision } = request.body
    const { rules } = await ctx.applicationRules.find(member)
    const known = rules.find((rule) => rule.client_id === clientId)
    if (!known && decision === null) return reply.send(await applicationsText(ctx, member))
    if (!known && rules.length >= MAX_RULES) {
      throw new ApiError('invalid_request', {
        fields: [{ pointer: '/client_id', code: 'too_many', params: { limit: MAX_RULES } }],
      })
    }
    const name = known?.name ?? (await findName(ctx, member, clientId))
    // Our own web app cannot be blocked. A rule needs an application that is known here or already listed.
    if (name === undefined || clientId === WEB_CLIENT.clientId) throw new ApiError('not_found')
    const detail = { client_id: clientId, name, decision: decision ?? 'none' }
    await ctx.db.as(member, [
      ...ctx.applicationRules.deciding(member.accountId, { clientId, name }, decision),
      noting(ctx, request, member, 'application_rule_changed', detail),
    ])
    await endForbidden(ctx, request, member)
    return reply.send(await applicationsText(ctx, member))
  })
}

async function findName(ctx: Context, member: Member, clientId: string): Promise<string | undefined> {
  const grant = (await ctx.keys.list(member)).find((row) => row.client_id === clientId)
  return (await ctx.people.clientNames([clientId])).get(clientId)?.name ?? grant?.name
}

/** Revokes every application that acts for the account and is no longer allowed to. */
async function endForbidden(ctx: Context, request: FastifyRequest, member: Member): Promise<void> {
  const rules = await ctx.applicationRules.find(member)
  const grants = (await ctx.keys.list(member)).filter(isLiveGrant)
  const clients = await ctx.people.clientNames(grants.map(({ client_id }) => client_id))
  for (const { id, client_id, name } of grants) {
    const isOwn = client_id === WEB_CLIENT.clientId || clients.get(client_id)?.owner === member.accountId
    if (isAllowed(rules, client_id, isOwn)) continue
    await ctx.people.endGrant(member.accountId, client_id)
    await ctx.keys.revoke(member, id, [noting(ctx, request, member, 'grant_ended', { client_id, name })])
  }
}

async function applicationsText(ctx: Context, member: Member): Promise<string> {
  const { policy, rules } = await ctx.applicationRules.find(member)
  return successOf(JSON.stringify({ policy, rules }))
}

type LiveGrant<Row extends KeyRow> = Row & { readonly client_id: string }

function isLiveGrant<Row extends KeyRow>(row: Row): row is LiveGrant<Row> {
  return row.client_id !== null && row.revoked_at === null
}
