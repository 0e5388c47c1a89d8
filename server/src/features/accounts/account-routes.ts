/** Accounts, personal and teams: create, change and delete them. */
import type { FastifyInstance } from 'fastify'
import type { AccountRow } from './accounts.ts'
import type { Context } from '../../context.ts'
import { deleteAccounts } from './delete-account.ts'
import { ApiError } from '../../model/errors.ts'
import type { FieldError } from '../../model/errors.ts'
import type { AccountId } from '../../model/caller.ts'
import { makeId } from '../../model/id.ts'
import { isOwnAccount } from '../../model/member.ts'
import type { Member, Role } from '../../model/member.ts'
import { rowOf } from '../../model/plan.ts'
import { parseCurrency } from '../../http/wire/currency.ts'
import { successOf } from '../../http/wire/texts.ts'
import { requireWithin } from '../../http/within-limits.ts'
import { signedInMemberOf, personOf } from '../../http/settings/session-auth.ts'
import { noteOwn } from '../../http/settings/note-own.ts'
import { noting } from '../../http/settings/noting.ts'
import { applyRateLimit } from '../../http/settings/rate-limit.ts'
import { AccountBody, AccountChangeBody, ChangeEmailsBody } from './schemas.ts'

const ACCOUNTS = '/settings/accounts'
// Each account has a plan of its own, and many small plans would add up to a large one.
const NEW_ACCOUNTS = { name: 'account', perHour: 10 / 24, burst: 10 }

export function accountRoutes(app: FastifyInstance, ctx: Context): void {
  app.post<{ Body: AccountBody }>(ACCOUNTS, { schema: { body: AccountBody } }, async (request, reply) => {
    const person = personOf(request)
    await applyRateLimit(ctx, request, person)
    const { userId } = person
    const { name } = request.body
    await requireWithin(ctx, [{ ...NEW_ACCOUNTS, subject: person.userId }])
    const accountId = makeId(ctx.now()) as AccountId
    const member = { accountId, userId }
    await ctx.db.as(accountId, [
      ctx.accounts.creating({ name }, accountId),
      ctx.accounts.planning(accountId, ctx.config.people.plan),
      ctx.members.adding(accountId, userId, 'owner'),
      noting(ctx, request, member, 'account_created', { name }),
    ])
    return reply.code(201).send(await accountText(ctx, await ctx.accounts.find(member), member, 'owner'))
  })

  app.get(`${ACCOUNTS}/:account`, async (request, reply) => {
    const { member, role } = signedInMemberOf(request)
    return reply.send(await accountText(ctx, await ctx.accounts.find(member), member, role))
  })

  app.patch<{ Body: AccountChangeBody }>(
    `${ACCOUNTS}/:account`,
    { schema: { body: AccountChangeBody } },
    async (request, reply) => {
      const { member, person, role } = signedInMemberOf(request)
      await applyRateLimit(ctx, request, person)
      const detail = { changed: Object.keys(request.body).join(' ') }
      const row = await ctx.accounts.change(member, parseChange(ctx, request.body), [
        noting(ctx, request, member, 'account_changed', detail),
        // Nothing will be recorded any more, so no later record would remove the old ones.
        ...(request.body.history_days === 0 ? ctx.history.forgetting(member.accountId) : []),
      ])
      return reply.send(await accountText(ctx, row, member, role))
    },
  )

  app.put<{ Body: ChangeEmailsBody }>(
    `${ACCOUNTS}/:account/change-emails`,
    { schema: { body: ChangeEmailsBody } },
    async (request, reply) => {
      const { member, person, role } = signedInMemberOf(request)
      await applyRateLimit(ctx, request, person)
      await ctx.db.as(member, ctx.changeEmails.switching(member, request.body.is_on))
      return reply.send(await accountText(ctx, await ctx.accounts.find(member), member, role))
    },
  )

  app.delete(`${ACCOUNTS}/:account`, { config: { stepUp: true, whileSuspended: true } }, async (request, reply) => {
    const { member, person } = signedInMemberOf(request)
    if (isOwnAccount(member)) throw new ApiError('own_account')
    await applyRateLimit(ctx, request, person)
    const account = await ctx.accounts.find(member)
    await deleteAccounts(ctx, [member.accountId])
    // Noted in the person's own audit log, because that of the account is deleted with it.
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

/** Fails with not_found if the account was deleted, or the person left it, in the meantime. */
export async function accountText(
  ctx: Context,
  row: AccountRow | undefined,
  member: Member,
  role: Role | undefined,
): Promise<string> {
  if (!row || !role) throw new ApiError('not_found')
  const [{ plan, suspension }, changeEmails] = await Promise.all([
    ctx.accounts.standingOf(member),
    ctx.changeEmails.isOn(member),
  ])
  const account = {
    ...row,
    role,
    own: isOwnAccount(member),
    change_emails: changeEmails,
    limits: rowOf(plan),
    suspended: suspension ?? null,
  }
  return successOf(JSON.stringify({ account }))
}
