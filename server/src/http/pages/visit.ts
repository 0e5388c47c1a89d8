/** One visit to a page: the input, the language, and the response. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { ApiError } from '../../model/errors.ts'
import { matchLanguage } from '../../model/language.ts'
import type { RouteContext } from '../route-context.ts'
import { chooseLanguage, type Language, type Messages } from '../wire/language.ts'
import { type AttemptLimit, takeLimits } from '../within-limits.ts'
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

/** Takes the limits of the endpoint that does the same. Returns the seconds to wait if they are used up. */
export async function secondsToWait(
  ctx: Context,
  { request, form }: PageVisit,
  limits: { readonly name: string; readonly limit: AttemptLimit },
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
