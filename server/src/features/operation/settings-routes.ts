/**
 * For the operator: the sources of this node, and the usage, limits and suspension of each account. Everybody else gets
 * 404.
 *
 * Must contain only numbers and host names: no data of an account, no secrets, and no names of people.
 */
import { changeLimits, resumeAccount, type Standing, suspendAccount } from '../accounts/index.ts'
import type { AccountId } from '../../model/caller.ts'
import { ApiError } from '../../model/errors.ts'
import { isUuid } from '../../model/id.ts'
import { rowOf, UNLIMITED } from '../../model/plan.ts'
import { found } from '../../http/route.ts'
import { operator, settingsRoute } from '../../http/settings-route.ts'
import { sourcesOf } from './operator-sources.ts'
import { AccountChanged, AccountsQuery, LimitsBody, OperatedAccounts, Sources, SuspendBody } from './schemas.ts'

const ACCOUNTS = '/settings/operator/accounts'

const listSources = settingsRoute({
  method: 'GET',
  path: '/settings/operator/sources',
  id: 'listSources',
  summary: 'List the sources of this node',
  access: operator,
  replies: { 200: Sources },
  run: async (_ask, app) => ({ sources: sourcesOf(app) }),
})

const listAccounts = settingsRoute({
  method: 'GET',
  path: ACCOUNTS,
  id: 'listOperatedAccounts',
  summary: 'List all accounts of the installation',
  access: operator,
  query: AccountsQuery,
  replies: { 200: OperatedAccounts },
  async run(ask, { accounts }) {
    const { q } = ask.query
    const rows = await ask.list('operator accounts', (window) => accounts.listTotals({ q, ...window }))
    const standings = await accounts.listStandings(rows.map(({ id }) => id))
    return { accounts: rows.map((row) => ({ ...row, ...shown(standings.get(row.id)) })), next_cursor: ask.next }
  },
})

const limitAccount = settingsRoute({
  method: 'PUT',
  path: `${ACCOUNTS}/{id}/limits`,
  id: 'changeLimits',
  summary: 'Change the limits of an account',
  access: operator,
  body: LimitsBody,
  replies: { 200: AccountChanged },
  async run(ask, app) {
    const account = accountOf(ask.params.id)
    const standing = found(await changeLimits(app, account, ask.body))
    await ask.noteOwn('limits_changed', { account_id: account })
    return { account: shown(standing) }
  },
})

const suspend = settingsRoute({
  method: 'POST',
  path: `${ACCOUNTS}/{id}/suspend`,
  id: 'suspendAccount',
  summary: 'Suspend an account',
  access: operator,
  body: SuspendBody,
  replies: { 200: AccountChanged },
  async run(ask, app) {
    const account = accountOf(ask.params.id)
    const standing = found(await suspendAccount(app, account, ask.body.reason ?? null))
    await ask.noteOwn('account_suspended', { account_id: account })
    return { account: shown(standing) }
  },
})

const resume = settingsRoute({
  method: 'POST',
  path: `${ACCOUNTS}/{id}/resume`,
  id: 'resumeAccount',
  summary: 'Resume a suspended account',
  access: operator,
  replies: { 200: AccountChanged },
  async run(ask, app) {
    const account = accountOf(ask.params.id)
    const standing = found(await resumeAccount(app, account))
    await ask.noteOwn('account_resumed', { account_id: account })
    return { account: shown(standing) }
  },
})

export const settings = [listSources, listAccounts, limitAccount, suspend, resume]

function accountOf(id: string): AccountId {
  if (!isUuid(id)) throw new ApiError('not_found')
  return id as AccountId
}

function shown(standing: Standing | undefined) {
  return { limits: rowOf(standing?.plan ?? UNLIMITED), suspended: standing?.suspension ?? null }
}
