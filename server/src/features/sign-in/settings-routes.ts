/**
 * What a signed-in person settles about their own sign-in: sessions, a step-up, another email address; and the pass with
 * which our own pages call the API.
 */
import { Type } from 'typebox'
import type { Context } from '../../context.ts'
import { found } from '../../http/route.ts'
import { headersOf } from '../../http/settings/session-auth.ts'
import { type MemberAsk, role, settingsRoute, signedIn } from '../../http/settings-route.ts'
import { limitGuesses, stepUpRequired } from '../../http/step-up.ts'
import { closed, Done, Email, nullable, RowTime, Scope, success } from '../../http/wire/schemas.ts'
import { requireWithin } from '../../http/within-limits.ts'
import { type QuotaLimits, type Scope as ScopeName, SCOPES, WEB_CLIENT_ID } from '../../model/caller.ts'
import { ApiError } from '../../model/errors.ts'
import { isUuid } from '../../model/id.ts'
import type { Member } from '../../model/member.ts'
import { scopesOf } from '../../model/permissions.ts'
import { RECENT_SECONDS } from '../../model/person.ts'
import { addressSubject } from '../../platform/limits/limits.ts'
import { requestAddressChange } from './change-address.ts'
import { WEB_CLIENT } from './passes.ts'

const SignInSession = Type.Object(
  {
    id: Type.String(),
    created_at: RowTime,
    expires_at: RowTime,
    address: nullable(Type.String()),
    browser: nullable(Type.String()),
    current: Type.Boolean({ description: 'The session of this request.' }),
  },
  { ...closed, $id: 'SignInSession' },
)

const listSessions = settingsRoute({
  method: 'GET',
  path: '/settings/me/sessions',
  id: 'listSessions',
  summary: 'List the sessions',
  access: signedIn,
  replies: { 200: success(Type.Object({ sessions: Type.Array(SignInSession) }, closed), 'Sessions') },
  async run({ person }, { people }) {
    const rows = await people.listSessions(person.userId)
    const sessions = rows.map(({ id, created_at, expires_at, ip_address, user_agent }) => ({
      id,
      created_at,
      expires_at,
      address: ip_address,
      browser: user_agent,
      current: id === person.sessionId,
    }))
    return { sessions }
  },
})

const endOtherSessions = settingsRoute({
  method: 'DELETE',
  path: '/settings/me/sessions',
  id: 'endOtherSessions',
  summary: 'End all other sessions',
  access: signedIn,
  replies: { 200: Done },
  async run(ask, { people }) {
    await people.endOtherSessions(ask.person.userId, ask.person.sessionId)
    await ask.noteOwn('session_ended', { sessions: 'others' })
    return {}
  },
})

const endSession = settingsRoute({
  method: 'DELETE',
  path: '/settings/me/sessions/{id}',
  id: 'endSession',
  summary: 'End a session',
  access: signedIn,
  replies: { 200: Done },
  async run(ask, { people }) {
    const { id } = ask.params
    if (!(isUuid(id) && (await people.endSession(ask.person.userId, id)))) throw new ApiError('not_found')
    await ask.noteOwn('session_ended', { session_id: id })
    return {}
  },
})

const StepUpMethods = success(
  Type.Object(
    {
      methods: Type.Array(Type.Enum(['password', 'passkey', 'code'])),
      providers: Type.Array(Type.String(), { description: 'Who has only these signs in there again.' }),
      proved_until: RowTime,
    },
    { ...closed, $id: 'StepUpMethods' },
  ),
  'StepUpMethodsAnswer',
)

const getStepUp = settingsRoute({
  method: 'GET',
  path: '/settings/me/step-up',
  id: 'getStepUp',
  summary: 'List the ways to confirm that it is you',
  access: signedIn,
  replies: { 200: StepUpMethods },
  async run({ person }, { people }) {
    const { passkeys, providers, hasPassword, twoFactor } = await people.listSignInMethods(person.userId)
    const methods = [
      ...(hasPassword ? ['password' as const] : []),
      ...(passkeys.length > 0 ? ['passkey' as const] : []),
      ...(twoFactor ? ['code' as const] : []),
    ]
    return { methods, providers, proved_until: untilOf(person.provedAt.getTime()) }
  },
})

/** Exactly one of them. */
const StepUpBody = Type.Union([
  Type.Object({ password: Type.String({ maxLength: 128 }) }, closed),
  Type.Object({ code: Type.String({ maxLength: 32 }) }, closed),
  Type.Object({ passkey: Type.Object({}, { additionalProperties: true }) }, closed),
])

