/** /reset-password: asks for the address and sends a link; behind the link, asks for the new password. */
import type { FastifyReply } from 'fastify'
import type { Context } from '../../context.ts'
import { ApiError } from '../../errors.ts'
import { fillIn } from '../../wire/language.ts'
import { emailField, formOf, mainButton, newPasswordField } from './form.ts'
import { html } from './html.ts'
import { askPeople, secondsToWait, show } from './visit.ts'
import type { Visit } from './visit.ts'

export function showReset(visit: Visit, status = 200, wrong?: string): FastifyReply {
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

export async function resetPassword(ctx: Context, visit: Visit): Promise<FastifyReply> {
  return visit.form.has('token') ? setPassword(ctx, visit) : sendLink(ctx, visit)
}

/** Says the same whether somebody has that address or not. */
async function sendLink(ctx: Context, visit: Visit): Promise<FastifyReply> {
  const { texts, messages, form, reply } = visit
  const seconds = await secondsToWait(ctx, visit, { name: 'POST /request-password-reset' })
  if (seconds !== undefined) {
    reply.header('Retry-After', seconds)
    return showReset(visit, 429, fillIn(texts.too_many, { seconds }))
  }
  const said = await askPeople(ctx, visit, '/request-password-reset', { email: form.get('email') ?? '' })
  if (said.fault !== '')
    return showReset(visit, 400, fillIn(messages.fields.bad_format, { expected: 'name@example.com' }))
  return show(visit, 200, { title: texts.reset_title, content: html`<p role="status">${texts.reset_sent}</p>` })
}

async function setPassword(ctx: Context, visit: Visit): Promise<FastifyReply> {
  const { texts, form, reply } = visit
  const seconds = await secondsToWait(ctx, visit, { name: 'POST /reset-password' })
  if (seconds !== undefined) {
    reply.header('Retry-After', seconds)
    return showReset(visit, 429, fillIn(texts.too_many, { seconds }))
  }
  const said = await askPeople(ctx, visit, '/reset-password', {
    newPassword: form.get('password') ?? '',
    token: form.get('token'),
  })
  if (/PASSWORD/.test(said.fault)) return showReset(visit, 400, texts.weak_password)
  if (said.fault !== '') throw new ApiError('invalid_link')
  return show(visit, 200, {
    title: texts.done_title,
    content: html`<p role="status">${texts.reset_done}</p>
      <p><a href="/sign-in">${texts.sign_in}</a></p>`,
  })
}
