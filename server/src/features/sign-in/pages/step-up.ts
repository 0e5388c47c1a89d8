/**
 * Step-up on a page: before a consent takes effect, a person who signed in a while ago confirms who they are.
 *
 * A password or a code of the second factor is a field of the form, which is then sent again as it was. The other ways
 * are new sign-ins, by an identity provider or by email; they lead back to the request of the application. A passkey
 * needs a script, so it is not offered.
 */
import type { FastifyReply } from 'fastify'
import type { Context } from '../../../context.ts'
import { RECENT_SECONDS, type Person } from '../../../model/person.ts'
import { fillIn } from '../../../http/wire/language.ts'
import { noteOwn } from '../../../http/settings/note-own.ts'
import { isRecent, limitGuesses } from '../../../http/step-up.ts'
import { fieldOf, formOf, mainButton } from '../../../http/pages/form.ts'
import { html } from '../../../http/pages/html.ts'
import { titleOf } from './sign-in.ts'
import { whoIsHere } from './sign-out.ts'
import { show, type PageVisit } from '../../../http/pages/visit.ts'
import { jsonHeadersOf } from './asking.ts'

/** The fields of the consent form, to be sent again. */
type ConsentFields = Readonly<Record<'oauth_query' | 'account' | 'decision', string>>

/** Whether the person proved who they are: within the last minutes, or with a field of this form. */
export async function checkProof(
  ctx: Context,
  { form, request }: PageVisit,
  person: Person,
): Promise<'given' | 'missing' | 'wrong'> {
  if (isRecent(ctx, person)) return 'given'
  const password = form.get('password')
  const code = form.get('code')
  const proof = password !== undefined ? { password } : code !== undefined ? { code } : undefined
  if (!proof) return 'missing'
  await limitGuesses(ctx, request, person)
  if (await ctx.people.proveAgain(person, proof, jsonHeadersOf(request))) return 'given'
  await noteOwn(ctx, request, person, 'sign_in_failed', { step: 'step_up' })
  return 'wrong'
}

export async function showProof(
  ctx: Context,
  visit: PageVisit,
  { userId, email }: Person,
  { fields, isWrong }: { fields: ConsentFields; isWrong: boolean },
): Promise<FastifyReply> {
  const { texts, kept } = visit
  const { hasPassword, twoFactor, providers } = await ctx.people.listSignInMethods(userId)
  const continuation = { ...kept, oauth_query: fields.oauth_query }
  const field = hasPassword
    ? fieldOf({
        name: 'password',
        label: texts.password,
        type: 'password',
        autocomplete: 'current-password',
        wrong: isWrong ? texts.wrong_password : undefined,
        first: true,
      })
    : twoFactor &&
      fieldOf({
        name: 'code',
        label: texts.code,
        type: 'text',
        autocomplete: 'one-time-code',
        wrong: isWrong ? texts.wrong_code : undefined,
        first: true,
        most: 32,
      })
  const again = ctx.people.providers
    .filter((name) => providers.includes(name))
    .map((name) => {
      const label = fillIn(texts.sign_in_with, { provider: titleOf(name) })
      return formOf('/sign-in', continuation, html`<button name="provider" value="${name}">${label}</button>`)
    })
  const link =
    ctx.mail.isOn &&
    formOf('/sign-in', { ...continuation, email }, html`<button name="link" value="1">${texts.link_send}</button>`)
  return show(visit, isWrong ? 400 : 403, {
    title: texts.step_up_title,
    content: html`<p>${fillIn(texts.step_up_about, { minutes: RECENT_SECONDS / 60 })}</p>
      ${field && formOf('/consent', { ...kept, ...fields }, html`${field}${mainButton(texts.continue)}`)}
      <div class="more">${again}${link}</div>
      ${whoIsHere(visit, email, continuation)}`,
  })
}
