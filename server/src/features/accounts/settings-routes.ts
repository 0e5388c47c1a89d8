/** The settings of a person, of their accounts, personal and teams, and of the members of these. */
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { found } from '../../http/route.ts'
import { noteOwn } from '../../http/settings/note-own.ts'
import { applyRateLimit } from '../../http/settings/rate-limit.ts'
import { personOf } from '../../http/settings/session-auth.ts'
import { enterSettings, role, settingsRoute, signedIn } from '../../http/settings-route.ts'
import { parseCurrency } from '../../http/wire/currency.ts'
import { Done } from '../../http/wire/schemas.ts'
import { requireWithin } from '../../http/within-limits.ts'
import type { AccountId } from '../../model/caller.ts'
import { ApiError, type FieldError } from '../../model/errors.ts'
import { isUuid, makeId } from '../../model/id.ts'
import { isAtLeast, isOwnAccount, type Member, type Role, type UserId } from '../../model/member.ts'
import type { Person } from '../../model/person.ts'
import { rowOf } from '../../model/plan.ts'
import type { SecurityEvent } from '../../platform/audit-log/audit-log.ts'
import type { AccountRow } from './accounts.ts'
import { changeRole, removeMember } from './members.ts'
import { deleteAccounts, deletePerson } from './deletion.ts'
import { exportPerson } from './export-person.ts'
import { acceptInvitation, inviteMember } from './inviting.ts'
import {
  AcceptBody,
  AccountBody,
  AccountChangeBody,
  AccountOne,
  ChangeEmailsBody,
  EventPage,
  EventsQuery,
  InvitationBody,
  InvitationList,
  InvitationMade,
  Me,
  MemberList,
  ProfileBody,
  RoleBody,
} from './schemas.ts'

const ACCOUNT = '/settings/accounts/{account}'
// Each account has a plan of its own, and many small plans would add up to a large one.
const NEW_ACCOUNTS = { name: 'account', perHour: 10 / 24, burst: 10 }
// Each is an email to a person who has not asked for it. Accounts are easy to create, so the sender is counted, too.
const INVITATION_EMAILS = { name: 'invitations', perHour: 30, burst: 10 }

const getMe = settingsRoute({
  method: 'GET',
  path: '/settings/me',
  id: 'getMe',
  summary: 'Get the signed-in person and their accounts',
  access: signedIn,
  replies: { 200: Me },
  run: ({ person }, app) => shownMe(app, person),
})

const changeMe = settingsRoute({
  method: 'PATCH',
  path: '/settings/me',
  id: 'changeMe',
  summary: 'Change your name or language',
  access: signedIn,
  body: ProfileBody,
  replies: { 200: Me },
  async run(ask, app) {
    const { name = ask.person.name, language = ask.person.language } = ask.body
    await app.people.changeProfile(ask.person.userId, ask.body)
    await ask.noteOwn('profile_changed', { changed: Object.keys(ask.body).join(' ') })
    return shownMe(app, { ...ask.person, name, language })
  },
})

const deleteMe = settingsRoute({
  method: 'DELETE',
  path: '/settings/me',
  id: 'deleteMe',
  summary: 'Delete yourself, with the accounts that only you belong to',
  access: signedIn,
  stepUp: true,
  replies: { 200: Done },
  async run({ person }, app) {
    await deletePerson(app, person)
    return {}
  },
})

async function shownMe(ctx: Context, { userId, email, name, language, twoFactor }: Person) {
  const memberships = await ctx.members.listAccounts(userId)
  const members = memberships.map((one) => ({ accountId: one.account_id, userId, role: one.role }))
  const names = await ctx.accounts.namesOf(members)
  const accounts = members.map((member) => ({
    id: member.accountId,
    name: names.get(member.accountId) ?? null,
    role: member.role,
    own: isOwnAccount(member),
  }))
  return { person: { id: userId, email, name, language, two_factor: twoFactor }, accounts }
}

/** A file and no JSON answer, so it is not declared. With a step-up: a browser that was left open is not enough. */
export function addExport(app: FastifyInstance, ctx: Context): void {
  const options = { exposeHeadRoute: false, config: { access: signedIn, stepUp: true } } as const
  app.get('/settings/me/export', { ...options, onRequest: enterSettings(ctx) }, async (request, reply) => {
    const person = personOf(request)
    await applyRateLimit(ctx, request, person)
    // Before the data is read, so that the export includes this entry.
    await noteOwn(ctx, request, person, 'exported')
    const day = new Date(ctx.now()).toISOString().slice(0, 10)
    return reply
      .header('Content-Disposition', `attachment; filename="namewright-${day}.json"`)
      .send(Readable.from(exportPerson(ctx, person), { objectMode: false }))
  })
}

