/**
 * /auth: forwards requests to the sign-in and authorization server and returns its responses. `attempts.ts` lists the
 * paths and their limits; `oauth-rules.ts` corrects where OAuth in Better Auth differs from what we need.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { ApiError } from '../../model/errors.ts'
import { AUTH_PATH, BROWSER_HEADER } from './people.ts'
import { type AttemptLimit, takeAddressLimit, takeMeantLimit } from '../../http/within-limits.ts'
import { ATTEMPT_LIMITS } from './attempts.ts'
import { bindBrowser } from './pages/asking.ts'
import type { RouteContext } from '../../http/route-context.ts'
import { asUsableNow } from './introspection.ts'
import {
  asNative,
  askingAgain,
  corrected,
  refusalOf,
  withoutAsking,
  withoutHint,
  type OAuthRefusal,
} from './oauth-rules.ts'
import { answer, fieldsOf, formOf, passedOn, queryOf, withoutToken } from './passing-on.ts'
import { headersOf } from '../../http/settings/session-auth.ts'
import { mayRedirect, showReturn } from './pages/return-page.ts'
import { visitBy, visitOf } from '../../http/pages/visit.ts'
import { limitGuesses, requireRecent } from '../../http/step-up.ts'

const BODY_LIMIT = 32 * 1024

/** Paths whose email has a link that is bound to the browser. The cookie is set whether an email is sent or not. */
const BINDING: ReadonlySet<string> = new Set(['/sign-up/email', '/sign-in/magic-link'])

export function authRoutes(app: FastifyInstance, ctx: Context, routeContext: RouteContext): void {
  void app.register(async (inside) => {
    // Bodies are forwarded unparsed, because Better Auth parses them.
    inside.removeAllContentTypeParsers()
    inside.addContentTypeParser(
      ['application/json', 'application/x-www-form-urlencoded'],
      { parseAs: 'string', bodyLimit: BODY_LIMIT },
      async (_request: FastifyRequest, text: string | Buffer) => String(text),
    )
    for (const [bucket, limit] of Object.entries(ATTEMPT_LIMITS)) {
      const [method = '', path = ''] = bucket.split(' ')
      const handler =
        path === '/oauth2/authorize'
          ? authorize(routeContext)
          : path.startsWith('/oauth2/')
            ? forApplications
            : forPeople
      const priority = path === '/sign-out' ? 'never' : 'normal'
      inside.route({
        method,
        url: `${AUTH_PATH}${path}`,
        config: { priority, limit },
        // Before the body is read: a body that is sent slowly or never counts as an attempt, too.
        onRequest: (request) => takeAddressLimit(ctx, request, bucket, limit),
        handler: handler(ctx, bucket, path, limit),
      })
    }
  })
}

function forPeople(ctx: Context, bucket: string, path: string, limit: AttemptLimit) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    await takeMeantLimit(ctx, request, { name: bucket, limit, form: formOf(request) })
    if (limit.stepUp || limit.guess) await guardSession(ctx, request, limit)
    const { provider = '' } = request.params as { provider?: string }
    if (path.includes(':provider') && !ctx.people.providers.includes(provider)) throw new ApiError('not_found')
    const sent = passedOn(ctx, request, path.replace(':provider', provider))
    if (path === '/callback/:provider') return answer(reply, await comeBack(ctx, request, sent))
    if (BINDING.has(path)) return answer(reply, await withoutToken(await handleBound(ctx, request, sent)))
    return answer(reply, await withoutToken(await ctx.people.handle(sent)))
  }
}

async function handleBound(ctx: Context, request: FastifyRequest, sent: Request): Promise<Response> {
  const { value, cookie } = bindBrowser(ctx, request)
  sent.headers.set(BROWSER_HEADER, value)
  const response = await ctx.people.handle(sent)
  response.headers.append('set-cookie', cookie)
  return response
}

/** The return from an identity provider. A new person's confirmation email is bound to this browser. */
async function comeBack(ctx: Context, request: FastifyRequest, sent: Request): Promise<Response> {
  const { value, cookie } = bindBrowser(ctx, request)
  sent.headers.set(BROWSER_HEADER, value)
  const response = await ctx.people.handle(sent)
  const isUnconfirmed = response.headers.get('location')?.includes('error=email_not_verified') === true
  if (isUnconfirmed) response.headers.append('set-cookie', cookie)
  return response
}

function forApplications(ctx: Context, bucket: string, path: string, limit: AttemptLimit) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const form = formOf(request)
    await takeMeantLimit(ctx, request, { name: bucket, limit, form })
    const refusal = refusalOf(bucket, form)
    if (refusal) return refuse(reply, refusal)
    const body =
      path === '/oauth2/register' ? asNative(form) : path === '/oauth2/revoke' ? withoutHint(form) : request.body
    const sent = passedOn(ctx, request, path, typeof body === 'string' ? { body } : undefined)
    const response = await corrected(await ctx.people.handle(sent), bucket)
    if (path !== '/oauth2/introspect') return answer(reply, response)
    return answer(reply, await asUsableNow(ctx, response, form.get('token')))
  }
}

/** The parameters are in the query or in a form. */
function authorize(routeContext: RouteContext) {
  return (ctx: Context, bucket: string, _path: string, limit: AttemptLimit) =>
    async (request: FastifyRequest, reply: FastifyReply) => {
      const isForm = typeof request.body === 'string'
      const asked = isForm ? String(request.body) : queryOf(request)
      const form = fieldsOf(asked)
      await takeMeantLimit(ctx, request, { name: bucket, limit, form })
      const refusal = refusalOf(bucket, formOf(request)) ?? refusalOf(bucket, form)
      if (refusal) return refuse(reply, refusal)
      const again = askingAgain(asked)
      const sent = passedOn(ctx, request, '/oauth2/authorize', isForm ? { body: again } : { query: again })
      const response = withoutAsking(await corrected(await ctx.people.handle(sent), bucket), asked)
      const url = response.headers.get('location')
      if (url === null) return answer(reply, response)
      const person = await ctx.people.whoIs(headersOf(request))
      const clientId = new URLSearchParams(asked).get('client_id') ?? ''
      if (await mayRedirect(ctx, { url, clientId, person })) return answer(reply, response)
      return showReturn(visitBy(routeContext, visitOf(routeContext, request, reply), person), url)
    }
}

function refuse(reply: FastifyReply, refusal: OAuthRefusal): FastifyReply {
  return reply.code(400).header('Cache-Control', 'no-store').send(refusal)
}

async function guardSession(ctx: Context, request: FastifyRequest, { stepUp, guess }: AttemptLimit): Promise<void> {
  const person = await ctx.people.whoIs(headersOf(request))
  if (!person) throw new ApiError('sign_in_required')
  if (stepUp) requireRecent(ctx, person)
  if (guess) await limitGuesses(ctx, request, person)
}
