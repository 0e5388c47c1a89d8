/** One visit to a page: the input, the language, and requests to the sign-in server on the visitor's behalf. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { ApiError } from '../../model/errors.ts'
import { matchLanguage } from '../../model/language.ts'
import { AUTH_PATH, BROWSER_HEADER, SIGN_IN_LINK_PATH } from '../../features/sign-in/people.ts'
import type { RouteContext } from '../route-context.ts'
import { chooseLanguage, type Language, type Messages } from '../wire/language.ts'
import { takeLimits } from '../../features/sign-in/attempts.ts'
import { bindBrowser, boundBrowserOf } from '../browser-binding.ts'
import { headersOf } from '../settings/session-auth.ts'
import { isMarked } from '../sandbox.ts'
import { sendPage, type HtmlPage } from './page.ts'

export interface PageVisit {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  /** The parameters of the URL. */
  readonly query: URLSearchParams
  /** The fields of the form. */
  readonly form: ReadonlyMap<string, string>
  readonly language: Language
  readonly messages: Messages
  readonly texts: Messages['pages']
  /** Where a person who was not on the way elsewhere goes: the web app, if it is built. */
  readonly home: '/' | '/signed-in'
  /** Must be included in every form. */
  readonly kept: { readonly ui_locales: string | undefined }
}

export function visitOf(routeContext: RouteContext, request: FastifyRequest, reply: FastifyReply): PageVisit {
  // A parameter may contain a question mark.
  const [, ...search] = request.url.split('?')
  const query = new URLSearchParams(search.join('?'))
  const form = request.body instanceof Map ? (request.body as ReadonlyMap<string, string>) : new Map<string, string>()
  const locales =
    form.get('ui_locales') ?? new URLSearchParams(form.get('oauth_query') ?? query.toString()).get('ui_locales')
  // OpenID Connect Core §3.1.2.1: a list, separated by spaces, most preferred first.
  const [wished] = (locales ?? '').split(' ').flatMap((tag) => matchLanguage(tag) ?? [])
  const language = chooseLanguage({ body: wished, accept: request.headers['accept-language'] })
  const messages = routeContext.messagesFor(language)
  return {
    request,
    reply,
    query,
    form,
    language,
    messages,
    texts: messages.pages,
    home: routeContext.app.isBuilt() ? '/' : '/signed-in',
    kept: { ui_locales: wished },
  }
}

/** The same visit in the language of a known person, unless the URL asks for another. */
export function visitBy(
  routeContext: RouteContext,
  visit: PageVisit,
  person: { language: string | null } | undefined,
): PageVisit {
  const theirs = visit.kept.ui_locales === undefined ? matchLanguage(person?.language ?? '') : undefined
  if (theirs === undefined) return visit
  const messages = routeContext.messagesFor(theirs)
  return { ...visit, language: theirs, messages, texts: messages.pages }
}

export function show(visit: PageVisit, status: number, page: Omit<HtmlPage, 'language'>): FastifyReply {
  return sendPage(visit.reply, status, {
    language: visit.language,
    ...(isMarked(visit.reply) ? { notice: visit.texts.sandbox } : {}),
    ...page,
  })
}

/** The response of the sign-in server to a request that a page makes for its visitor. */
export interface FormMessage {
  readonly body: Readonly<Record<string, unknown>>
  /** Its error code; empty if there is no error. */
  readonly fault: string
}

/** Passes cookies on to the visitor. Takes no limits: the caller must have taken them. */
export function askPeople(ctx: Context, visit: PageVisit, path: string, body: object): Promise<FormMessage> {
  const request = new Request(`${ctx.publicUrl}${AUTH_PATH}${path}`, {
    method: 'POST',
    headers: jsonHeadersOf(visit.request),
    body: JSON.stringify(body),
  })
  return messageOf(ctx, visit, request, path)
}

/** The same with the cookie that identifies the browser, for requests whose email has a link bound to it. */
export async function askBound(ctx: Context, visit: PageVisit, path: string, body: object): Promise<FormMessage> {
  const { value, cookie } = bindBrowser(ctx, visit.request)
  const headers = jsonHeadersOf(visit.request)
  headers.set(BROWSER_HEADER, value)
  const request = new Request(`${ctx.publicUrl}${AUTH_PATH}${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  visit.reply.header('set-cookie', cookie)
  return messageOf(ctx, visit, request, path)
}

/** Redeems a sign-in token in this browser. */
export function redeemSignIn(ctx: Context, visit: PageVisit, token: string): Promise<FormMessage> {
  const url = new URL(`${ctx.publicUrl}${AUTH_PATH}${SIGN_IN_LINK_PATH}`)
  url.searchParams.set('token', token)
  const headers = jsonHeadersOf(visit.request)
  const browser = boundBrowserOf(ctx, visit.request)
  if (browser !== undefined) headers.set(BROWSER_HEADER, browser)
  return messageOf(ctx, visit, new Request(url, { headers }), SIGN_IN_LINK_PATH)
}

async function messageOf(ctx: Context, visit: PageVisit, request: Request, path: string): Promise<FormMessage> {
  const response = await ctx.people.handle(request)
  if (response.status >= 500) throw new Error(`${path} failed with ${response.status}`)
  const cookies = response.headers.getSetCookie()
  if (cookies.length > 0) visit.reply.header('set-cookie', cookies)
  const text = await response.text()
  const said = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>
  const { code } = said
  const fault = response.status < 300 ? '' : typeof code === 'string' ? code : String(response.status)
  return { body: said, fault }
}

/** The headers of a form request, changed for a JSON request that is no navigation. */
export function jsonHeadersOf(request: FastifyRequest): Headers {
  const headers = headersOf(request)
  headers.delete('sec-fetch-mode')
  headers.delete('sec-fetch-site')
  headers.set('accept', 'application/json')
  headers.set('content-type', 'application/json')
  return headers
}

/** Takes the limits of the endpoint that does the same. Returns the seconds to wait if they are used up. */
export async function secondsToWait(
  ctx: Context,
  { request, form }: PageVisit,
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

/** A path of the web app, which an email has carried. One that leads anywhere else is ignored. */
export function destinationOf({ form, query, home }: PageVisit): string | undefined {
  const to = form.get('to') ?? query.get('to') ?? ''
  return home === '/' && /^\/[\w/-]*$/.test(to) && !to.startsWith('//') ? to : undefined
}
