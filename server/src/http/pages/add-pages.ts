/**
 * Adds pages that the server draws. They work without a script, so that anybody who can open a link can use them. A form
 * is accepted only from our own pages, by the Origin that browsers add. Errors are shown on a page, too.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { ApiError } from '../../model/errors.ts'
import type { Person } from '../../model/person.ts'
import { PUBLIC } from '../access.ts'
import { apiErrorOf } from '../faults.ts'
import type { RouteContext } from '../route-context.ts'
import { headersOf, requireOwnPage } from '../settings/session-auth.ts'
import { type AttemptLimit, takeAddressLimit } from '../within-limits.ts'
import { showFault } from './fault.ts'
import { PAGE_HEADERS } from './page.ts'
import { type PageVisit, visitBy, visitOf } from './visit.ts'

const FORM_LIMIT = 16 * 1024
// As many as an office behind one address sends. Each kind of attempt has a narrower limit.
const FORMS: AttemptLimit = { address: [1_200, 240] }

/** `person`: whoever is signed in. */
export type ShowPage = (
  ctx: Context,
  visit: PageVisit,
  person: Person | undefined,
) => FastifyReply | Promise<FastifyReply>

export interface Page {
  readonly path: string
  readonly show?: ShowPage
  /** What its form does. */
  readonly submit?: ShowPage
  /** In the language of the person who is signed in. */
  readonly knows?: true
  readonly priority?: 'never'
}

export function addPages(app: FastifyInstance, ctx: Context, routeContext: RouteContext, list: readonly Page[]): void {
  void app.register(async (pages) => {
    pages.removeAllContentTypeParsers()
    pages.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: FORM_LIMIT },
      async (_request: FastifyRequest, text: string | Buffer) => new Map(new URLSearchParams(String(text))),
    )
    pages.addHook('onRequest', async (_request, reply) => void reply.headers(PAGE_HEADERS))
    pages.setErrorHandler((error, request, reply) => {
      const fault = withOwnLimit(apiErrorOf(error))
      if (fault.code === 'internal')
        ctx.log.error({ err: error, request_id: request.id, route: request.routeOptions.url }, 'request failed')
      else if (fault.code === 'unavailable')
        ctx.log.warn({ err: fault.cause, request_id: request.id }, 'dependency unavailable')
      return showFault(visitOf(routeContext, request, reply), fault)
    })
    // Before the body is read. What the body attempts has limits of its own.
    const admitForm = async (request: FastifyRequest) => {
      requireOwnPage(ctx, request)
      await takeAddressLimit(ctx, request, 'form', FORMS)
    }
    for (const { path, show, submit, knows, priority = 'normal' } of list) {
      const handlerOf = (page: ShowPage) => async (request: FastifyRequest, reply: FastifyReply) => {
        const visit = visitOf(routeContext, request, reply)
        if (!knows) return page(ctx, visit, undefined)
        const person = await ctx.people.whoIs(headersOf(request))
        return page(ctx, visitBy(routeContext, visit, person), person)
      }
      if (show) pages.get(path, { config: { access: PUBLIC } }, handlerOf(show))
      if (submit) {
        const config = { access: PUBLIC, priority, limit: FORMS } as const
        pages.post(path, { config, onRequest: admitForm }, handlerOf(submit))
      }
    }
  })
}

function withOwnLimit(error: ApiError): ApiError {
  return error.code === 'body_too_large' ? new ApiError('body_too_large', { params: { limit: '16 KiB' } }) : error
}
