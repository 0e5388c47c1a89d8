/** /reset-password: asks for the address and sends a link; behind the link, asks for the new password. */
import type { FastifyReply } from 'fastify'
import type { Context } from '../../../context.ts'
import { attempt } from '../attempts.ts'
import { ApiError } from '../../../model/errors.ts'
import { fillIn } from '../../../http/wire/language.ts'
import { isWeakness } from '../password.ts'
import { emailField, formOf, mainButton, newPasswordField } from '../../../http/pages/form.ts'
import { html } from '../../../http/pages/html.ts'
import { weaknessText } from './new-person.ts'
import { remainingAccess } from './remaining-access.ts'
import { secondsToWait, show, type PageVisit } from '../../../http/pages/visit.ts'
import { askPeople } from './asking.ts'

export function showReset(visit: PageVisit, status = 200, wrong?: string): FastifyReply {
  const { texts, query, form, kept } = visit
  const token = form.get('token') ?? query.get('token') ?? undefined
  const fields =
    token === undefined
      ? html`<p>${texts.reset_ask}</p>
          ${emailField(texts, { value: form.get('email'), wrong })}${mainButton(texts.continue)}`
      : html`${newPasswordField(texts, { label: texts.new_password, wrong, first: true })}${mainButton(texts.continue)}`
  const content = formOf('/reset-password', { ...kept, token }, fields)
  return show(visit, status, { title: texts.reset_title, content })
}

export async function resetPassword(ctx: Context, visit: PageVisit): Promise<FastifyReply> {
  return visit.form.has('token') ? setPassword(ctx, visit) : sendLink(ctx, visit)
}

/** Responds the same whether a person with that address exists or not. */
async function sendLink(ctx: Context, visit: PageVisit): Promise<FastifyReply> {
  const { texts, messages, form, reply } = visit
  const seconds = await secondsToWait(ctx, visit, attempt('POST /request-password-reset'))
  if (seconds !== undefined) {
    reply.header('Retry-After', seconds)
    return showReset(visit, 429, fillIn(texts.too_many, { seconds }))
  }
  const said = await askPeople(ctx, visit, '/request-password-reset', { email: form.get('email') ?? '' })
  if (said.fault !== '')
    return showReset(visit, 400, fillIn(messages.fields.bad_format, { expected: 'name@example.com' }))
  return show(visit, 200, { title: texts.reset_title, content: html`<p role="status">${texts.reset_sent}</p>` })
}

async function setPassword(ctx: Context, visit: PageVisit): Promise<FastifyReply> {
  const { texts, form, reply } = visit
  const seconds = await secondsToWait(ctx, visit, attempt('POST /reset-password'))
  if (seconds !== undefined) {
    reply.header('Retry-After', seconds)
    return showReset(visit, 429, fillIn(texts.too_many, { seconds }))
  }
  // Look up the person first: the token is invalid afterwards.
  const userId = await ctx.people.findReset(form.get('token') ?? '')
  const newPassword = form.get('password') ?? ''
  const said = await askPeople(ctx, visit, '/reset-password', { newPassword, token: form.get('token') })
  const { rule } = said.body
  if (isWeakness(rule)) return showReset(visit, 400, weaknessText(visit, rule, newPassword))
  if (/PASSWORD/.test(said.fault)) return showReset(visit, 400, texts.weak_password)
  if (said.fault !== '' || userId === undefined) throw new ApiError('invalid_link')
  return show(visit, 200, {
    title: texts.done_title,
    content: html`<p role="status">${texts.reset_done}</p>
      ${await remainingAccess(ctx, visit, userId)}
      <p><a href="/sign-in">${texts.sign_in}</a></p>`,
  })
}
