/**
 * Where somebody wanted to go when they were asked to sign in, and how they get there.
 *
 * An application's question comes in the address of the sign-in page. What it was signed with lasts a minute, which is
 * less than some people need for a password; so after the sign-in the question is asked anew, without the signature.
 * Nothing is lost by that: whoever can open the page could have asked it.
 */
import type { FastifyReply } from 'fastify'
import { AUTH_PATH } from '../../people/people.ts'
import { fillIn } from '../../wire/language.ts'
import { fillHtml, html } from './html.ts'
import { show } from './visit.ts'
import type { Visit } from './visit.ts'

/** What is carried from page to page: an application's question, or the token of an invitation. */
export interface Errand {
  readonly oauth_query: string | undefined
  readonly join: string | undefined
}

export function errandOf({ query, form }: Visit): Errand {
  const asked = new URLSearchParams(form.get('oauth_query') ?? query.toString())
  // What a provider sent somebody back with is no part of the question.
  for (const name of ['failed', 'error', 'error_description']) asked.delete(name)
  const join = form.get('join') ?? query.get('join') ?? undefined
  return { oauth_query: asked.has('client_id') ? asked.toString() : undefined, join }
}

/** A page that goes on with the same errand. */
export function pathWith(path: string, { oauth_query, join }: Errand): string {
  const query = oauth_query ?? (join === undefined ? '' : new URLSearchParams({ join }).toString())
  return query === '' ? path : `${path}?${query}`
}

/** Where the errand leads, once somebody has signed in. */
export function afterSignIn({ oauth_query, join }: Errand, home: Visit['home']): string {
  if (oauth_query !== undefined) return `${AUTH_PATH}/oauth2/authorize?${askedAnew(oauth_query).toString()}`
  return join === undefined ? home : `/join?${new URLSearchParams({ token: join }).toString()}`
}

/** Without what only holds once: the signature, and the wish that the person signs in, which they just did. */
function askedAnew(query: string): URLSearchParams {
  const asked = new URLSearchParams(query)
  for (const name of ['sig', 'exp', 'ba_iat', 'ba_pl', 'ba_param', 'max_age']) asked.delete(name)
  const prompts = (asked.get('prompt') ?? '').split(' ').filter((prompt) => !/^(?:login|create)?$/.test(prompt))
  if (prompts.length > 0) asked.set('prompt', prompts.join(' '))
  else asked.delete('prompt')
  return asked
}

/**
 * On to anywhere, out of a form's answer. A redirect would be held to the page's form-action, and so would every
 * redirect that follows, wherever the application sends people next; a page that goes on by itself is a new beginning.
 */
export function goOn(visit: Visit, url: string): FastifyReply {
  const { protocol } = new URL(url, 'https://here.invalid')
  if (/^(?:javascript|data|vbscript|blob|file|about):$/.test(protocol)) throw new Error(`no way on to ${protocol}`)
  const { texts } = visit
  const host = hostOf(url)
  return show(visit, 200, {
    title: host === '' ? texts.continue : fillIn(texts.consent_back, { host }),
    heading: host === '' ? html`${texts.continue}` : fillHtml(texts.consent_back, { host }),
    content: html`<p><a href="${url}" rel="noreferrer">${texts.continue}</a></p>`,
    onwardTo: url,
  })
}

/** How an address is called on a page: by its host, or by its scheme when an app on a device owns that. */
export function hostOf(url: string): string {
  if (!URL.canParse(url)) return ''
  const { protocol, host, hostname } = new URL(url)
  if (protocol !== 'http:' && protocol !== 'https:') return protocol.slice(0, -1)
  // A program on the person's own machine takes any port.
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname) ? hostname : host
}