const stepUp = settingsRoute({
  method: 'POST',
  path: '/settings/me/step-up',
  id: 'stepUp',
  summary: 'Confirm that it is you',
  access: signedIn,
  body: StepUpBody,
  replies: { 200: success(Type.Object({ proved_until: RowTime }, closed), 'StepUpAnswer') },
  async run(ask, app) {
    await limitGuesses(app, ask, ask.person)
    if (!(await app.people.proveAgain(ask.person, ask.body, headersOf(ask)))) {
      await ask.noteOwn('sign_in_failed', { step: 'step_up' })
      throw stepUpRequired()
    }
    return { proved_until: untilOf(app.now()) }
  },
})

const untilOf = (provedAt: number) => new Date(provedAt + RECENT_SECONDS * 1000)

// As for every other email that a request sends. Per person, per new address, and per IP address.
const SENT = { name: 'change-email', perHour: 6, burst: 3 }
const SENT_FROM = { name: 'change-email', perHour: 30, burst: 10 }

/** The response is the same whether the address belongs to somebody or not; only the mailbox tells. */
const changeEmail = settingsRoute({
  method: 'POST',
  path: '/settings/me/email',
  id: 'changeEmail',
  summary: 'Ask for another email address',
  access: signedIn,
  stepUp: true,
  body: Type.Object({ email: Email }, closed),
  replies: { 200: Done },
  async run({ body, person, ip }, app) {
    const email = body.email.toLowerCase()
    await requireWithin(app, [
      { ...SENT, subject: person.userId },
      { ...SENT, subject: email },
      { ...SENT_FROM, subject: addressSubject(ip) },
    ])
    await requestAddressChange(app, person, email)
    return {}
  },
})

/** The most that the pages of any member may do here. Webhooks are left out: the role decides, in the settings. */
const PASS_SCOPES: readonly ScopeName[] = scopesOf({ kind: 'app_session', audience: 'v1', role: 'owner' }, SCOPES)
/** For all members of the account together, working interactively. */
const PASS_QUOTA: QuotaLimits = { perMinute: 120, burst: 60, perDay: 5_000, perMonth: null }
// A page needs one an hour for each account. A person may have many pages, and reload them often.
const PASSES = { name: 'pass', perHour: 240, burst: 40 }

const Pass = success(
  Type.Object({ token: Type.String(), expires_at: RowTime, scopes: Type.Array(Scope) }, { ...closed, $id: 'Pass' }),
  'PassAnswer',
)

/**
 * To the API the web app is an application like any other, so it has a row among those of the account: with a quota and
 * usage that every member can see, and limits that an admin can set. The first sign-in authorizes it, without a
 * consent. So revoking it ends every pass of the account at once, and the next page that asks authorizes it again.
 */
const givePass = settingsRoute({
  method: 'POST',
  path: '/settings/accounts/{account}/pass',
  id: 'givePass',
  summary: 'Get an access token for an hour, for our own pages',
  access: role('viewer'),
  ownLimit: true,
  replies: { 201: Pass },
  async run(ask, app) {
    const { userId, sessionId } = ask.person
    await requireWithin(app, [{ ...PASSES, subject: userId }])
    const row = (await findRow(app, ask.member)) ?? (await letIn(app, ask))
    const scopes = scopesOf({ kind: 'app_session', audience: 'v1', role: ask.role }, row.scopes)
    const pass = await app.people.givePass({ sessionId, userId, account: ask.member.accountId, scopes })
    if (!pass) throw new ApiError('sign_in_required')
    return { token: pass.token, expires_at: pass.expiresAt, scopes }
  },
})

async function findRow({ keys }: Context, member: Member) {
  return (await keys.list(member)).find((row) => row.client_id === WEB_CLIENT_ID && row.revoked_at === null)
}

/** With every scope, because each member's own role limits a pass each time it is used. */
async function letIn(ctx: Context, ask: MemberAsk) {
  const { clientId, name } = WEB_CLIENT
  const detail = { client_id: clientId, name, scopes: PASS_SCOPES.join(' ') }
  await ctx.keys.grant(ask.member, { clientId, name, scopes: PASS_SCOPES, quota: PASS_QUOTA, isOwn: true }, [
    ask.note('grant_given', detail),
  ])
  // Absent if somebody else revoked it at the same moment, or the account is deleted.
  return found(await findRow(ctx, ask.member))
}

export const ownSettings = [listSessions, endOtherSessions, endSession, getStepUp, stepUp, changeEmail, givePass]
