/** /setup: the link in the log of a service without people makes the first one. */
import type { FastifyReply } from 'fastify'
import type { Context } from '../../context.ts'
import { ApiError } from '../../errors.ts'
import type { AccountId } from '../../model/caller.ts'
import { emailField, formOf, mainButton, nameField, newPasswordField } from './form.ts'
import { html } from './html.ts'
import { faultsOf, newPersonOf } from './new-person.ts'
import type { Faults } from './new-person.ts'
import { askPeople, secondsToWait, show } from './visit.ts'
import type { Visit } from './visit.ts'

export async function showSetup(ctx: Context, visit: Visit, status = 200, wrong: Faults = {}): Promise<FastifyReply> {
  const { texts, query, form, kept } = visit
  const token = form.get('token') ?? query.get('token') ?? ''
  if (!(await ctx.people.isSetupToken(token))) throw new ApiError('invalid_link')
  const fields = html`${nameField(texts, { value: form.get('name'), wrong: wrong.name, first: status === 200 })}
  ${emailField(texts, { value: form.get('email'), wrong: wrong.email })}
  ${newPasswordField(texts, { label: texts.password, wrong: wrong.password })}${mainButton(texts.continue)}`
  return show(visit, status, {
    title: texts.setup_title,
    content: html`<p>${texts.setup_about}</p>
      ${formOf('/setup', { ...kept, token }, fields)}`,
  })
}

export async function setUp(ctx: Context, visit: Visit): Promise<FastifyReply> {
  const { form, language, request, reply } = visit
  const seconds = await secondsToWait(ctx, visit, { name: 'POST /setup', limit: { address: [60, 20] } })
  if (seconds !== undefined) throw new ApiError('rate_limited', { retryAfter: seconds })
  const { name, email, password } = newPersonOf(form)
  const wrong = faultsOf(ctx, visit, { name, email, password })
  if (wrong) return showSetup(ctx, visit, 400, wrong)
  const userId = await ctx.people.completeSetup(form.get('token') ?? '', { name, email, password, language })
  const own = userId as string as AccountId
  await ctx.accounts.makeFirstOperator(own)
  await ctx.securityLog.note(own, { action: 'setup_completed', actor: userId, ip: request.ip, detail: {} })
  await askPeople(ctx, visit, '/sign-in/email', { email, password })
  return reply.redirect(visit.home, 303)
}
