/** /setup: creates the first person, from the link that a service without people prints when it starts. */
import type { FastifyReply } from 'fastify'
import type { Context } from '../../context.ts'
import { ApiError } from '../../model/errors.ts'
import { shownName } from '../../model/shown-name.ts'
import { findUnowned, setUpFirstPerson } from './set-up.ts'
import { emailField, formOf, mainButton, nameField, newPasswordField } from '../../http/pages/form.ts'
import { fillHtml, html } from '../../http/pages/html.ts'
import { faultsOf, newPersonOf } from '../sign-in/pages/new-person.ts'
import type { Faults } from '../sign-in/pages/new-person.ts'
import { askPeople, secondsToWait, show } from '../../http/pages/visit.ts'
import type { PageVisit } from '../../http/pages/visit.ts'

export async function showSetup(
  ctx: Context,
  visit: PageVisit,
  status = 200,
  wrong: Faults = {},
): Promise<FastifyReply> {
  const { texts, query, form, kept } = visit
  const token = form.get('token') ?? query.get('token') ?? ''
  if (!(await ctx.people.isSetupToken(token))) throw new ApiError('invalid_link')
  const fields = html`${nameField(texts, { value: form.get('name'), wrong: wrong.name, first: status === 200 })}
  ${emailField(texts, { value: form.get('email'), wrong: wrong.email })}
  ${newPasswordField(texts, { label: texts.password, wrong: wrong.password })}${mainButton(texts.continue)}`
  const unowned = await findUnowned(ctx)
  return show(visit, status, {
    title: texts.setup_title,
    content: html`<p>${texts.setup_about}</p>
      ${typeof unowned === 'object' && html`<p>${fillHtml(texts.setup_owner, { account: shownName(unowned.name) })}</p>`}
      ${formOf('/setup', { ...kept, token }, fields)}`,
  })
}

export async function setUp(ctx: Context, visit: PageVisit): Promise<FastifyReply> {
  const { form, language, request, reply } = visit
  const seconds = await secondsToWait(ctx, visit, { name: 'POST /setup', limit: { address: [60, 20] } })
  if (seconds !== undefined) throw new ApiError('rate_limited', { retryAfter: seconds })
  const { name, email, password } = newPersonOf(form)
  const wrong = faultsOf(ctx, visit, { name, email, password })
  if (wrong) return showSetup(ctx, visit, 400, wrong)
  await setUpFirstPerson(ctx, form.get('token') ?? '', { name, email, password, language }, request.ip)
  await askPeople(ctx, visit, '/sign-in/email', { email, password })
  return reply.redirect(visit.home, 303)
}
