/**
 * A pass: an access token for an hour, with which our own pages call the API as the signed-in person.
 *
 * To the API the web app is an application like any other, so it has a row among those of the account: with a quota and
 * usage that every member can see, and limits that an admin can set. The first sign-in authorizes it, without a
 * consent. So revoking it ends every pass of the account at once, and the next page that asks authorizes it again.
 *
 * Webhooks are left out: the role decides who may change them, in the settings.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { ApiError } from '../../model/errors.ts'
import type { KeyRow } from '../keys/keys.ts'
import { SCOPES, type QuotaLimits, type Scope } from '../../model/caller.ts'
import type { Member } from '../../model/member.ts'
import { scopesOf } from '../../model/permissions.ts'
import { WEB_CLIENT } from './people.ts'
import type { Person } from '../../model/person.ts'
import { successOf } from '../../http/wire/texts.ts'
import { signedInMemberOf } from '../../http/settings/session-auth.ts'
import { noting } from '../../http/settings/noting.ts'
import { requireWithin } from '../../http/within-limits.ts'

/** The most that the pages of any member may do here. */
const PASS_SCOPES: readonly Scope[] = scopesOf({ kind: 'app_session', audience: 'v1', role: 'owner' }, SCOPES)
/** For all members of the account together, working interactively. */
const PASS_QUOTA: QuotaLimits = { perMinute: 120, burst: 60, perDay: 5_000, perMonth: null }
// A page needs one an hour for each account. A person may have many pages, and reload them often.
const RATE_LIMIT = { name: 'pass', perHour: 240, burst: 40 }

export function passRoute(app: FastifyInstance, ctx: Context): void {
  app.post('/settings/accounts/:account/pass', async (request, reply) => {
    const { member, person, role } = signedInMemberOf(request)
    await applyPassRateLimit(ctx, person)
    const row = (await findRow(ctx, member)) ?? (await letIn(ctx, request, member))
    const scopes = scopesOf({ kind: 'app_session', audience: 'v1', role }, row.scopes)
    const { sessionId, userId } = person
    const pass = await ctx.people.givePass({ sessionId, userId, account: member.accountId, scopes })
    if (!pass) throw new ApiError('sign_in_required')
    const { token, expiresAt } = pass
    return reply.code(201).send(successOf(JSON.stringify({ token, expires_at: expiresAt, scopes })))
  })
}

async function applyPassRateLimit(ctx: Context, { userId }: Person): Promise<void> {
  await requireWithin(ctx, [{ ...RATE_LIMIT, subject: userId }])
}

async function findRow(ctx: Context, member: Member): Promise<KeyRow | undefined> {
  const rows = await ctx.keys.list(member)
  return rows.find((row) => row.client_id === WEB_CLIENT.clientId && row.revoked_at === null)
}

/** With every scope, because each member's own role limits a pass each time it is used. */
async function letIn(ctx: Context, request: FastifyRequest, member: Member): Promise<KeyRow> {
  const { clientId, name } = WEB_CLIENT
  const detail = { client_id: clientId, name, scopes: PASS_SCOPES.join(' ') }
  await ctx.keys.grant(member, { clientId, name, scopes: PASS_SCOPES, quota: PASS_QUOTA, isOwn: true }, [
    noting(ctx, request, member, 'grant_given', detail),
  ])
  const row = await findRow(ctx, member)
  // Revoked by somebody else at the same moment, or the account is deleted.
  if (!row) throw new ApiError('not_found')
  return row
}
