/**
 * /change-email: the target of the link that goes to a new email address. Opening it changes nothing, because mail
 * scanners open links, too. The form changes the address, in a browser in which the person is signed in.
 */
import type { FastifyReply } from 'fastify'
import type { Context } from '../../../context.ts'
import { ApiError } from '../../../model/errors.ts'
import { changeAddress } from '../change-address.ts'
import type { Person } from '../../../model/person.ts'
import { fillIn } from '../../../http/wire/language.ts'
import { formOf, mainButton } from '../../../http/pages/form.ts'
import { fillHtml, html } from '../../../http/pages/html.ts'
import { secondsToWait, show, type PageVisit } from '../../../http/pages/visit.ts'

export const CHANGE_EMAIL_LIMIT = { address: [60, 20] } as const

export async function showChangeEmail(
  ctx: Context,
  visit: PageVisit,
  person: Person | undefined,
  status = 200,
  wrong?: string,
): Promise<FastifyReply> {
  const { texts, kept } = visit
  const token = tokenOf(visit)
  const pending = await ctx.people.findAddressChange(token)
  if (!pending) throw new ApiError('invalid_link')
  const isTheirs = person?.userId === pending.userId
  const content = isTheirs
    ? html`<p>${fillHtml(texts.change_about, { email: pending.email })}</p>
        ${formOf('/change-email', { ...kept, token }, mainButton(texts.change_button))}`
    : html`<p class="note">${texts.change_other}</p>
        <p class="more"><a href="/sign-in">${texts.sign_in}</a></p>`
  return show(visit, status, {
    title: texts.change_title,
    content: html`${wrong !== undefined && html`<p class="note" role="alert">${wrong}</p>`}${content}`,
  })
}

export async function changeEmail(ctx: Context, visit: PageVisit, person: Person | undefined): Promise<FastifyReply> {
  const { texts, reply, request } = visit
  const seconds = await secondsToWait(ctx, visit, { name: 'POST /change-email', limit: CHANGE_EMAIL_LIMIT })
  if (seconds !== undefined) {
    reply.header('Retry-After', seconds)
    return showChangeEmail(ctx, visit, person, 429, fillIn(texts.too_many, { seconds }))
  }
  const pending = await ctx.people.findAddressChange(tokenOf(visit))
  if (!person || person.userId !== pending?.userId) return showChangeEmail(ctx, visit, person, 403)
  const result = await changeAddress(ctx, person, tokenOf(visit), request.ip)
  if (result.kind === 'invalid_link') throw new ApiError('invalid_link')
  if (result.kind === 'taken') {
    return showChangeEmail(ctx, visit, person, 409, texts.change_taken)
  }
  return show(visit, 200, {
    title: texts.done_title,
    content: html`<p role="status">${fillHtml(texts.change_done, { email: result.after })}</p>
      <p class="more"><a href="${visit.home}">${texts.continue}</a></p>`,
  })
}

function tokenOf({ form, query }: PageVisit): string {
  return form.get('token') ?? query.get('token') ?? ''
}
