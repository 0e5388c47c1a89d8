/**
 * What every request goes through before its route, and what every response gets:
 *
 *   trace context → first headers → well-formed address → overload check → own address → token, scope, rate → body → schema
 *   → route → rate limit headers
 *
 * **CORS** protects what a browser adds by itself, which is cookies, and /v1 takes none: a page that has a key could as
 * well be a program. So pages of any origin may call the API and the token endpoint, without `Allow-Credentials`.
 * Everything that uses a person's cookie (/settings, the pages, the rest of /auth) stays closed. A preflight reveals
 * nothing: it needs no credential, makes no lookup and uses no quota.
 *
 * **DNS rebinding**: /mcp refuses requests that a foreign page sends through a visitor's browser, whatever name it has
 * given to our address, before the credential is checked. Only browsers send an Origin, and it must be ours. The Host
 * must be the name in our public address, or one that no stranger can make point to us: an IP address, or a name without
 * a dot, as used by the machine itself, a container or a proxy beside us.
 */
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { ApiError } from '../model/errors.ts'
import { makeId } from '../model/id.ts'
import { withTraceContext, type TraceContext } from '../platform/tracing/trace-context.ts'
import { createAuth, createLimitHeaders } from './auth.ts'
import { discardBody } from './discard-body.ts'
import type { Readiness } from './feature.ts'
import { openOverload, type Overload } from './overload/overload.ts'
import { marksOf } from './sandbox.ts'

declare module 'fastify' {
  interface FastifyRequest {
    traceContext: TraceContext | undefined
  }
  interface FastifyContextConfig {
    /** Accept only requests to our own address, and from no page but our own. */
    ownAddress?: true
  }
}

const JSON_TYPE = 'application/json; charset=utf-8'
const NOTHING = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'"
const SANE_ID = /^[\w.:-]{1,128}$/
const OUR_FAULT = 500

/** The id that the caller sent, or one of ours. */
export function createRequestIds(now: () => number) {
  return ({ headers }: IncomingMessage): string => {
    const sent = headers['x-request-id']
    return typeof sent === 'string' && SANE_ID.test(sent) ? sent : makeId(now())
  }
}

