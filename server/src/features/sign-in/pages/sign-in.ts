/** /sign-in: by email address and password, by a link sent to the address, or with an identity provider that the operator has configured. */
import type { FastifyReply } from 'fastify'
import type { Context } from '../../../context.ts'
import { attempt } from '../attempts.ts'
import { AUTH_PATH } from '../people.ts'
import { fillIn } from '../../../http/wire/language.ts'
import { emailField, fieldOf, formOf, mainButton } from '../../../http/pages/form.ts'
import { html } from '../../../http/pages/html.ts'
import { afterSignIn, continuationOf, goOn, pathWith } from './onward.ts'
import { secondsToWait, show, type PageVisit } from '../../../http/pages/visit.ts'
import { askBound, askPeople } from './asking.ts'

interface Wrong {
  readonly email?: string
  readonly password?: string
  readonly provider?: string
}

export function showSignIn(ctx: Context, visit: PageVisit, status = 200, wrong: Wrong = {}): FastifyReply {
  const { texts, query, form, kept, home } = visit
  const continuation = continuationOf(visit)
  // Only the web app has a sign-up page.
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
  // Without the password; the browser would insist on one.
  const link = html`<button name="link" value="1" formnovalidate>${texts.link_send}</button>`
  const fields = html`${addressField}${passwordField}${mainButton(texts.sign_in)}${ctx.mail.isOn && link}`
  const providers = ctx.people.providers.map((name) =>
    formOf(
      '/sign-in',
      { ...kept, ...continuation },
      html`<button name="provider" value="${name}">${labelOf(name)}</button>`,
    ),
  )
  return show(visit, status, {
    title: texts.sign_in,
    content: html`${alert !== undefined && html`<p class="note" role="alert">${alert}</p>`}
    ${formOf('/sign-in', { ...kept, ...continuation }, fields)}
    ${ctx.mail.isOn && html`<p class="more"><a href="/reset-password">${texts.forgot}</a></p>`}
    ${isOpen && html`<p class="more"><a href="/welcome?new">${texts.new_here}</a></p>`}
    ${providers.length > 0 && html`<div class="more">${providers}</div>`}`,
  })

  function labelOf(name: string): string {
    return fillIn(texts.sign_in_with, { provider: titleOf(name) })
  }
}

export async function signIn(ctx: Context, visit: PageVisit): Promise<FastifyReply> {
  const { texts, form } = visit
  if (form.has('link')) return sendLink(ctx, visit)
  const provider = form.get('provider')
  if (provider !== undefined) return signInWith(ctx, visit, provider)
  const email = form.get('email') ?? ''
  const seconds = await secondsToWait(ctx, visit, attempt('POST /sign-in/email'))
  if (seconds !== undefined) {
    visit.reply.header('Retry-After', seconds)
    return showSignIn(ctx, visit, 429, { password: fillIn(texts.too_many, { seconds }) })
  }
  const said = await askPeople(ctx, visit, '/sign-in/email', { email, password: form.get('password') ?? '' })
  if (said.fault === 'EMAIL_NOT_VERIFIED') return showSignIn(ctx, visit, 400, { email: texts.not_verified })
  if (said.fault !== '') return showSignIn(ctx, visit, 400, { password: texts.wrong_credentials })
  const continuation = continuationOf(visit)
  if (said.body['twoFactorRedirect'] === true)
    return visit.reply.redirect(pathWith('/second-factor', continuation), 303)
  return enterWith(visit, afterSignIn(continuation, visit.home))
}

/**
 * Responds the same whether a person with that address exists or not. The link opens in another tab; this one keeps
 * where the person was going.
 */
async function sendLink(ctx: Context, visit: PageVisit): Promise<FastifyReply> {
  const { texts, messages, form, reply } = visit
  const seconds = await secondsToWait(ctx, visit, attempt('POST /sign-in/magic-link'))
  if (seconds !== undefined) {
    reply.header('Retry-After', seconds)
    return showSignIn(ctx, visit, 429, { email: fillIn(texts.too_many, { seconds }) })
  }
  const said = await askBound(ctx, visit, '/sign-in/magic-link', { email: form.get('email') ?? '' })
  if (said.fault !== '') {
    return showSignIn(ctx, visit, 400, {
      email: fillIn(messages.fields.bad_format, { expected: 'name@example.com' }),
    })
  }
  const onward = afterSignIn(continuationOf(visit), visit.home)
  return show(visit, 200, {
    title: texts.sign_in,
    content: html`<p role="status">${texts.link_sent}</p>
      <p class="more"><a href="${onward}">${texts.link_then}</a></p>`,
  })
}

/** Continues after the sign-in. Only an application's authorization request can lead to another site. */
export function enterWith(visit: PageVisit, path: string): FastifyReply {
  return path.startsWith(`${AUTH_PATH}/`) ? goOn(visit, path) : visit.reply.redirect(path, 303)
}

async function signInWith(ctx: Context, visit: PageVisit, provider: string): Promise<FastifyReply> {
  const continuation = continuationOf(visit)
  const seconds = await secondsToWait(ctx, visit, attempt('POST /sign-in/social'))
  const failed = fillIn(visit.texts.provider_failed, { provider: titleOf(provider) })
  if (seconds !== undefined || !ctx.people.providers.includes(provider)) {
    return showSignIn(ctx, visit, seconds === undefined ? 400 : 429, {
      provider: seconds === undefined ? failed : fillIn(visit.texts.too_many, { seconds }),
    })
  }
  const back = new URL(pathWith('/sign-in', continuation), ctx.publicUrl)
  back.searchParams.set('failed', provider)
  const said = await askPeople(ctx, visit, '/sign-in/social', {
    provider,
    callbackURL: `${ctx.publicUrl}${afterSignIn(continuation, visit.home)}`,
    errorCallbackURL: back.href,
    disableRedirect: true,
  })
  const { url } = said.body
  return typeof url === 'string' ? goOn(visit, url) : showSignIn(ctx, visit, 400, { provider: failed })
}

/** Why the person was redirected here: a provider failed, or a request or link is invalid. */
function alertOf(ctx: Context, { query, texts }: PageVisit): string | undefined {
  const failed = ctx.people.providers.find((name) => name === query.get('failed'))
  if (failed !== undefined) return fillIn(texts.provider_failed, { provider: titleOf(failed) })
  return query.has('error') ? texts.link_invalid : undefined
}

/** The display name of a provider: the operator configures it in lower case, for URLs. */
export function titleOf(provider: string): string {
  return provider === 'github' ? 'GitHub' : `${provider.slice(0, 1).toUpperCase()}${provider.slice(1)}`
}
