/**
 * /confirm-email: the target of the link in a confirmation email. Opening it changes nothing, because mail scanners
 * open links, too. The form confirms, from the browser that signed up or with the password of the sign-up, and signs in.
 */
import type { FastifyReply } from 'fastify'
import type { Context } from '../../../context.ts'
import { ApiError } from '../../../model/errors.ts'
import type { PendingConfirmation } from '../people.ts'
import { fillIn } from '../../../http/wire/language.ts'
import { boundBrowserOf, askPeople, redeemSignIn } from './asking.ts'
import { emailField, fieldOf, formOf, mainButton } from '../../../http/pages/form.ts'
import { fillHtml, html, type Html } from '../../../http/pages/html.ts'
import { destinationOf, secondsToWait, show, type PageVisit } from '../../../http/pages/visit.ts'

// The password of one sign-up can be guessed at this rate at most, from any number of addresses.
export const CONFIRM_LIMIT = { address: [60, 20], meant: ['token', 20, 10] } as const

export async function showConfirmEmail(
  ctx: Context,
  visit: PageVisit,
  status = 200,
  wrong?: string,
): Promise<FastifyReply> {
  const { texts } = visit
  const pending = await ctx.people.findConfirmation(tokenOf(visit), boundBrowserOf(ctx, visit.request))
  if (!pending) throw new ApiError('invalid_link')
  const content = pending.by === 'password' ? byPassword(visit, pending, wrong) : byBrowser(visit, pending)
  return show(visit, status, { title: texts.confirm_title, content })
}

export async function confirmEmail(ctx: Context, visit: PageVisit): Promise<FastifyReply> {
  const { texts, form, request, reply } = visit
  const seconds = await secondsToWait(ctx, visit, { name: 'POST /confirm-email', limit: CONFIRM_LIMIT })
  if (seconds !== undefined) {
    reply.header('Retry-After', seconds)
    return showConfirmEmail(ctx, visit, 429, fillIn(texts.too_many, { seconds }))
  }
  const password = form.get('password') ?? ''
  const browser = boundBrowserOf(ctx, request)
  const proof = { password, browser }
  const confirmed = await ctx.people.confirmAddress(tokenOf(visit), proof, request.ip)
  if (confirmed.kind === 'invalid_link') throw new ApiError('invalid_link')
  if (confirmed.kind === 'refused') return showConfirmEmail(ctx, visit, 400, texts.confirm_wrong)
  if (confirmed.by === 'password') await askPeople(ctx, visit, '/sign-in/email', { email: confirmed.email, password })
  else await redeemSignIn(ctx, visit, await ctx.people.makeSignInToken(confirmed, browser ?? ''))
  return reply.redirect(destinationOf(visit) ?? visit.home, 303)
}

function byPassword(visit: PageVisit, { email }: PendingConfirmation, wrong: string | undefined): Html {
  const { texts, kept } = visit
  const password = fieldOf({
    name: 'password',
    label: texts.password,
    type: 'password',
    autocomplete: 'current-password',
    wrong,
    first: true,
  })
  const address = emailField(texts, { value: email, fixed: true })
  const fields = html`${address}${password}${mainButton(texts.confirm_and_sign_in)}`
  return html`<p>${texts.confirm_about}</p>
    ${formOf('/confirm-email', { ...kept, token: tokenOf(visit), to: destinationOf(visit) }, fields)}
    <p class="more"><a href="/reset-password">${texts.confirm_not_mine}</a></p>`
}

function byBrowser(visit: PageVisit, { email, by }: PendingConfirmation): Html {
  const { texts, kept } = visit
  if (by === 'other_browser') return html`<p class="note">${texts.confirm_browser}</p>`
  const button = mainButton(texts.confirm_and_sign_in)
  return html`<p>${fillHtml(texts.confirm_address, { email })}</p>
    ${formOf('/confirm-email', { ...kept, token: tokenOf(visit), to: destinationOf(visit) }, button)}`
}

function tokenOf({ form, query }: PageVisit): string {
  return form.get('token') ?? query.get('token') ?? ''
}
