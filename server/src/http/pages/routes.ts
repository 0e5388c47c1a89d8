/**
 * The pages for people, written out by the server: signing in, consent, and the links of letters. They work without
 * a script, so that whoever can open a link can use them.
 *
 * A form is taken only from our own pages, by the Origin that browsers add. What goes wrong is said on a page too.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { ApiError } from '../../errors.ts'
import type { Person } from '../../people/people.ts'
import type { Doors } from '../doors.ts'
import { apiErrorOf } from '../faults.ts'
import { requireOwnPage } from '../settings/door.ts'
import { headersOf } from '../passing-on.ts'
import { decideConsent, showConsent } from './consent.ts'
import { showFault } from './fault.ts'
import { join, showJoin } from './join.ts'
import { errandOf, pathWith } from './onward.ts'
import { PAGE_HEADERS } from './page.ts'
import { resetPassword, showReset } from './reset-password.ts'
import { proveSecondFactor, showSecondFactor } from './second-factor.ts'
import { setUp, showSetup } from './setup.ts'
import { showSignedIn } from './signed-in.ts'
import { showSignIn, signIn } from './sign-in.ts'
import { signOut } from './sign-out.ts'
import { visitBy, visitOf } from './visit.ts'
import type { Visit } from './visit.ts'

const FORM_LIMIT = 16 * 1024

type Shown = FastifyReply | Promise<FastifyReply>
type Showing = (ctx: Context, visit: Visit) => Shown
type ShowingTo<Somebody> = (ctx: Context, visit: Visit, person: Somebody) => Shown

export function pageRoutes(app: FastifyInstance, ctx: Context, doors: Doors): void {
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
        ctx.log.error({ err: error, request_id: request.id, route: request.routeOptions.url }, 'failed')
      else if (fault.code === 'unavailable')
        ctx.log.warn({ err: fault.cause, request_id: request.id }, 'a dependency is away')
      return showFault(visitOf(doors, request, reply), fault)
    })

    const get = (path: string, page: Showing) =>
      pages.get(path, (request, reply) => page(ctx, visitOf(doors, request, reply)))
    const post = (path: string, page: Showing, priority: 'normal' | 'never' = 'normal') =>
      pages.post(path, { config: { priority } }, (request, reply) => {
        requireOwnPage(ctx, request)
        return page(ctx, visitOf(doors, request, reply))
      })
    const known = (page: ShowingTo<Person | undefined>) => async (_ctx: Context, visit: Visit) => {
      const person = await ctx.people.whoIs(headersOf(visit.request))
      return page(ctx, visitBy(doors, visit, person), person)
    }
    const signedIn = (page: ShowingTo<Person>) =>
      known((_ctx, visit, person) =>
        person ? page(ctx, visit, person) : visit.reply.redirect(pathWith('/sign-in', errandOf(visit)), 303),
      )

    get('/sign-in', showSignIn)
    post('/sign-in', signIn)
    get('/second-factor', (_ctx, visit) => showSecondFactor(visit))
    post('/second-factor', proveSecondFactor)
    get('/consent', signedIn(showConsent))
    post('/consent', signedIn(decideConsent))
    get('/setup', showSetup)
    post('/setup', setUp)
    get('/join', known(showJoin))
    post('/join', known(join))
    get('/reset-password', (_ctx, visit) => showReset(visit))
    post('/reset-password', resetPassword)
    get('/signed-in', signedIn(showSignedIn))
    post('/sign-out', signOut, 'never')
  })
}

function withOwnLimit(error: ApiError): ApiError {
  return error.code === 'body_too_large' ? new ApiError('body_too_large', { params: { limit: '16 KiB' } }) : error
}
