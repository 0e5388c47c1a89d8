/**
 * The shared lists of an account. Every member sees them and their votes, members create them, and the creator or an admin
 * may end one. `./routes.ts` serves people who have the link.
 */
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { Context } from '../../context.ts'
import { ApiError } from '../../model/errors.ts'
import type { AccountId } from '../../model/caller.ts'
import { isUuid } from '../../model/id.ts'
import type { OwnShare } from './shares.ts'
import { closed } from '../../http/wire/schemas.ts'
import { successOf } from '../../http/wire/texts.ts'
import type { RouteContext } from '../../http/route-context.ts'
import { pageOf } from '../../http/page.ts'
import { draftOf, ShareFields } from './share-draft.ts'
import { memberShare } from './share-texts.ts'
import { signedInMemberOf, requireRoleUnlessOwn } from '../../http/settings/session-auth.ts'
import { applyRateLimit } from '../../http/settings/rate-limit.ts'

const SHARES = '/settings/accounts/:account/shares'
const MAX_AT_ONCE = 100

const ShareBody = Type.Object(
  {
    ...ShareFields,
    favorite_ids: Type.Optional(
      Type.Array(Type.String({ format: 'uuid' }), { minItems: 1, maxItems: 50, uniqueItems: true }),
    ),
  },
  closed,
)
type ShareBody = Static<typeof ShareBody>

const SharesQuery = Type.Object(
  {
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_AT_ONCE })),
    cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  },
  closed,
)
type SharesQuery = Static<typeof SharesQuery>

export function shareSettings(app: FastifyInstance, ctx: Context, routeContext: RouteContext): void {
  const wireOf = (share: OwnShare, account: AccountId) => {
    const path = ctx.shares.pathOf(account, share)
    return memberShare(share, path === undefined ? null : `${ctx.publicUrl}${path}`, ctx.prices)
  }

  app.get<{ Querystring: SharesQuery }>(SHARES, { schema: { querystring: SharesQuery } }, async (request, reply) => {
    const { member } = signedInMemberOf(request)
    const { accountId: account } = member
    const { limit = MAX_AT_ONCE, cursor } = request.query
    const page = pageOf(routeContext, request, reply, { list: 'shares', account, filter: {}, limit, cursor })
    const shares = await ctx.shares.list(member, page.window)
    return page.send('shares', shares, (share) => JSON.stringify(wireOf(share, account)))
  })

  app.post<{ Body: ShareBody }>(SHARES, { schema: { body: ShareBody } }, async (request, reply) => {
    const { member, person } = signedInMemberOf(request)
    await applyRateLimit(ctx, request, person)
    const { favorite_ids: favoriteIds = [], ...fields } = request.body
    const draft = await draftOf(ctx, fields, {
      favoriteIds: favoriteIds.map((id) => id.toLowerCase()),
      createdBy: person.userId,
      fairnessKey: member.accountId,
      signal: routeContext.disconnectSignalOf(reply),
    })
    const share = await ctx.shares.create(member, draft)
    return reply.code(201).send(successOf(JSON.stringify({ share: wireOf(share, member.accountId) })))
  })

  app.delete<{ Params: { id: string } }>(`${SHARES}/:id`, async (request, reply) => {
    const { member, person } = signedInMemberOf(request)
    await applyRateLimit(ctx, request, person)
    const { id } = request.params
    const share = isUuid(id) ? await ctx.shares.find(member, id) : undefined
    if (!share) throw new ApiError('not_found')
    requireRoleUnlessOwn(request, share.created_by === person.userId)
    if (!(await ctx.shares.remove(member, id))) throw new ApiError('not_found')
    return reply.send(successOf('{}'))
  })
}
