/**
 * Lists what can still sign in or act for a person after a password reset, for the person to review: somebody else may
 * have added it.
 *
 * API keys are listed only if two-factor authentication is off. With it, access to the mailbox is not enough proof to
 * reveal what the account holds. The person sees the keys in the settings, after signing in.
 */
import type { Context } from '../../../context.ts'
import type { UserId } from '../../../model/member.ts'
import { shownName } from '../../../model/shown-name.ts'
import { fillHtml, html } from '../../../http/pages/html.ts'
import type { Html } from '../../../http/pages/html.ts'
import { titleOf } from './sign-in.ts'
import type { PageVisit } from '../../../http/pages/visit.ts'

export async function remainingAccess(ctx: Context, { texts }: PageVisit, userId: UserId): Promise<Html> {
  const { passkeys, providers, twoFactor } = await ctx.people.listSignInMethods(userId)
  const keys = twoFactor ? [] : await listKeysMadeBy(ctx, userId)
  const lines = [
    ...passkeys.map(({ name }) => fillHtml(texts.remains_passkey, { name: shownName(name ?? '') })),
    ...providers.map((name) => fillHtml(texts.sign_in_with, { provider: titleOf(name) })),
    ...(twoFactor ? [html`${texts.remains_two_factor}`] : []),
    ...keys.map((name) => fillHtml(texts.remains_key, { name })),
  ]
  if (lines.length === 0) return html`<p>${texts.remains_nothing}</p>`
  return html`<p>${texts.remains_about}</p>
    <ul>
      ${lines.map((line) => html`<li>${line}</li>`)}
    </ul>`
}

async function listKeysMadeBy(ctx: Context, userId: UserId): Promise<string[]> {
  const memberships = await ctx.members.listAccounts(userId)
  const lists = await Promise.all(memberships.map(({ account_id: accountId }) => ctx.keys.list({ accountId, userId })))
  const isLive = (expiresAt: Date | null) => expiresAt === null || expiresAt.getTime() > ctx.now()
  return lists
    .flat()
    .filter((row) => row.created_by === userId && row.client_id === null && row.revoked_at === null)
    .filter((row) => isLive(row.expires_at))
    .map(({ name, prefix }) => `${shownName(name)} (${prefix})`)
}
