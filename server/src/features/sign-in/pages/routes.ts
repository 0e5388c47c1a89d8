/**
 * The server-rendered pages: sign-in, consent, and the targets of links in emails. They work without a script, so that
 * anybody who can open a link can use them.
 *
 * A form is accepted only from our own pages, by the Origin that browsers add. Errors are shown on a page, too.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../../context.ts'
import { ApiError } from '../../../model/errors.ts'
import type { Person } from '../../../model/person.ts'
import { takeAddressLimit, type AttemptLimit } from '../attempts.ts'
import type { RouteContext } from '../../../http/route-context.ts'
import { apiErrorOf } from '../../../http/faults.ts'
import { requireOwnPage, headersOf } from '../../../http/settings/session-auth.ts'
import { changeEmail, showChangeEmail } from './change-email.ts'
import { confirmEmail, showConfirmEmail } from './confirm-email.ts'
import { decideConsent, showConsent } from './consent.ts'
import { showFault } from '../../../http/pages/fault.ts'
import { join, showJoin } from '../../accounts/join-page.ts'
import { continuationOf, pathWith } from './onward.ts'
import { PAGE_HEADERS } from '../../../http/pages/page.ts'
import { resetPassword, showReset } from './reset-password.ts'
import { proveSecondFactor, showSecondFactor } from './second-factor.ts'
import { setUp, showSetup } from '../../accounts/setup-page.ts'
import { showSignedIn } from './signed-in.ts'
import { showSignIn, signIn } from './sign-in.ts'
import { showSignInLink, signInByLink } from './sign-in-link.ts'
import { signOut } from './sign-out.ts'
import { visitBy, visitOf, type PageVisit } from '../../../http/pages/visit.ts'

const FORM_LIMIT = 16 * 1024
// As many as an office behind one address sends. Each kind of attempt has a narrower limit.
const FORMS: AttemptLimit = { address: [1_200, 240] }

type ShownPage = FastifyReply | Promise<FastifyReply>
type Showing = (ctx: Context, visit: PageVisit) => ShownPage
type ShowingTo<Somebody> = (ctx: Context, visit: PageVisit, person: Somebody) => ShownPage

export function pageRoutes(app: FastifyInstance, ctx: Context, routeContext: RouteContext): void {
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

    const get = (path: string, page: Showing) =>
      pages.get(path, (request, reply) => page(ctx, visitOf(routeContext, request, reply)))
    // Before the body is read. What the body attempts has limits of its own.
    const admitForm = async (request: FastifyRequest) => {
      requireOwnPage(ctx, request)
      await takeAddressLimit(ctx, request, 'form', FORMS)
    }
    const post = (path: string, page: Showing, priority: 'normal' | 'never' = 'normal') =>
      pages.post(path, { config: { priority, limit: FORMS }, onRequest: admitForm }, (request, reply) =>
        page(ctx, visitOf(routeContext, request, reply)),
      )
    const known = (page: ShowingTo<Person | undefined>) => async (_ctx: Context, visit: PageVisit) => {
      const person = await ctx.people.whoIs(headersOf(visit.request))
      return page(ctx, visitBy(routeContext, visit, person), person)
    }
    const signedIn = (page: ShowingTo<Person>) =>
      known((_ctx, visit, person) =>
        person ? page(ctx, visit, person) : visit.reply.redirect(pathWith('/sign-in', continuationOf(visit)), 303),
      )

    get('/sign-in', showSignIn)
    post('/sign-in', signIn)
    get('/sign-in-link', (_ctx, visit) => showSignInLink(ctx, visit))
    post('/sign-in-link', signInByLink)
    get('/second-factor', (_ctx, visit) => showSecondFactor(visit))
    post('/second-factor', proveSecondFactor)
    get('/consent', signedIn(showConsent))
    post('/consent', signedIn(decideConsent))
    get('/setup', showSetup)
    post('/setup', setUp)
    get('/join', known(showJoin))
    post('/join', known(join))
    get('/confirm-email', (_ctx, visit) => showConfirmEmail(ctx, visit))
    post('/confirm-email', confirmEmail)
    get('/change-email', known(showChangeEmail))
    post('/change-email', known(changeEmail))
    get('/reset-password', (_ctx, visit) => showReset(visit))
    post('/reset-password', resetPassword)
    get('/signed-in', signedIn(showSignedIn))
    post('/sign-out', signOut, 'never')
  })
}

function withOwnLimit(error: ApiError): ApiError {
  return error.code === 'body_too_large' ? new ApiError('body_too_large', { params: { limit: '16 KiB' } }) : error
}
