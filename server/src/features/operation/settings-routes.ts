/**
 * For the operator: the sources of this node, and the usage, limits and suspension of each account. Everybody else gets
 * 404.
 *
 * Must contain only numbers and host names: no data of an account, no secrets, and no names of people.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { Standing } from '../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import { ApiError } from '../../model/errors.ts'
import { changeLimits, resumeAccount, suspendAccount } from '../accounts/manage-plan.ts'
import type { AccountId } from '../../model/caller.ts'
import { isUuid } from '../../model/id.ts'
import { rowOf, UNLIMITED } from '../../model/plan.ts'
import type { SecurityAction } from '../../model/security-action.ts'
import { closed } from '../../http/wire/schemas.ts'
import { successOf } from '../../http/wire/texts.ts'
import type { RouteContext } from '../../http/route-context.ts'
import { pageOf } from '../../http/page.ts'
import { personOf } from '../../http/settings/session-auth.ts'
import { noteOwn } from '../../http/settings/note-own.ts'
import { sourcesOf } from './operator-sources.ts'
import { applyRateLimit } from '../../http/settings/rate-limit.ts'

const AccountsQuery = Type.Object(
  {
    q: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
    cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  },
  closed,
)
type AccountsQuery = Static<typeof AccountsQuery>

const most = (least: number) =>
  Type.Optional(Type.Union([Type.Integer({ minimum: least, maximum: 1_000_000_000_000 }), Type.Null()]))
const LimitsBody = Type.Object(
  {
    names_per_day: most(0),
    names_per_month: most(0),
    requests_per_minute: most(1),
    checks_per_day: most(0),
    keys: most(0),
    webhooks: most(0),
    applications: most(0),
    running_batches: most(0),
    open_streams: most(0),
    history_bytes: most(0),
    batch_bytes: most(0),
    answer_bytes: most(0),
    favorites: most(0),
  },
  { ...closed, minProperties: 1 },
)
type LimitsBody = Static<typeof LimitsBody>

const SuspendBody = Type.Object({ reason: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })) }, closed)
type SuspendBody = Static<typeof SuspendBody>

export function operatorRoutes(app: FastifyInstance, ctx: Context, routeContext: RouteContext): void {
  app.get('/settings/operator/sources', async (_request, reply) =>
    reply.send(successOf(JSON.stringify({ sources: sourcesOf(ctx) }))),
  )

  app.get<{ Querystring: AccountsQuery }>(
    '/settings/operator/accounts',
    { schema: { querystring: AccountsQuery } },
    async (request, reply) => {
      const { q, limit, cursor } = request.query
      const account = personOf(request).userId as string as AccountId
      const page = pageOf(routeContext, request, reply, {
        list: 'operator accounts',
        account,
        filter: { q },
        limit,
        cursor,
      })
      const rows = await ctx.accounts.listTotals({ q, ...page.window })
      const standings = await ctx.accounts.listStandings(rows.map(({ id }) => id))
      return page.send('accounts', rows, (row) => JSON.stringify({ ...row, ...standingText(standings.get(row.id)) }))
    },
  )

  app.put<{ Params: { id: string }; Body: LimitsBody }>(
    '/settings/operator/accounts/:id/limits',
    { schema: { body: LimitsBody } },
    async (request, reply) => {
      const account = await accountToChange(request)
      const standing = await changeLimits(ctx, account, request.body)
      return answer(reply, standing, () => noteBy(request, 'limits_changed', { account_id: account }))
    },
  )

  app.post<{ Params: { id: string }; Body: SuspendBody }>(
    '/settings/operator/accounts/:id/suspend',
    { schema: { body: SuspendBody } },
    async (request, reply) => {
      const account = await accountToChange(request)
      const standing = await suspendAccount(ctx, account, request.body.reason ?? null)
      return answer(reply, standing, () => noteBy(request, 'account_suspended', { account_id: account }))
    },
  )

  app.post<{ Params: { id: string } }>('/settings/operator/accounts/:id/resume', async (request, reply) => {
    const account = await accountToChange(request)
    const standing = await resumeAccount(ctx, account)
    return answer(reply, standing, () => noteBy(request, 'account_resumed', { account_id: account }))
  })

  async function accountToChange(request: FastifyRequest<{ Params: { id: string } }>): Promise<AccountId> {
    await applyRateLimit(ctx, request, personOf(request))
    if (!isUuid(request.params.id)) throw new ApiError('not_found')
    return request.params.id as AccountId
  }

  function noteBy(request: FastifyRequest, action: SecurityAction, detail: Readonly<Record<string, string>>) {
    return noteOwn(ctx, request, personOf(request), action, detail)
  }
}

async function answer(
  reply: FastifyReply,
  standing: Standing | undefined,
  note: () => Promise<void>,
): Promise<FastifyReply> {
  if (!standing) throw new ApiError('not_found')
  await note()
  return reply.send(successOf(JSON.stringify({ account: standingText(standing) })))
}

function standingText(standing: Standing | undefined) {
  return { limits: rowOf(standing?.plan ?? UNLIMITED), suspended: standing?.suspension ?? null }
}