/** RFC 9112 §3.2.2: "a server MUST accept the absolute-form in requests". We treat it as the same address. */
export function inOriginForm({ url = '/' }: Pick<IncomingMessage, 'url'>): string {
  return url.replace(/^https?:\/\/[^/?#]*(?=\/)/i, '')
}

export function openGate(
  app: FastifyInstance,
  ctx: Context,
  { isSecure, readiness }: { readonly isSecure: boolean; readonly readiness: Readiness },
): Overload {
  traceRequests(app, ctx)
  const marks = marksOf(ctx.config)
  app.addHook('onRequest', async (request, reply) => {
    writeFirstHeaders(request, reply.headers(marks), isSecure)
    requireWellFormed(request)
  })
  answerPreflights(app)
  const overload = openOverload(app, ctx)
  app.addHook('onRequest', (request, reply) => overload.admit(request, reply))
  const { publicUrl } = ctx.config
  const ours = publicUrl === '' ? undefined : new URL(publicUrl)
  app.addHook('onRequest', async (request) => {
    if (request.routeOptions.config.ownAddress) requireOwnAddress(request, ours)
  })
  app.addHook('onRequest', createAuth(ctx))
  // After the hooks of the routes, of which those of the settings find the person.
  app.addHook('preParsing', (request, reply) => overload.admitCaller(request, reply))
  app.addHook('preParsing', (request, reply, payload) => overload.awaitBody(request, reply, payload))
  app.addHook('preValidation', (request, reply) => overload.resume(request, reply))
  const writeLimits = createLimitHeaders(ctx)
  app.addHook('onSend', async (request, reply) => {
    if (request.session) await writeLimits(reply, request.session)
    // A connection that is kept alive would keep the closing node alive with it.
    if (readiness.draining) reply.header('Connection', 'close')
    const isClosing = !reply.raw.shouldKeepAlive || reply.getHeader('connection') === 'close'
    if (isClosing && !request.raw.complete) {
      if (reply.statusCode >= 400) overload.leave(request)
      await discardBody(request.raw)
    }
  })
  return overload
}

/**
 * Gives every request a trace context: its id and, if it is recorded, its span. Logs and work of the request carry both.
 * A body arrives on events of the connection, which belong to no request, so the trace context is restored after it.
 */
function traceRequests(app: FastifyInstance, { tracing, log, config }: Context): void {
  const { errors, share } = config.accessLog
  const isLogged = (status: number) => (errors && status >= OUR_FAULT) || (share > 0 && Math.random() < share)
  app.decorateRequest('traceContext', undefined)

  app.addHook('onRequest', (request, reply, done) => {
    const span = tracing?.request(request.headers.traceparent)
    const traceContext: TraceContext = { requestId: request.id, span }
    request.traceContext = traceContext
    if (span !== undefined || errors || share > 0) {
      const startedAt = performance.now()
      // Also when the caller disconnects, which the framework does not report as a response.
      reply.raw.once('close', () => {
        const { statusCode: status, writableFinished } = reply.raw
        const { method } = request
        // The pattern, never the path, which contains ids and caller input.
        const route = request.routeOptions.url ?? 'none'
        if (isLogged(status)) {
          const ms = Math.round((performance.now() - startedAt) * 10) / 10
          const hungUp = writableFinished ? {} : { hung_up: true }
          withTraceContext(traceContext, () => log.info({ method, route, status, ms, ...hungUp }, 'request'))
        }
        if (span === undefined) return
        span.name = `${method} ${route}`
        span.setAttributes({
          'http.request.method': method,
          'http.route': route,
          'http.response.status_code': status,
          'namewright.request_id': request.id,
          'namewright.hung_up': writableFinished ? undefined : true,
        })
        if (status >= OUR_FAULT) span.recordError(String(status))
        span.end()
      })
    }
    withTraceContext(traceContext, done)
  })

  app.addHook('preValidation', (request, _reply, done) => {
    withTraceContext(request.traceContext, done)
  })
}

/** Set before anything can fail, so that a page can read an error response, too. */
function writeFirstHeaders({ id, url }: FastifyRequest, reply: FastifyReply, isSecure: boolean): void {
  reply.header('X-Request-Id', id).header('X-Content-Type-Options', 'nosniff').type(JSON_TYPE)
  // The default for responses that are not pages. A page sets its own policy.
  reply.header('Content-Security-Policy', NOTHING)
  if (isSecure) reply.header('Strict-Transport-Security', 'max-age=31536000; includeSubDomains')
  const isApi = url.startsWith('/v1/')
  if (isApi) reply.header('Cache-Control', 'no-store')
  if (isApi || url.split('?')[0] === TOKEN) showToPages(reply)
}

function requireWellFormed({ url, raw, headers }: FastifyRequest): void {
  // No URI contains a backslash (RFC 3986 §3.3), and a second parser would read it as a slash.
  if (url.split('?')[0]?.includes('\\')) throw new ApiError('malformed_http')
  // RFC 9112 §3.2 requires both to be refused. Node would refuse a missing host without a body, and use the first of
  // several.
  if (raw.httpVersion === '1.1' && headers.host === undefined) throw new ApiError('malformed_http')
  if (hasSeveralHosts(raw.rawHeaders)) throw new ApiError('malformed_http')
}

/** `rawHeaders`: names and values alternate. */
function hasSeveralHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) if (/^host$/i.test(rawHeaders[at] ?? '')) hosts++
  return hosts > 1
}

const TOKEN = '/auth/oauth2/token'

const ALLOWED_METHODS = 'GET, POST, PATCH, DELETE'
const ALLOWED_HEADERS = 'authorization, content-type, accept, accept-language, idempotency-key, x-request-id'
const EXPOSED_HEADERS =
  'x-request-id, ratelimit, ratelimit-policy, retry-after, idempotent-replayed, content-language, link, location, namewright-sandbox'
// The longest that Chromium caches a preflight. Another search within two hours saves one round trip.
const REMEMBERED_SECONDS = 7200

export function answerPreflights(app: FastifyInstance): void {
  for (const path of ['/v1/*', TOKEN]) {
    app.options(path, (_request, reply) =>
      reply
        .code(204)
        .header('Access-Control-Allow-Methods', ALLOWED_METHODS)
        .header('Access-Control-Allow-Headers', ALLOWED_HEADERS)
        .header('Access-Control-Max-Age', REMEMBERED_SECONDS)
        .removeHeader('Content-Type')
        .send(),
    )
  }
}

export function showToPages(reply: FastifyReply): void {
  reply.header('Access-Control-Allow-Origin', '*').header('Access-Control-Expose-Headers', EXPOSED_HEADERS)
}

function requireOwnAddress({ headers: { origin }, host }: FastifyRequest, ours: URL | undefined): void {
  if (origin !== undefined && origin !== ours?.origin) throw new ApiError('cross_site')
  const name = nameOf(host)
  if (name === undefined || !(name === ours?.hostname || isNobodys(name))) throw new ApiError('wrong_host')
}

/** The host without port and final dot; undefined if there is none. Only HTTP/1.0 may omit it, and no browser does. */
function nameOf(host: string): string | undefined {
  if (host === '') return 'localhost'
  return URL.parse(`http://${host}`)?.hostname.replace(/\.$/, '')
}

function isNobodys(name: string): boolean {
  return !name.includes('.') || isIP(name) !== 0
}
