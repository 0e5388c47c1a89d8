/**
 * The shared lists of an account. Every member sees them and their votes, members create them, and the creator or an admin
 * may end one. `./routes.ts` serves people who have the link.
 */
import type { Context } from '../../context.ts'
import { found } from '../../http/route.ts'
import { role, settingsRoute } from '../../http/settings-route.ts'
import { Done } from '../../http/wire/schemas.ts'
import type { AccountId } from '../../model/caller.ts'
import { ApiError } from '../../model/errors.ts'
import { isUuid } from '../../model/id.ts'
import { draftOf } from './draft.ts'
import { MAX_AT_ONCE, memberShare, ShareBody, ShareOne, SharePage, SharesQuery } from './schemas.ts'
import type { OwnShare } from './shares.ts'

const SHARES = '/settings/accounts/{account}/shares'

const listShares = settingsRoute({
  method: 'GET',
  path: SHARES,
  id: 'listShares',
  summary: 'List the shared lists',
  access: role('viewer'),
  query: SharesQuery,
  replies: { 200: SharePage },
  async run(ask, app) {
    const rows = await ask.list('shares', (window) => app.shares.list(ask.member, window), MAX_AT_ONCE)
    return { shares: rows.map((share) => shown(app, share, ask.member.accountId)), next_cursor: ask.next }
  },
})

const createShare = settingsRoute({
  method: 'POST',
  path: SHARES,
  id: 'createShare',
  summary: 'Share names by a link',
  access: role('member'),
  body: ShareBody,
  replies: { 201: ShareOne },
  async run(ask, app) {
    const { favorite_ids: favoriteIds = [], ...fields } = ask.body
    const draft = await draftOf(app, fields, {
      favoriteIds: favoriteIds.map((id) => id.toLowerCase()),
      createdBy: ask.person.userId,
      fairnessKey: ask.member.accountId,
      signal: ask.signal,
    })
    return { share: shown(app, await app.shares.create(ask.member, draft), ask.member.accountId) }
  },
})

const endShare = settingsRoute({
  method: 'DELETE',
  path: `${SHARES}/{id}`,
  id: 'endShare',
  summary: 'End a shared list',
  access: role('admin', 'member'),
  replies: { 200: Done },
  async run(ask, { shares }) {
    const { id } = ask.params
    const share = found(isUuid(id) ? await shares.find(ask.member, id) : undefined)
    ask.requireRoleUnlessOwn(share.created_by === ask.person.userId)
    if (!(await shares.remove(ask.member, id))) throw new ApiError('not_found')
    return {}
  },
})

export const settings = [listShares, createShare, endShare]

function shown({ shares, publicUrl, prices }: Context, share: OwnShare, account: AccountId) {
  const path = shares.pathOf(account, share)
  return memberShare(share, path === undefined ? null : `${publicUrl}${path}`, prices)
}
