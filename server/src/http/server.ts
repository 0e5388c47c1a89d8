/**
 * The HTTP server: the full list of routes, and the steps that every request goes through.
 *
 *   socket cap → first byte → TLS or 403 → request id → overload check → token, scope, rate → body (size, depth, JSON) → schema
 *   → route → headers
 *
 * Errors are caught once, here. A caller's mistake or a known refusal is an ApiError. Anything else is our bug: it is
 * logged with its cause and returned as `internal`.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import fastify from 'fastify'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { ApiError } from '../model/errors.ts'
import { makeId } from '../model/id.ts'
import { enforceAccess } from './access.ts'
import { challengeOf, createAuth, writeLimits } from './auth.ts'
import { createRemaining } from './remaining.ts'
import { BODY_LIMIT, parseBody } from './body.ts'
import type { Feature, Readiness, RouteParts } from './feature.ts'
import { discardBody } from './discard-body.ts'
import { mount } from './route.ts'
import { openRouteContext } from './route-context.ts'
import { answerClientError, noteFault } from './faults.ts'
import { chooseLanguage } from './wire/language.ts'
import { createListener, type Tls } from './listener.ts'
import { mcpRoute } from './mcp/route.ts'
import { countRequests, type MetricsReader } from './metrics.ts'
import { createOpenapi } from './openapi.ts'
import { openOverload } from './overload/overload.ts'
import { openToPages } from './cors.ts'
import { marksOf } from './sandbox.ts'
import { createAddressCheck } from './own-address.ts'
import { showFault } from './pages/fault.ts'
import { PAGE_HEADERS } from './pages/page.ts'
import { visitOf } from './pages/visit.ts'
import { findNotFoundPage, isForPerson, sendNotFoundPage } from '../features/site/app.ts'
import { mountSettings } from './settings-route.ts'
import { settingsRoutes } from './settings/routes.ts'
import { createSocketCap } from './socket-cap.ts'
import { traceRequests } from './trace-requests.ts'
import { createCheck } from './validate.ts'

export interface HttpServer {
  readonly app: FastifyInstance
  readonly readiness: Readiness
  /** Every route that the server has, with the names of `access.ts`. */
  routes(): readonly string[]
  /** The metrics of this node, for a separate listener. */
  readonly metrics: MetricsReader
}

const JSON_TYPE = 'application/json; charset=utf-8'
const NOTHING = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'"
const SANE_ID = /^[\w.:-]{1,128}$/

