/**
 * Which applications may act for an account, whatever account registered them: an admin blocks some, or allows only
 * those on a list.
 *
 * A change revokes the access that it forbids. The rule is committed first, so that nobody can authorize the
 * application again, and then its grants and tokens are revoked. If that is interrupted, repeating the request revokes
 * the rest.
 */
import type { Context } from '../../context.ts'
import { found } from '../../http/route.ts'
import { type MemberAsk, role, settingsRoute } from '../../http/settings-route.ts'
import { WEB_CLIENT_ID } from '../../model/caller.ts'
import { ApiError } from '../../model/errors.ts'
import type { Member } from '../../model/member.ts'
import { isAllowed, MAX_RULES } from './application-rules.ts'
import type { KeyRow } from './keys.ts'
import { Applications, PolicyBody, RuleBody } from './schemas.ts'

const APPLICATIONS = '/settings/accounts/{account}/applications'

const getApplications = settingsRoute({
  method: 'GET',
  path: APPLICATIONS,
  id: 'getApplications',
  summary: 'Get the rules about applications',
  access: role('viewer'),
  replies: { 200: Applications },
  run: ({ member }, { applicationRules }) => applicationRules.find(member),
})

const changePolicy = settingsRoute({
  method: 'PATCH',
  path: APPLICATIONS,
  id: 'changeApplicationPolicy',
  summary: 'Allow any application, or only the listed ones',
  access: role('admin'),
  body: PolicyBody,
  replies: { 200: Applications },
  async run(ask, app) {
    const { policy } = ask.body
    await app.db.as(ask.member, [
      ...app.applicationRules.changingPolicy(ask.member.accountId, policy),
      ask.note('application_policy_changed', { policy }),
    ])
    await endForbidden(app, ask)
    return app.applicationRules.find(ask.member)
  },
})

const putRule = settingsRoute({
  method: 'PUT',
  path: `${APPLICATIONS}/rules`,
  id: 'putApplicationRule',
  summary: 'Allow or block an application, or remove its rule',
  access: role('admin'),
  body: RuleBody,
  replies: { 200: Applications },
  async run(ask, app) {
    const { member } = ask
    const { client_id: clientId, decision } = ask.body
    const applications = await app.applicationRules.find(member)
    const known = applications.rules.find((rule) => rule.client_id === clientId)
    if (!known && decision === null) return applications
    if (!known && applications.rules.length >= MAX_RULES) {
      throw new ApiError('invalid_request', {
        fields: [{ pointer: '/client_id', code: 'too_many', params: { limit: MAX_RULES } }],
      })
    }
    // Our own web app cannot be blocked. A rule needs an application that is known here or already listed.
    const name = found(
      clientId === WEB_CLIENT_ID ? undefined : (known?.name ?? (await findName(app, member, clientId))),
    )
    const detail = { client_id: clientId, name, decision: decision ?? 'none' }
    await app.db.as(member, [
      ...app.applicationRules.deciding(member.accountId, { clientId, name }, decision),
      ask.note('application_rule_changed', detail),
    ])
    await endForbidden(app, ask)
    return app.applicationRules.find(member)
  },
})

export const applicationRoutes = [getApplications, changePolicy, putRule]

async function findName(ctx: Context, member: Member, clientId: string): Promise<string | undefined> {
  const grant = (await ctx.keys.list(member)).find((row) => row.client_id === clientId)
  return (await ctx.people.clientNames([clientId])).get(clientId)?.name ?? grant?.name
}

/** Revokes every application that acts for the account and is no longer allowed to. */
async function endForbidden(ctx: Context, ask: MemberAsk): Promise<void> {
  const { member } = ask
  const rules = await ctx.applicationRules.find(member)
  const grants = (await ctx.keys.list(member)).filter(isLiveGrant)
  const clients = await ctx.people.clientNames(grants.map(({ client_id }) => client_id))
  for (const { id, client_id, name } of grants) {
    const isOwn = client_id === WEB_CLIENT_ID || clients.get(client_id)?.owner === member.accountId
    if (isAllowed(rules, client_id, isOwn)) continue
    await ctx.people.endGrant(member.accountId, client_id)
    await ctx.keys.revoke(member, id, [ask.note('grant_ended', { client_id, name })])
  }
}

type LiveGrant<Row extends KeyRow> = Row & { readonly client_id: string }

function isLiveGrant<Row extends KeyRow>(row: Row): row is LiveGrant<Row> {
  return row.client_id !== null && row.revoked_at === null
}
