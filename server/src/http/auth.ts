/**
 * From the Authorization header to a Caller who may do this, now.
 *
 * The order is the order of what is cheapest to refuse: no token, a token that cannot be one, an unknown one, one
 * without the scope, one that calls too often. The body has not been read at that point.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { ApiError } from '../errors.ts'
import type { Audience, Caller, Scope } from '../model/caller.ts'
import type { Pass } from '../quota/quota.ts'
import { admitVisitor } from './visitors.ts'
import { rateLimited } from './within-limits.ts'

declare module 'fastify' {
  interface FastifyRequest {
    session: Session | null
  }
  interface FastifyContextConfig {
    scope?: Scope
    /** Who a token must be for; `v1` where only a scope is named. A route without a scope checks that itself. */
    audience?: Audience
  }
}

export interface Session {
  readonly caller: Caller
  readonly pass: Pass
  /** Suggestions that this request has spent, for the numbers in its own headers. */
  spent: number
}

export function createAuth(ctx: Context) {
  return async function authenticate(request: FastifyRequest): Promise<void> {
    const { scope, audience = scope && 'v1' } = request.routeOptions.config
    if (audience === undefined) return
    const { authorization } = request.headers
    const origin = originOf(ctx, request)
    const caller = await ctx.keys.verify(bearerOf(authorization), { ip: request.ip, audience, origin })
    if (caller.isPublishable) await admitVisitor(ctx, request, caller)
    const pass = await ctx.quota.admit(caller)
    request.session = { caller, pass, spent: 0 }
    if (scope !== undefined) requireScope(caller, scope)
    if (!pass.allowed) throw rateLimited(pass.retryMs)
  }
}

export function requireScope(caller: Caller, scope: Scope): void {
  if (!caller.scopes.includes(scope)) throw new ApiError('insufficient_scope', { params: { scope } })
}

/** The session of a route that has a scope or an audience. */
export function sessionOf(request: FastifyRequest): Session {
  if (!request.session) throw new Error('this route has no scope, so nobody was authenticated')
  return request.session
}

/** RFC 6750 and RFC 9728: what a client needs to know to come back with a token. */
export function challengeOf(error: ApiError, publicUrl: string, audience: Audience = 'v1'): string | undefined {
  const realm = 'Bearer realm="namewright"'
  const metadata = `resource_metadata="${publicUrl}/.well-known/oauth-protected-resource/${audience}"`
  if (error.code === 'missing_token') return `${realm}, ${metadata}`
  if (error.code === 'invalid_token' || error.code === 'expired_token')
    return `${realm}, error="invalid_token", ${metadata}`
  const { scope } = error.detail.params ?? {}
  return error.code === 'insufficient_scope'
    ? `${realm}, error="insufficient_scope", scope="${scope}", ${metadata}`
    : undefined
}

/** draft-ietf-httpapi-ratelimit-headers: policies and what is left of them, as structured fields. */
export function writeLimits(reply: FastifyReply, { caller, pass, spent }: Session, now: number): void {
  const { perMinute, perDay, perMonth } = caller.quota
  const at = new Date(now)
  const secondsTo = (ms: number) => Math.max(1, Math.ceil((ms - now) / 1000))
  const tomorrow = Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate() + 1)
  const nextMonth = Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1)
  const thisMonth = Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1)
  const policies = [`"rate";q=${perMinute};w=60`]
  const left = [`"rate";r=${pass.remaining};t=${Math.ceil(pass.resetMs / 1000)}`]
  const add = (name: string, quota: number | null, remaining: number | undefined, window: number, resetMs: number) => {
    if (quota === null) return
    policies.push(`"${name}";q=${quota};w=${window}`)
    if (remaining !== undefined) left.push(`"${name}";r=${Math.max(0, remaining - spent)};t=${secondsTo(resetMs)}`)
  }
  add('day', perDay, pass.budget?.day, 86_400, tomorrow)
  add('month', perMonth, pass.budget?.month, (nextMonth - thisMonth) / 1000, nextMonth)
  reply.header('RateLimit-Policy', policies.join(', ')).header('RateLimit', left.join(', '))
}

/** A page that reads from its own origin does not name it (Fetch §3.2), but its browser says that it is the same. */
function originOf(ctx: Context, { headers }: FastifyRequest): string | undefined {
  return headers.origin ?? (headers['sec-fetch-site'] === 'same-origin' ? new URL(ctx.publicUrl).origin : undefined)
}

function bearerOf(header: string | undefined): string {
  const token = /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1]
  if (token === undefined) throw new ApiError('missing_token')
  return token
}
