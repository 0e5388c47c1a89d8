/**
 * A pass: what a page of ours calls the API with, for an hour, as the person who is signed in.
 *
 * To the API a page is an application like any other, so it has a row among those of the account: with a quota and a use
 * that everybody there can see, and limits that an admin can set. It was let in by whoever signed in first and not by a
 * consent; so ending it ends every pass of the account at once, and the next page that asks lets it in again.
 *
 * Webhooks are left out: who may change them is decided by the role, in the settings.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { ApiError } from '../../errors.ts'
import type { KeyRow } from '../../keys/keys.ts'
import { SCOPES } from '../../model/caller.ts'
import type { Quota, Scope } from '../../model/caller.ts'
import { scopesWithin } from '../../model/member.ts'
import type { Member } from '../../model/member.ts'
import { WEB_CLIENT } from '../../people/people.ts'
import type { Person } from '../../people/people.ts'
import { successOf } from '../../wire/texts.ts'
import { enter } from './door.ts'
import { noting } from './noting.ts'
import { requireWithin } from '../within-limits.ts'

const PASS_SCOPES: readonly Scope[] = SCOPES.filter((scope) => scope !== 'webhooks')
/** For everybody in the account together, working by hand. */
const PASS_QUOTA: Quota = { perMinute: 120, burst: 60, perDay: 5_000, perMonth: null }
// A page needs one an hour for each account; a person may have many pages, and load them often.
const PACE = { name: 'pass', perHour: 240, burst: 40 }

export function passRoute(app: FastifyInstance, ctx: Context): void {
  app.post('/settings/accounts/:account/pass', async (request, reply) => {
    const { member, person, role } = await enter(ctx, request, 'viewer')
    await keepPassPace(ctx, person)
    const row = (await findRow(ctx, member)) ?? (await letIn(ctx, request, member))
    const scopes = scopesWithin(role, row.scopes)
    const { sessionId, userId } = person
    const pass = await ctx.people.givePass({ sessionId, userId, account: member.accountId, scopes })
    if (!pass) throw new ApiError('sign_in_required')
    const { token, expiresAt } = pass
    return reply.code(201).send(successOf(JSON.stringify({ token, expires_at: expiresAt, scopes })))
  })
}

async function keepPassPace(ctx: Context, { userId }: Person): Promise<void> {
  await requireWithin(ctx, [{ ...PACE, subject: userId }])
}

async function findRow(ctx: Context, member: Member): Promise<KeyRow | undefined> {
  const rows = await ctx.keys.list(member)
  return rows.find((row) => row.client_id === WEB_CLIENT.clientId && row.revoked_at === null)
}

/** With every scope, because what one of them may is decided by their own role, each time a pass is used. */
async function letIn(ctx: Context, request: FastifyRequest, member: Member): Promise<KeyRow> {
  const { clientId, name } = WEB_CLIENT
  const detail = { client_id: clientId, name, scopes: PASS_SCOPES.join(' ') }
  await ctx.keys.grant(member, { clientId, name, scopes: PASS_SCOPES, quota: PASS_QUOTA }, [
    noting(ctx, request, member, 'grant_given', detail),
  ])
  const row = await findRow(ctx, member)
  // Ended by somebody else in the same moment, or the account is gone.
  if (!row) throw new ApiError('not_found')
  return row
}
