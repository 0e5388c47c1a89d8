/** /sign-in: by address and password, or with a provider of the operator's. */
import type { FastifyReply } from 'fastify'
import type { Context } from '../../context.ts'
import { AUTH_PATH } from '../../people/people.ts'
import { fillIn } from '../../wire/language.ts'
import { emailField, fieldOf, formOf, mainButton } from './form.ts'
import { html } from './html.ts'
import { afterSignIn, errandOf, goOn, pathWith } from './onward.ts'
import { askPeople, secondsToWait, show } from './visit.ts'
import type { Visit } from './visit.ts'

interface Wrong {
  readonly email?: string
  readonly password?: string
  readonly provider?: string
}

export function showSignIn(ctx: Context, visit: Visit, status = 200, wrong: Wrong = {}): FastifyReply {
  const { texts, query, form, kept, home } = visit
  const errand = errandOf(visit)
  // Only the web app has a page to make an account at.
  const isOpen = ctx.config.people.signUp === 'open' && home === '/'
  const email = form.get('email') ?? query.get('login_hint') ?? undefined
  const alert = wrong.provider ?? alertOf(ctx, visit)
  const passwordField = fieldOf({
    name: 'password',
    label: texts.password,
    type: 'password',
    autocomplete: 'current-password',
    wrong: wrong.password,
    first: email !== undefined,
  })
  const addressField = emailField(texts, { value: email, wrong: wrong.email, first: email === undefined })
  const fields = html`${addressField}${passwordField}${mainButton(texts.sign_in)}`
  const providers = ctx.people.providers.map((name) =>
    formOf('/sign-in', { ...kept, ...errand }, html`<button name="provider" value="${name}">${labelOf(name)}</button>`),
  )
  return show(visit, status, {
    title: texts.sign_in,
    content: html`${alert !== undefined && html`<p class="note" role="alert">${alert}</p>`}
    ${formOf('/sign-in', { ...kept, ...errand }, fields)}
    ${ctx.mail.isOn && html`<p class="more"><a href="/reset-password">${texts.forgot}</a></p>`}
    ${isOpen && html`<p class="more"><a href="/welcome?new">${texts.new_here}</a></p>`}
    ${providers.length > 0 && html`<div class="more">${providers}</div>`}`,
  })

  function labelOf(name: string): string {
    return fillIn(texts.sign_in_with, { provider: titleOf(name) })
  }
}

export async function signIn(ctx: Context, visit: Visit): Promise<FastifyReply> {
  const { texts, form } = visit
  const provider = form.get('provider')
  if (provider !== undefined) return signInWith(ctx, visit, provider)
  const email = form.get('email') ?? ''
  const seconds = await secondsToWait(ctx, visit, { name: 'POST /sign-in/email' })
  if (seconds !== undefined) {
    visit.reply.header('Retry-After', seconds)
    return showSignIn(ctx, visit, 429, { password: fillIn(texts.too_many, { seconds }) })
  }
  const said = await askPeople(ctx, visit, '/sign-in/email', { email, password: form.get('password') ?? '' })
  if (said.fault === 'EMAIL_NOT_VERIFIED') return showSignIn(ctx, visit, 400, { email: texts.not_verified })
  if (said.fault !== '') return showSignIn(ctx, visit, 400, { password: texts.wrong_credentials })
  const errand = errandOf(visit)
  if (said.body['twoFactorRedirect'] === true) return visit.reply.redirect(pathWith('/second-factor', errand), 303)
  return enterWith(visit, afterSignIn(errand, visit.home))
}

/** On to where the errand leads; only an application's question can end anywhere but here. */
export function enterWith(visit: Visit, path: string): FastifyReply {
  return path.startsWith(`${AUTH_PATH}/`) ? goOn(visit, path) : visit.reply.redirect(path, 303)
}

async function signInWith(ctx: Context, visit: Visit, provider: string): Promise<FastifyReply> {
  const errand = errandOf(visit)
  const seconds = await secondsToWait(ctx, visit, { name: 'POST /sign-in/social' })
  const failed = fillIn(visit.texts.provider_failed, { provider: titleOf(provider) })
  if (seconds !== undefined || !ctx.people.providers.includes(provider)) {
    return showSignIn(ctx, visit, seconds === undefined ? 400 : 429, {
      provider: seconds === undefined ? failed : fillIn(visit.texts.too_many, { seconds }),
    })
  }
  const back = new URL(pathWith('/sign-in', errand), ctx.publicUrl)
  back.searchParams.set('failed', provider)
  const said = await askPeople(ctx, visit, '/sign-in/social', {
    provider,
    callbackURL: `${ctx.publicUrl}${afterSignIn(errand, visit.home)}`,
    errorCallbackURL: back.href,
    disableRedirect: true,
  })
  const { url } = said.body
  return typeof url === 'string' ? goOn(visit, url) : showSignIn(ctx, visit, 400, { provider: failed })
}

/** Why somebody was sent here who did not come by themselves: by a provider, or with a question or link that is void. */
function alertOf(ctx: Context, { query, texts }: Visit): string | undefined {
  const failed = ctx.people.providers.find((name) => name === query.get('failed'))
  if (failed !== undefined) return fillIn(texts.provider_failed, { provider: titleOf(failed) })
  return query.has('error') ? texts.link_invalid : undefined
}

/** `github` → `Github`: the operator names a provider in lower case, for addresses. */
function titleOf(provider: string): string {
  return provider === 'github' ? 'GitHub' : `${provider.slice(0, 1).toUpperCase()}${provider.slice(1)}`
}