const createAccount = settingsRoute({
  method: 'POST',
  path: '/settings/accounts',
  id: 'createAccount',
  summary: 'Create an account',
  access: signedIn,
  body: AccountBody,
  replies: { 201: AccountOne },
  async run({ body: { name }, person: { userId }, credential, ip }, app) {
    await requireWithin(app, [{ ...NEW_ACCOUNTS, subject: userId }])
    const accountId = makeId(app.now()) as AccountId
    const member = { accountId, userId }
    await app.db.as(accountId, [
      app.accounts.creating({ name }, accountId),
      app.accounts.planning(accountId, app.config.people.plan),
      app.members.adding(accountId, userId, 'owner'),
      app.auditLog.noting(accountId, { action: 'account_created', actor: userId, credential, ip, detail: { name } }),
    ])
    return shownAccount(app, await app.accounts.find(member), member, 'owner')
  },
})

const getAccount = settingsRoute({
  method: 'GET',
  path: ACCOUNT,
  id: 'getAccount',
  summary: 'Get an account',
  access: role('viewer'),
  replies: { 200: AccountOne },
  run: async (ask, app) => shownAccount(app, await app.accounts.find(ask.member), ask.member, ask.role),
})

const changeAccount = settingsRoute({
  method: 'PATCH',
  path: ACCOUNT,
  id: 'changeAccount',
  summary: 'Change an account',
  access: role('admin'),
  body: AccountChangeBody,
  replies: { 200: AccountOne },
  async run(ask, app) {
    const { name, language, currency, history_days: historyDays } = ask.body
    const change = { name, language, currency: currencyOf(app, currency), historyDays }
    const row = await app.accounts.change(ask.member, change, [
      ask.note('account_changed', { changed: Object.keys(ask.body).join(' ') }),
      // Nothing will be recorded any more, so no later record would remove the old ones.
      ...(historyDays === 0 ? app.history.forgetting(ask.member.accountId) : []),
    ])
    return shownAccount(app, row, ask.member, ask.role)
  },
})

function currencyOf({ prices }: Context, text: string | null | undefined): string | null | undefined {
  if (text == null) return text
  const problems: FieldError[] = []
  const currency = parseCurrency(prices, text, '/currency', problems)
  if (problems.length > 0) throw new ApiError('invalid_request', { fields: problems })
  return currency
}

const switchChangeEmails = settingsRoute({
  method: 'PUT',
  path: `${ACCOUNT}/change-emails`,
  id: 'switchChangeEmails',
  summary: 'Get emails about changes of watched domains, or no longer',
  access: role('viewer'),
  body: ChangeEmailsBody,
  replies: { 200: AccountOne },
  async run({ member, role: held, body }, app) {
    await app.db.as(member, app.changeEmails.switching(member, body.is_on))
    return shownAccount(app, await app.accounts.find(member), member, held)
  },
})

const deleteAccount = settingsRoute({
  method: 'DELETE',
  path: ACCOUNT,
  id: 'deleteAccount',
  summary: 'Delete an account, with everything that it owns',
  access: role('owner'),
  stepUp: true,
  whileSuspended: true,
  replies: { 200: Done },
  async run(ask, app) {
    const { member } = ask
    if (isOwnAccount(member)) throw new ApiError('own_account')
    const account = await app.accounts.find(member)
    await deleteAccounts(app, [member.accountId])
    // Noted in the person's own audit log, because that of the account is deleted with it.
    await ask.noteOwn('account_deleted', { account_id: member.accountId, name: account?.name ?? '' })
    return {}
  },
})

/** Fails with not_found if the account was deleted, or the person left it, in the meantime. */
async function shownAccount(ctx: Context, row: AccountRow | undefined, member: Member, held: Role | undefined) {
  const [account, by] = [found(row), found(held)]
  const [{ plan, suspension }, changeEmails] = await Promise.all([
    ctx.accounts.standingOf(member),
    ctx.changeEmails.isOn(member),
  ])
  return {
    account: {
      ...account,
      role: by,
      own: isOwnAccount(member),
      change_emails: changeEmails,
      limits: rowOf(plan),
      suspended: suspension ?? null,
    },
  }
}

const listMembers = settingsRoute({
  method: 'GET',
  path: `${ACCOUNT}/members`,
  id: 'listMembers',
  summary: 'List the members',
  access: role('viewer'),
  replies: { 200: MemberList },
  run: ({ member }, app) => shownMembers(app, member),
})

/** Who may add or remove owners, and that one owner always remains, is enforced where it is written (`members.ts`). */
const changeMember = settingsRoute({
  method: 'PATCH',
  path: `${ACCOUNT}/members/{user}`,
  id: 'changeMember',
  summary: 'Change the role of a member',
  access: role('admin'),
  stepUp: ({ role: wanted }: { readonly role: Role }) => isAtLeast(wanted, 'admin'),
  body: RoleBody,
  replies: { 200: MemberList },
  async run(ask, app) {
    await changeRole(app, ask, ask.params.user as UserId, ask.body.role)
    return shownMembers(app, ask.member)
  },
})

const leaveAccount = settingsRoute({
  method: 'DELETE',
  path: `${ACCOUNT}/members/{user}`,
  id: 'removeMember',
  summary: 'Remove a member, or leave',
  access: role('admin', 'viewer'),
  replies: { 200: Done },
  async run(ask, app) {
    const userId = ask.params.user as UserId
    ask.requireRoleUnlessOwn(userId === ask.person.userId)
    await removeMember(app, ask, userId)
    return {}
  },
})

