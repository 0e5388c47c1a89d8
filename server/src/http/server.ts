/**
 * The HTTP door: the full list of routes, and what every request goes through.
 *
 *   first byte → TLS or 403 → request id → token, scope, rate → body (size, depth, JSON) → schema → route → headers
 *
 * Errors are caught once, here. A caller's mistake or a known refusal is an ApiError; anything else is our bug, is
 * logged with its cause and shown as `internal`.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import fastify from 'fastify'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { ApiError } from '../errors.ts'
import { makeId } from '../model/id.ts'
import { challengeOf, createAuth, writeLimits } from './auth.ts'
import { BODY_LIMIT, parseBody } from './body.ts'
import { openDoors } from './doors.ts'
import { answerClientError, apiErrorOf } from './faults.ts'
import { chooseLanguage } from './language.ts'
import { createListener } from './listener.ts'
import type { Tls } from './listener.ts'
import { metricsRoute } from './metrics.ts'
import { createOpenapi } from './openapi.ts'
import { docsRoutes } from './routes/docs.ts'
import { domainRoutes } from './routes/domains.ts'
import { favoriteRoutes } from './routes/favorites.ts'
import { generateRoute } from './routes/generate.ts'
import { healthRoutes } from './routes/health.ts'
import type { Readiness } from './routes/health.ts'
import { historyRoutes } from './routes/history.ts'
import { statusRoute } from './routes/status.ts'
import { tldRoutes } from './routes/tlds.ts'
import { createCheck } from './validate.ts'

export interface HttpServer {
  readonly app: FastifyInstance
  readonly readiness: Readiness
}

const JSON_TYPE = 'application/json; charset=utf-8'
const SANE_ID = /^[\w.:-]{1,128}$/

export async function createHttpServer(
  ctx: Context,
  options: { tls: Tls | undefined; version: string },
): Promise<HttpServer> {
  const doors = await openDoors(ctx)
  const openapi = createOpenapi(options.version)
  const readiness: Readiness = { draining: false }
  const idOf = (request: IncomingMessage) => {
    const sent = request.headers['x-request-id']
    return typeof sent === 'string' && SANE_ID.test(sent) ? sent : makeId(ctx.now())
  }
  const listenerOf = (request: IncomingMessage, requestId: string) => ({
    requestId,
    accept: request.headers.accept,
    language: chooseLanguage({ accept: request.headers['accept-language'] }),
  })

  const app: FastifyInstance = fastify({
    // What is worth a line is logged in `fail`; a line per request costs a quarter of the request.
    logger: false,
    genReqId: idOf,
    bodyLimit: BODY_LIMIT,
    trustProxy: ctx.config.trustedProxies.length > 0 ? [...ctx.config.trustedProxies] : false,
    // Requests that were under way when the door closed are finished, not turned away.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    frameworkErrors: (error, request, reply) => {
      fail(error, request, reply)
    },
    clientErrorHandler: (error, socket) =>
      answerClientError(error, socket, (code) =>
        doors.answerOf(new ApiError(code), { language: 'en', requestId: makeId(ctx.now()), accept: undefined }),
      ),
    serverFactory: createListener(options.tls, (request: IncomingMessage, response: ServerResponse) => {
      const requestId = idOf(request)
      const { status, headers, body } = doors.answerOf(new ApiError('https_required'), listenerOf(request, requestId))
      response.writeHead(status, { ...headers, connection: 'close' }).end(body)
    }),
  })

  app.decorateRequest('session', null)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    async (_request: FastifyRequest, text: string | Buffer) => (text === '' ? undefined : parseBody(String(text))),
  )
  app.setValidatorCompiler(({ schema, httpPart }) => {
    const check = createCheck(schema, { query: httpPart === 'querystring' })
    return (data: unknown) => {
      try {
        return { value: check(data) }
      } catch (error) {
        return { error: error as Error }
      }
    }
  })
  // On Node 26 JSON.stringify is twice as fast as a serializer made from the schema.
  app.setSerializerCompiler(() => JSON.stringify)
  app.addHook('onRoute', (route) => openapi.add(route))

  app.addHook('onRequest', async (request, reply) => {
    reply.header('X-Request-Id', request.id).header('X-Content-Type-Options', 'nosniff').type(JSON_TYPE)
    if (options.tls) reply.header('Strict-Transport-Security', 'max-age=31536000')
    if (request.url.startsWith('/v1/')) reply.header('Cache-Control', 'no-store')
    // RFC 9112 §3.2 wants this refused; Node would do it without a body.
    if (request.raw.httpVersion === '1.1' && request.headers.host === undefined) throw new ApiError('malformed_http')
  })
  app.addHook('onRequest', createAuth(ctx))
  app.addHook('onSend', async (request, reply) => {
    if (request.session) writeLimits(reply, request.session, ctx.now())
    // A connection that is kept alive would keep the closing node alive with it.
    if (readiness.draining) reply.header('Connection', 'close')
  })

  function fail(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const known = apiErrorOf(error)
    // Work that was stopped because the caller has gone: nothing failed, and nobody is there to be told.
    const isHangUp = reply.raw.destroyed && error instanceof Error && error.name === 'AbortError'
    if (known.code === 'internal' && !isHangUp)
      ctx.log.error({ err: error, request_id: request.id, route: request.routeOptions?.url }, 'failed')
    else if (known.code === 'unavailable')
      ctx.log.warn({ err: known.cause, request_id: request.id }, 'a dependency is away')
    const { status, headers, body } = doors.answerOf(known, {
      requestId: request.id,
      accept: request.headers.accept,
      language: doors.languageOf(request),
    })
    const challenge = challengeOf(known)
    if (challenge !== undefined) reply.header('WWW-Authenticate', challenge)
    return reply.code(status).headers(headers).send(body)
  }
  app.setErrorHandler(fail)
  app.setNotFoundHandler((request, reply) => {
    const allowed = allowedFor(app, request.url.split('?')[0] ?? '')
    if (allowed.length === 0) return fail(new ApiError('not_found'), request, reply)
    const params = { allowed: allowed.join(', ') }
    return fail(new ApiError('method_not_allowed', { params }), request, reply.header('Allow', params.allowed))
  })

  generateRoute(app, ctx, doors)
  historyRoutes(app, ctx, doors)
  favoriteRoutes(app, ctx, doors)
  domainRoutes(app, ctx, doors)
  tldRoutes(app, ctx)
  statusRoute(app, ctx)
  healthRoutes(app, ctx, readiness)
  metricsRoute(app, ctx)
  docsRoutes(app, doors, openapi.document)
  return { app, readiness }
}

const METHODS = ['GET', 'POST', 'PATCH', 'DELETE', 'PUT'] as const

function allowedFor(app: FastifyInstance, path: string): string[] {
  return METHODS.filter(
    (method) =>
      app.findRoute({ method, url: path }) !== null ||
      app.findRoute({ method, url: path.replace(/\/[^/]+$/, '/:id') }) !== null,
  )
}
