/** /join, the link of an invitation, and /setup, the link that a service without people prints when it starts. */
import type { FastifyReply } from 'fastify'
import type { Context } from '../../context.ts'
import { ApiError } from '../../model/errors.ts'
import type { Page } from '../../http/pages/add-pages.ts'
import { acceptInvitation, joinAsNewMember } from './inviting.ts'
import type { Invitation } from './invitations.ts'
import { shownName } from '../../model/shown-name.ts'
import type { Person } from '../../model/person.ts'
import { fillIn } from '../../http/wire/language.ts'
import { emailField, formOf, mainButton, nameField, newPasswordField } from '../../http/pages/form.ts'
import { fillHtml, html, type Html } from '../../http/pages/html.ts'
import { faultsOf, newPersonOf, type Faults, pathWith, askPeople } from '../sign-in/index.ts'
import { credentialOf } from '../../http/settings/note-own.ts'
import { secondsToWait, show, type PageVisit } from '../../http/pages/visit.ts'
import { findUnowned, setUpFirstPerson } from './welcome.ts'

export const PAGES: readonly Page[] = [
  { path: '/join', knows: true, show: (ctx, visit, person) => showJoin(ctx, visit, person), submit: join },
  { path: '/setup', show: (ctx, visit) => showSetup(ctx, visit), submit: setUp },
]

/**
 * A new person enters a name and chooses a password. A person who already has a sign-in signs in first and then only
 * accepts.
 */
async function showJoin(
  ctx: Context,
  visit: PageVisit,
  person: Person | undefined,
  wrong?: Faults,
): Promise<FastifyReply> {
  const { texts } = visit
  const token = tokenOf(visit)
  const invitation = await ctx.members.findInvitation(token)
  if (!invitation) throw new ApiError('invalid_link')
  const { email, invitedBy } = invitation
  const [found, inviting] = await Promise.all([
    ctx.accounts.find(invitation.account),
    invitedBy === null ? undefined : ctx.people.find(invitedBy),
  ])
  const account = shownName(found?.name ?? '')
  const inviter = shownName(inviting?.name ?? '') || account
  return show(visit, wrong === undefined ? 200 : 400, {
    title: fillIn(texts.join_title, { account }),
    heading: fillHtml(texts.join_title, { account }),
    content: html`<p>${fillHtml(texts.join_about, { inviter, email })}</p>
      ${await nextStep()}`,
  })

  async function nextStep(): Promise<Html> {
    if (isFor(invitation, person)) return formOf('/join', { ...visit.kept, token }, mainButton(texts.continue))
    if (await ctx.people.findByEmail(email)) {
      const query = new URLSearchParams({ join: token, login_hint: email }).toString()
      return html`<p><a href="/sign-in?${query}">${texts.sign_in}</a></p>`
    }
    const name = nameField(texts, { value: visit.form.get('name'), wrong: wrong?.name, first: wrong === undefined })
    const address = emailField(texts, { value: email, fixed: true })
    const password = newPasswordField(texts, { label: texts.password, wrong: wrong?.password })
    return formOf('/join', { ...visit.kept, token }, html`${name}${address}${password}${mainButton(texts.continue)}`)
  }
}

async function join(ctx: Context, visit: PageVisit, person: Person | undefined): Promise<FastifyReply> {
  const { form, language, request, reply } = visit
  const seconds = await secondsToWait(ctx, visit, { name: 'POST /join', limit: { address: [60, 20] } })
  if (seconds !== undefined) throw new ApiError('rate_limited', { retryAfter: seconds })
  const token = tokenOf(visit)
  const invitation = await ctx.members.findInvitation(token)
  if (!invitation) throw new ApiError('invalid_link')
  const { email } = invitation
  if (person && isFor(invitation, person)) {
    await acceptInvitation(ctx, person, token, { ip: request.ip, credential: credentialOf(person) })
    return reply.redirect(visit.home, 303)
  }
  const { name, password } = newPersonOf(form)
  const wrong = faultsOf(ctx, visit, { name, email, password })
  if (wrong) return showJoin(ctx, visit, person, wrong)
  const joined = await joinAsNewMember(ctx, token, { name, password, language }, { ip: request.ip })
  if (joined.kind === 'sign_in_first') {
    return reply.redirect(pathWith('/sign-in', { oauth_query: undefined, join: token }), 303)
  }
  if (joined.kind === 'weak_password')
    return showJoin(ctx, visit, person, faultsOf(ctx, visit, { name, email, password }))
  await askPeople(ctx, visit, '/sign-in/email', { email, password })
  return reply.redirect(visit.home, 303)
}

function tokenOf({ form, query }: PageVisit): string {
  return form.get('token') ?? query.get('token') ?? ''
}

function isFor(invitation: Invitation | undefined, person: Person | undefined): boolean {
  return invitation !== undefined && person !== undefined && person.email.toLowerCase() === invitation.email
}

async function showSetup(ctx: Context, visit: PageVisit, status = 200, wrong: Faults = {}): Promise<FastifyReply> {
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

async function setUp(ctx: Context, visit: PageVisit): Promise<FastifyReply> {
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
