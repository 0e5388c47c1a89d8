/** Accounts: one's own and teams; their settings, and their end. */
import type { FastifyInstance } from 'fastify'
import type { AccountRow } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import { deleteAccounts } from '../../delete-account.ts'
import { ApiError } from '../../errors.ts'
import type { FieldError } from '../../errors.ts'
import type { AccountId } from '../../model/caller.ts'
import { makeId } from '../../model/id.ts'
import { isOwnAccount } from '../../model/member.ts'
import type { Member, Role } from '../../model/member.ts'
import { parseCurrency } from '../../wire/currency.ts'
import { requireRecent } from '../recent.ts'
import { successOf } from '../../wire/texts.ts'
import { enter, personOf } from './door.ts'
import { noteOwn } from './note-own.ts'
import { noting } from './noting.ts'
import { keepPace } from './pace.ts'
import { AccountBody, AccountChangeBody } from './person-schemas.ts'

const ACCOUNTS = '/settings/accounts'

export function accountRoutes(app: FastifyInstance, ctx: Context): void {
  app.post<{ Body: AccountBody }>(ACCOUNTS, { schema: { body: AccountBody } }, async (request, reply) => {
    const person = personOf(request)
    await keepPace(ctx, request, person)
    const { userId } = person
    const { name } = request.body
    const accountId = makeId(ctx.now()) as AccountId
    const member = { accountId, userId }
    await ctx.db.as(accountId, [
      ctx.accounts.creating({ name }, accountId),
      ctx.members.adding(accountId, userId, 'owner'),
      noting(ctx, request, member, 'account_created', { name }),
    ])
    return reply.code(201).send(accountText(await ctx.accounts.find(member), member, 'owner'))
  })

  app.get(`${ACCOUNTS}/:account`, async (request, reply) => {
    const { member, role } = await enter(ctx, request, 'viewer')
    return reply.send(accountText(await ctx.accounts.find(member), member, role))
  })

  app.patch<{ Body: AccountChangeBody }>(
    `${ACCOUNTS}/:account`,
    { schema: { body: AccountChangeBody } },
    async (request, reply) => {
      const { member, person, role } = await enter(ctx, request, 'admin')
      await keepPace(ctx, request, person)
      const detail = { changed: Object.keys(request.body).join(' ') }
      const row = await ctx.accounts.change(member, parseChange(ctx, request.body), [
        noting(ctx, request, member, 'account_changed', detail),
        // Nothing will be recorded any more that could remove what was.
        ...(request.body.history_days === 0 ? ctx.history.forgetting(member.accountId) : []),
      ])
      return reply.send(accountText(row, member, role))
    },
  )

  app.delete(`${ACCOUNTS}/:account`, async (request, reply) => {
    const { member, person } = await enter(ctx, request, 'owner')
    if (isOwnAccount(member)) throw new ApiError('own_account')
    requireRecent(ctx, person)
    await keepPace(ctx, request, person)
    const account = await ctx.accounts.find(member)
    await deleteAccounts(ctx, [member.accountId])
    // Its own log is gone with it.
    const detail = { account_id: member.accountId, name: account?.name ?? '' }
    await noteOwn(ctx, request, person, 'account_deleted', detail)
    return reply.send(successOf('{}'))
  })
}

function parseChange(ctx: Context, { name, language, currency, history_days: historyDays }: AccountChangeBody) {
  const problems: FieldError[] = []
  const parsed = currency == null ? currency : parseCurrency(ctx.prices, currency, '/currency', problems)
  if (problems.length > 0) throw new ApiError('invalid_request', { fields: problems })
  return { name, language, currency: parsed, historyDays }
}

/** Fails with not_found for one that was deleted or left meanwhile. */
export function accountText(row: AccountRow | undefined, member: Member, role: Role | undefined): string {
  if (!row || !role) throw new ApiError('not_found')
  return successOf(JSON.stringify({ account: { ...row, role, own: isOwnAccount(member) } }))
}