async function shownMembers(ctx: Context, member: Member) {
  const rows = await ctx.members.list(member)
  const people = await ctx.people.namesOf(rows.map(({ user_id }) => user_id))
  const members = rows.map(({ user_id, role: held, created_at }) => {
    const { name = null, email = null } = people.get(user_id) ?? {}
    return { id: user_id, name, email, role: held, joined_at: created_at }
  })
  return { members }
}

const listInvitations = settingsRoute({
  method: 'GET',
  path: `${ACCOUNT}/invitations`,
  id: 'listInvitations',
  summary: 'List the invitations that are open',
  access: role('admin'),
  replies: { 200: InvitationList },
  async run({ member }, app) {
    const rows = await app.members.listInvitations(member)
    const inviters = await app.people.namesOf(rows.flatMap(({ invited_by }) => invited_by ?? []))
    const invitations = rows.map(({ invited_by: by, ...row }) => {
      const inviter = inviters.get(by ?? '')
      return { ...row, invited_by: by !== null && inviter ? { id: by, name: inviter.name } : null }
    })
    return { invitations }
  },
})

const invite = settingsRoute({
  method: 'POST',
  path: `${ACCOUNT}/invitations`,
  id: 'invite',
  summary: 'Invite somebody by email',
  access: role('admin'),
  // An admin can create credentials.
  stepUp: ({ role: wanted }: { readonly role: Role }) => isAtLeast(wanted, 'admin'),
  body: InvitationBody,
  replies: { 201: InvitationMade },
  async run(ask, app) {
    const { accountId, userId } = ask.member
    const emails = [accountId, userId].map((subject) => ({ ...INVITATION_EMAILS, subject }))
    await requireWithin(app, emails)
    const { id, email, expiresAt, link } = await inviteMember(app, ask, ask.body)
    const shown = { id, email, role: ask.body.role, expires_at: expiresAt }
    return { invitation: { ...shown, ...(link === undefined ? {} : { link }) } }
  },
})

const withdrawInvitation = settingsRoute({
  method: 'DELETE',
  path: `${ACCOUNT}/invitations/{id}`,
  id: 'withdrawInvitation',
  summary: 'Withdraw an invitation',
  access: role('admin'),
  replies: { 200: Done },
  async run(ask, app) {
    const { id } = ask.params
    const note = ask.note('invitation_withdrawn', { invitation_id: id })
    if (!(isUuid(id) && (await app.members.withdraw(ask.member, id, [note])))) throw new ApiError('not_found')
    return {}
  },
})

const accept = settingsRoute({
  method: 'POST',
  path: '/settings/invitations/accept',
  id: 'acceptInvitation',
  summary: 'Accept an invitation',
  access: signedIn,
  body: AcceptBody,
  replies: { 200: AccountOne },
  async run({ body, person, ip, credential }, app) {
    const accountId = await acceptInvitation(app, person, body.token, { ip, credential })
    const member = { accountId, userId: person.userId }
    const [account, held] = await Promise.all([app.accounts.find(member), app.members.roleOf(member)])
    return shownAccount(app, account, member, held)
  },
})

const listSecurityEvents = settingsRoute({
  method: 'GET',
  path: `${ACCOUNT}/security-events`,
  id: 'listSecurityEvents',
  summary: 'Read the audit log, newest first',
  access: role('admin'),
  query: EventsQuery,
  replies: { 200: EventPage },
  async run(ask, app) {
    const events = await ask.list('security-events', (window) => app.auditLog.list(ask.member, window))
    return { security_events: await shownEvents(app, ask.member, events), next_cursor: ask.next }
  },
})

/** Names the person, the credential and the application of each, as far as they are known. */
async function shownEvents(ctx: Context, member: Member, events: readonly SecurityEvent[]) {
  const actors = new Set(events.flatMap(({ actor }) => actor ?? []))
  const clientIds = new Set(events.flatMap(({ credential }) => credential?.clientId ?? []))
  const [names, clients, keys] = await Promise.all([
    ctx.people.namesOf([...actors]),
    ctx.people.clientNames([...clientIds]),
    ctx.keys.list(member),
  ])
  const keyNames = new Map(
    keys.flatMap(({ id, name, client_id }) => (client_id === null ? [[id as string, name]] : [])),
  )
  return events.map(({ id, created_at, action, actor, credential, ip, detail }) => {
    const clientId = credential?.clientId
    return {
      id,
      created_at,
      action,
      actor: actor === null ? null : { id: actor, name: names.get(actor)?.name ?? null },
      credential: credential
        ? { kind: credential.kind, id: credential.id || null, name: keyNames.get(credential.id) ?? null }
        : null,
      application: clientId === undefined ? null : { client_id: clientId, name: clients.get(clientId)?.name ?? null },
      ip,
      detail,
    }
  })
}

export const accountSettings = [
  getMe,
  changeMe,
  deleteMe,
  createAccount,
  getAccount,
  changeAccount,
  switchChangeEmails,
  deleteAccount,
  listMembers,
  changeMember,
  leaveAccount,
  listInvitations,
  invite,
  withdrawInvitation,
  accept,
  listSecurityEvents,
]
