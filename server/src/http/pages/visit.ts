/** Somebody at a page: what they sent, the language they are answered in, and the way to the sign-in server behind. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { ApiError } from '../../errors.ts'
import { matchLanguage } from '../../model/language.ts'
import { AUTH_PATH } from '../../people/people.ts'
import type { Doors } from '../doors.ts'
import { chooseLanguage } from '../../wire/language.ts'
import type { Language, Messages } from '../../wire/language.ts'
import { takeLimits } from '../attempts.ts'
import { headersOf } from '../passing-on.ts'
import { sendPage } from './page.ts'
import type { Page } from './page.ts'

export interface Visit {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  /** What stands in the address. */
  readonly query: URLSearchParams
  /** What the form sent. */
  readonly form: ReadonlyMap<string, string>
  readonly language: Language
  readonly messages: Messages
  readonly texts: Messages['pages']
  /** Where somebody goes who came for nothing else: the web app, where there is one. */
  readonly home: '/' | '/signed-in'
  /** To be kept in every form. */
  readonly kept: { readonly ui_locales: string | undefined }
}

export function visitOf(doors: Doors, request: FastifyRequest, reply: FastifyReply): Visit {
  const query = new URLSearchParams(request.url.split('?')[1] ?? '')
  const form = request.body instanceof Map ? (request.body as ReadonlyMap<string, string>) : new Map<string, string>()
  const locales =
    form.get('ui_locales') ?? new URLSearchParams(form.get('oauth_query') ?? query.toString()).get('ui_locales')
  // OpenID Connect Core §3.1.2.1: a list, separated by spaces, best first.
  const [wished] = (locales ?? '').split(' ').flatMap((tag) => matchLanguage(tag) ?? [])
  const language = chooseLanguage({ body: wished, accept: request.headers['accept-language'] })
  const messages = doors.messagesFor(language)
  return {
    request,
    reply,
    query,
    form,
    language,
    messages,
    texts: messages.pages,
    home: doors.app.isBuilt() ? '/' : '/signed-in',
    kept: { ui_locales: wished },
  }
}

/** The same in the language of a person we know, unless the address asks for another. */
export function visitBy(doors: Doors, visit: Visit, person: { language: string | null } | undefined): Visit {
  const theirs = visit.kept.ui_locales === undefined ? matchLanguage(person?.language ?? '') : undefined
  if (theirs === undefined) return visit
  const messages = doors.messagesFor(theirs)
  return { ...visit, language: theirs, messages, texts: messages.pages }
}

export function show(visit: Visit, status: number, page: Omit<Page, 'language'>): FastifyReply {
  return sendPage(visit.reply, status, { language: visit.language, ...page })
}

/** What the sign-in server said to a request that a page makes for its visitor. */
export interface Said {
  readonly body: Readonly<Record<string, unknown>>
  /** Its word for what is wrong; empty when nothing is. */
  readonly fault: string
}

/** Cookies go on to the visitor. Not limited: whoever calls this has taken the limits. */
export async function askPeople(ctx: Context, visit: Visit, path: string, body: object): Promise<Said> {
  const request = new Request(`${ctx.publicUrl}${AUTH_PATH}${path}`, {
    method: 'POST',
    headers: jsonHeadersOf(visit.request),
    body: JSON.stringify(body),
  })
  const response = await ctx.people.handle(request)
  if (response.status >= 500) throw new Error(`${path} failed with ${response.status}`)
  const cookies = response.headers.getSetCookie()
  if (cookies.length > 0) visit.reply.header('set-cookie', cookies)
  const text = await response.text()
  const said = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>
  const { code } = said
  const fault = response.status < 400 ? '' : typeof code === 'string' ? code : String(response.status)
  return { body: said, fault }
}

/** A form's headers, for a request that is none: it is JSON, and no navigation. */
export function jsonHeadersOf(request: FastifyRequest): Headers {
  const headers = headersOf(request)
  headers.delete('sec-fetch-mode')
  headers.delete('sec-fetch-site')
  headers.set('accept', 'application/json')
  headers.set('content-type', 'application/json')
  return headers
}

/** Takes the limits of the door that does the same; how many seconds to wait when they are used up. */
export async function secondsToWait(
  ctx: Context,
  { request, form }: Visit,
  limits: Pick<Parameters<typeof takeLimits>[2], 'name' | 'limit'>,
): Promise<number | undefined> {
  try {
    await takeLimits(ctx, request, { ...limits, form })
    return undefined
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'rate_limited') throw error
    return error.detail.retryAfter ?? 1
  }
}