export async function createHttpServer(
  ctx: Context,
  options: { tls: Tls | undefined; version: string },
): Promise<HttpServer> {
  const routeContext = openRouteContext(ctx, options.version)
  const openapi = createOpenapi(options.version)
  const readiness: Readiness = { draining: false }
  const { caps, trustedProxies } = ctx.config
  const sockets = createSocketCap(caps.connectionsPerAddress, trustedProxies)
  const marks = marksOf(ctx.config)
  const isSecure = options.tls !== undefined || ctx.publicUrl.startsWith('https:')
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
    // `fail` logs what matters. A log line per request costs a quarter of the request.
    logger: false,
    genReqId: idOf,
    bodyLimit: BODY_LIMIT,
    // RFC 9112 §3.2.2: "a server MUST accept the absolute-form in requests". We treat it as the same address.
    rewriteUrl: ({ url = '/' }) => url.replace(/^https?:\/\/[^/?#]*(?=\/)/i, ''),
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    // Requests that were in progress when the server started to close are finished, not refused.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    frameworkErrors: (error, request, reply) => {
      fail(error, request, reply)
    },
    clientErrorHandler: (error, socket) =>
      answerClientError(error, socket, (code) =>
        routeContext.answerOf(new ApiError(code), { language: 'en', requestId: makeId(ctx.now()), accept: undefined }),
      ),
    serverFactory: createListener({
      tls: options.tls,
      admits: (socket) => sockets.admits(socket),
      refusePlain(request: IncomingMessage, response: ServerResponse) {
        const requestId = idOf(request)
        const { status, headers, body } = routeContext.answerOf(
          new ApiError('https_required'),
          listenerOf(request, requestId),
        )
        response.writeHead(status, { ...headers, connection: 'close' }).end(body)
      },
    }),
  })

  app.decorateRequest('session', null)
  app.decorateRequest('person', null)
  app.decorateRequest('signedInMember', null)
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
  const served = enforceAccess(app)
  const routes: { method: string; path: RegExp }[] = []
  app.addHook('onRoute', (route) => {
    openapi.add(route)
    const path = new RegExp(`^${route.url.replace(/:\w+/g, '[^/]+').replace(/\*$/, '.*')}$`)
    for (const method of [route.method].flat()) routes.push({ method, path })
  })

  traceRequests(app, ctx)
  app.addHook('onRequest', async (request, reply) => {
    reply.header('X-Request-Id', request.id).header('X-Content-Type-Options', 'nosniff').type(JSON_TYPE)
    reply.headers(marks)
    // The default for responses that are not pages. A page sets its own policy.
    reply.header('Content-Security-Policy', NOTHING)
    if (isSecure) reply.header('Strict-Transport-Security', 'max-age=31536000; includeSubDomains')
    if (request.url.startsWith('/v1/')) reply.header('Cache-Control', 'no-store')
    // No URI contains a backslash (RFC 3986 §3.3), and a second parser would read it as a slash.
    if (request.url.split('?')[0]?.includes('\\')) throw new ApiError('malformed_http')
    // RFC 9112 §3.2 requires both to be refused. Node would refuse a missing host without a body, and use the first of
    // several.
    if (request.raw.httpVersion === '1.1' && request.headers.host === undefined) throw new ApiError('malformed_http')
    if (hasSeveralHosts(request.raw.rawHeaders)) throw new ApiError('malformed_http')
  })
  openToPages(app)
  const overload = openOverload(app, ctx)
  app.addHook('onRequest', (request, reply) => overload.admit(request, reply))
  app.addHook('onRequest', createAddressCheck(ctx))
  app.addHook('onRequest', createAuth(ctx))
  // After the hooks of the routes, of which those of the settings find the person.
  app.addHook('preParsing', (request, reply) => overload.admitCaller(request, reply))
  app.addHook('preParsing', (request, reply, payload) => overload.awaitBody(request, reply, payload))
  app.addHook('preValidation', (request, reply) => overload.resume(request, reply))
  const findRemaining = createRemaining(ctx)
  app.addHook('onSend', async (request, reply) => {
    if (request.session) {
      await findRemaining(request.session)
      writeLimits(reply, request.session, ctx.now())
    }
    // A connection that is kept alive would keep the closing node alive with it.
    if (readiness.draining) reply.header('Connection', 'close')
    const isClosing = !reply.raw.shouldKeepAlive || reply.getHeader('connection') === 'close'
    if (isClosing && !request.raw.complete) {
      if (reply.statusCode >= 400) overload.leave(request)
      await discardBody(request.raw)
    }
  })

  function fail(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const known = noteFault(ctx.log, error, request, reply)
    const { status, headers, body } = routeContext.answerOf(known, {
      requestId: request.id,
      accept: request.headers.accept,
      language: routeContext.languageOf(request),
    })
    const access = request.routeOptions?.config?.access
    const challenge = challengeOf(known, ctx.publicUrl, access?.by === 'token' ? access.audience : undefined)
    if (challenge !== undefined) reply.header('WWW-Authenticate', challenge)
    return reply.code(status).headers(headers).send(body)
  }

  /** Where the app is not built, a person who follows a wrong link sees the error on a page. */
  function failOrShow(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const isShown = error instanceof ApiError && error.code === 'not_found' && isForPerson(request)
    if (!isShown) return fail(error, request, reply)
    return showFault(visitOf(routeContext, request, reply.headers(PAGE_HEADERS)), error)
  }
  app.setErrorHandler(failOrShow)
  app.setNotFoundHandler(async (request, reply) => {
    const [path = ''] = request.url.split('?')
    const allowed = METHODS.filter((method) => routes.some((route) => route.method === method && route.path.test(path)))
    if (allowed.length === 0) {
      const page = await findNotFoundPage(routeContext.app, request)
      return page ? sendNotFoundPage(reply, page) : failOrShow(new ApiError('not_found'), request, reply)
    }
    const params = { allowed: allowed.join(', ') }
    return fail(new ApiError('method_not_allowed', { params }), request, reply.header('Allow', params.allowed))
  })

  const cert = options.tls && { cert: options.tls.cert }
  const metrics = countRequests(app, ctx, { overload, sockets, version: options.version, ...cert })
  const { version } = options
  addRoutes(app, ctx, ctx.features, { routeContext, readiness, version, documentOf: openapi.document })
  return { app, readiness, metrics, routes: () => [...served] }
}

/** All routes. Uses the contexts only in handlers, so that `route-list.ts` can list the routes without them. */
export function addRoutes(app: FastifyInstance, ctx: Context, features: readonly Feature[], parts: RouteParts): void {
  const { routeContext, version } = parts
  for (const feature of features) {
    mount(app, ctx, routeContext, feature.routes ?? [])
    mountSettings(app, ctx, routeContext, feature.settings ?? [])
    feature.addRoutes?.(app, ctx, parts)
  }
  mcpRoute(app, ctx, { routeContext, version, tools: features.flatMap(({ tools = [] }) => tools) })
  settingsRoutes(app, ctx, { features, routeContext })
}

const METHODS = ['GET', 'POST', 'PATCH', 'DELETE', 'PUT'] as const

/** `rawHeaders`: names and values alternate. */
function hasSeveralHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) if (/^host$/i.test(rawHeaders[at] ?? '')) hosts++
  return hosts > 1
}
