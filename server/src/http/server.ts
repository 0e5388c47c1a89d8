/**
 * The HTTP server: the full list of routes, with what comes before them.
 *
 *   socket cap → first byte → TLS or 403 → request id → gate (`gate.ts`) → route
 *
 * Errors are caught once, here. A caller's mistake or a known refusal is an ApiError. Anything else is our bug: it is
 * logged with its cause and returned as `internal`.
 */
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { findNotFoundPage, isForPerson, sendNotFoundPage } from './app-files.ts'
import { ApiError } from '../model/errors.ts'
import { makeId } from '../model/id.ts'
import { enforceAccess } from './access.ts'
import { challengeOf } from './auth.ts'
import { answerClientError, noteFault } from './faults.ts'
import type { Feature, Readiness, RouteParts } from './feature.ts'
import { createRequestIds, inOriginForm, openGate } from './gate.ts'
import { createListener, type Tls } from './listener.ts'
import { mcpRoute } from './mcp/route.ts'
import { countRequests, type MetricsReader } from './metrics.ts'
import { createOpenapi } from './openapi.ts'
import { showFault } from './pages/fault.ts'
import { PAGE_HEADERS } from './pages/page.ts'
import { visitOf } from './pages/visit.ts'
import { mount } from './route.ts'
import { openRouteContext, type RouteContext } from './route-context.ts'
import { mountSettings } from './settings-route.ts'
import { createSocketCap, type SocketCap } from './socket-cap.ts'
import { BODY_LIMIT, openInput } from './validate.ts'
import { chooseLanguage } from './wire/language.ts'

export interface HttpServer {
  readonly app: FastifyInstance
  readonly readiness: Readiness
  /** Every route that the server has, with the names of `access.ts`. */
  routes(): readonly string[]
  /** The metrics of this node, for a separate listener. */
  readonly metrics: MetricsReader
}

export async function createHttpServer(
  ctx: Context,
  { tls, version }: { tls: Tls | undefined; version: string },
): Promise<HttpServer> {
  const routeContext = openRouteContext(ctx, version)
  const openapi = createOpenapi(version)
  const readiness: Readiness = { draining: false }
  const sockets = createSocketCap(ctx.config.caps.connectionsPerAddress, ctx.config.trustedProxies)
  const app = openFastify(ctx, { routeContext, tls, sockets })
  app.decorateRequest('session', null)
  app.decorateRequest('person', null)
  app.decorateRequest('signedInMember', null)
  openInput(app)
  // On Node 26 JSON.stringify is twice as fast as a serializer made from the schema.
  app.setSerializerCompiler(() => JSON.stringify)
  const served = enforceAccess(app)
  const methodsOf = rememberMethods(app)
  app.addHook('onRoute', (route) => openapi.add(route))
  const isSecure = tls !== undefined || ctx.publicUrl.startsWith('https:')
  const overload = openGate(app, ctx, { isSecure, readiness })
  answerFailures(app, ctx, { routeContext, methodsOf })
  const metrics = countRequests(app, ctx, { overload, sockets, version, ...(tls && { cert: tls.cert }) })
  addRoutes(app, ctx, ctx.features, { routeContext, readiness, version, documentOf: openapi.document })
  return { app, readiness, metrics, routes: () => [...served] }
}

function openFastify(
  ctx: Context,
  { routeContext, tls, sockets }: { routeContext: RouteContext; tls: Tls | undefined; sockets: SocketCap },
): FastifyInstance {
  const { trustedProxies } = ctx.config
  const idOf = createRequestIds(ctx.now)
  return fastify({
    // `fail` logs what matters. A log line per request costs a quarter of the request.
    logger: false,
    genReqId: idOf,
    bodyLimit: BODY_LIMIT,
    rewriteUrl: inOriginForm,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    // Requests that were in progress when the server started to close are finished, not refused.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    frameworkErrors: (error, request, reply) => {
      fail(ctx, routeContext, error, request, reply)
    },
    clientErrorHandler: (error, socket) =>
      answerClientError(error, socket, (code) =>
        routeContext.answerOf(new ApiError(code), { language: 'en', requestId: makeId(ctx.now()), accept: undefined }),
      ),
    serverFactory: createListener({
      tls,
      admits: (socket) => sockets.admits(socket),
      refusePlain(request, response) {
        const { status, headers, body } = routeContext.answerOf(new ApiError('https_required'), {
          requestId: idOf(request),
          accept: request.headers.accept,
          language: chooseLanguage({ accept: request.headers['accept-language'] }),
        })
        response.writeHead(status, { ...headers, connection: 'close' }).end(body)
      },
    }),
  })
}

const METHODS = ['GET', 'POST', 'PATCH', 'DELETE', 'PUT'] as const

/** Returns which methods a path has. */
function rememberMethods(app: FastifyInstance): (path: string) => readonly string[] {
  const routes: { method: string; path: RegExp }[] = []
  app.addHook('onRoute', ({ url, method: methods }) => {
    const path = new RegExp(`^${url.replace(/:\w+/g, '[^/]+').replace(/\*$/, '.*')}$`)
    for (const method of [methods].flat()) routes.push({ method, path })
  })
  return (path) => METHODS.filter((method) => routes.some((route) => route.method === method && route.path.test(path)))
}

function answerFailures(
  app: FastifyInstance,
  ctx: Context,
  { routeContext, methodsOf }: { routeContext: RouteContext; methodsOf: (path: string) => readonly string[] },
): void {
  /** Where the app is not built, a person who follows a wrong link sees the error on a page. */
  function failOrShow(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const isShown = error instanceof ApiError && error.code === 'not_found' && isForPerson(request)
    if (!isShown) return fail(ctx, routeContext, error, request, reply)
    return showFault(visitOf(routeContext, request, reply.headers(PAGE_HEADERS)), error)
  }
  app.setErrorHandler(failOrShow)
  app.setNotFoundHandler(async (request, reply) => {
    const [path = ''] = request.url.split('?')
    const allowed = methodsOf(path).join(', ')
    if (allowed === '') {
      const page = await findNotFoundPage(routeContext.app, request)
      return page ? sendNotFoundPage(reply, page) : failOrShow(new ApiError('not_found'), request, reply)
    }
    const error = new ApiError('method_not_allowed', { params: { allowed } })
    return fail(ctx, routeContext, error, request, reply.header('Allow', allowed))
  })
}

function fail(
  ctx: Context,
  routeContext: RouteContext,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
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

/** All routes. Uses the contexts only in handlers, so that `route-list.ts` can list the routes without them. */
export function addRoutes(app: FastifyInstance, ctx: Context, features: readonly Feature[], parts: RouteParts): void {
  const { routeContext, version } = parts
  for (const feature of features) {
    mount(app, ctx, routeContext, feature.routes ?? [])
    mountSettings(app, ctx, routeContext, feature.settings ?? [])
    feature.addRoutes?.(app, ctx, parts)
  }
  mcpRoute(app, ctx, { routeContext, version, tools: features.flatMap(({ tools = [] }) => tools) })
}
