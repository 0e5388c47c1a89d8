/**
 * /sign-in-link: the target of the link in a sign-in email. Opening it changes nothing, because mail scanners open links,
 * too. The form signs in, in the browser that asked for the link, and asks for the second factor where there is one.
 */
import type { FastifyReply } from 'fastify'
import type { Context } from '../../../context.ts'
import { ApiError } from '../../../model/errors.ts'
import type { AccountId } from '../../../model/caller.ts'
import { fillIn } from '../../../http/wire/language.ts'
import { boundBrowserOf, redeemSignIn } from './asking.ts'
import { formOf, mainButton } from '../../../http/pages/form.ts'
import { fillHtml, html } from '../../../http/pages/html.ts'
import { destinationOf, secondsToWait, show, type PageVisit } from '../../../http/pages/visit.ts'

export const SIGN_IN_LINK_LIMIT = { address: [60, 20] } as const

export async function showSignInLink(
  ctx: Context,
  visit: PageVisit,
  status = 200,
  wrong?: string,
): Promise<FastifyReply> {
  const { texts, kept } = visit
  const pending = await ctx.people.findSignIn(fieldOf(visit, 'token'), boundBrowserOf(ctx, visit.request))
  if (!pending) throw new ApiError('invalid_link')
  const fields = { ...kept, token: fieldOf(visit, 'token'), to: destinationOf(visit) }
  const content = pending.isHere
    ? html`<p>${fillHtml(texts.link_about, { email: pending.email })}</p>
        ${formOf('/sign-in-link', fields, mainButton(texts.sign_in))}`
    : html`<p class="note">${texts.link_browser}</p>
        <p class="more"><a href="/sign-in">${texts.sign_in}</a></p>`
  return show(visit, status, {
    title: texts.sign_in,
    content: html`${wrong !== undefined && html`<p class="note" role="alert">${wrong}</p>`}${content}`,
  })
}

export async function signInByLink(ctx: Context, visit: PageVisit): Promise<FastifyReply> {
  const { texts, reply } = visit
  const seconds = await secondsToWait(ctx, visit, { name: 'POST /sign-in-link', limit: SIGN_IN_LINK_LIMIT })
  if (seconds !== undefined) {
    reply.header('Retry-After', seconds)
    return showSignInLink(ctx, visit, 429, fillIn(texts.too_many, { seconds }))
  }
  const said = await redeemSignIn(ctx, visit, fieldOf(visit, 'token'))
  if (said.fault !== '') return refuse(ctx, visit)
  if (said.body['twoFactorRedirect'] === true) return reply.redirect('/second-factor', 303)
  return reply.redirect(destinationOf(visit) ?? visit.home, 303)
}

/** In another browser the link stays valid, and the page says which browser is needed. */
async function refuse(ctx: Context, visit: PageVisit): Promise<FastifyReply> {
  const pending = await ctx.people.findSignIn(fieldOf(visit, 'token'), boundBrowserOf(ctx, visit.request))
  if (pending) {
    const { userId } = pending
    const account = userId as string as AccountId
    const detail = { step: 'sign_in_link' }
    await ctx.auditLog.note(account, { action: 'sign_in_failed', actor: userId, ip: visit.request.ip, detail })
  }
  return showSignInLink(ctx, visit, 403)
}

function fieldOf({ form, query }: PageVisit, name: string): string {
  return form.get(name) ?? query.get(name) ?? ''
}
