/**
 * Where a person was going when they were asked to sign in, and how they continue.
 *
 * The authorization request of an application is in the URL of the sign-in page. Its signature lasts a minute, which is
 * less than some people need for a password. So after the sign-in the request is sent again, without the signature.
 * That is safe: anybody who can open the page could have sent the request.
 */
import type { FastifyReply } from 'fastify'
import { AUTH_PATH } from '../people.ts'
import { shownHost } from '../../../model/shown-name.ts'
import { fillIn } from '../../../http/wire/language.ts'
import { fillHtml, html } from '../../../http/pages/html.ts'
import { show } from '../../../http/pages/visit.ts'
import type { PageVisit } from '../../../http/pages/visit.ts'

/** Carried from page to page: an application's authorization request, or the token of an invitation. */
export interface SignInContinuation {
  readonly oauth_query: string | undefined
  readonly join: string | undefined
}

export function continuationOf({ query, form }: PageVisit): SignInContinuation {
  const asked = new URLSearchParams(form.get('oauth_query') ?? query.toString())
  // Parameters that an identity provider added on the way back are no part of the request.
  for (const name of ['failed', 'error', 'error_description']) asked.delete(name)
  const join = form.get('join') ?? query.get('join') ?? undefined
  return { oauth_query: asked.has('client_id') ? asked.toString() : undefined, join }
}

/** The path of a page that keeps the continuation. */
export function pathWith(path: string, { oauth_query, join }: SignInContinuation): string {
  const query = oauth_query ?? (join === undefined ? '' : new URLSearchParams({ join }).toString())
  return query === '' ? path : `${path}?${query}`
}

/** Where to continue after the sign-in. */
export function afterSignIn({ oauth_query, join }: SignInContinuation, home: PageVisit['home']): string {
  if (oauth_query !== undefined) return `${AUTH_PATH}/oauth2/authorize?${askedAnew(oauth_query).toString()}`
  return join === undefined ? home : `/join?${new URLSearchParams({ token: join }).toString()}`
}

/** Without what is valid only once: the signature, and the request to sign in, which the person has just done. */
function askedAnew(query: string): URLSearchParams {
  const asked = new URLSearchParams(query)
  for (const name of ['sig', 'exp', 'ba_iat', 'ba_pl', 'ba_param', 'max_age']) asked.delete(name)
  const prompts = (asked.get('prompt') ?? '').split(' ').filter((prompt) => !/^(?:login|create)?$/.test(prompt))
  if (prompts.length > 0) asked.set('prompt', prompts.join(' '))
  else asked.delete('prompt')
  return asked
}

/**
 * Continues to any URL after a form was sent. A redirect would be subject to the page's form-action, and so would every
 * redirect that follows, wherever the application sends people next. A page that navigates by itself is a new
 * navigation.
 */
export function goOn(visit: PageVisit, url: string): FastifyReply {
  const { protocol } = new URL(url, 'https://here.invalid')
  if (/^(?:javascript|data|vbscript|blob|file|about):$/.test(protocol))
    throw new Error(`redirects to ${protocol} are not allowed`)
  const { texts } = visit
  const host = shownHost(url)
  return show(visit, 200, {
    title: host === '' ? texts.continue : fillIn(texts.consent_back, { host }),
    heading: host === '' ? html`${texts.continue}` : fillHtml(texts.consent_back, { host }),
    content: html`<p><a href="${url}" rel="noreferrer">${texts.continue}</a></p>`,
    onwardTo: url,
  })
}
