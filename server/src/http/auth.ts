/**
 * From the Authorization header to a Caller who may do this, now.
 *
 * The order is the order of what is cheapest to refuse: no token, a token that cannot be one, an unknown one, one
 * without the scope, one that calls too often. The body has not been read at that point.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { ApiError } from '../errors.ts'
import type { Caller, Scope } from '../model/caller.ts'
import type { Pass } from '../quota/quota.ts'

declare module 'fastify' {
  interface FastifyRequest {
    session: Session | null
  }
  interface FastifyContextConfig {
    scope?: Scope
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
    const scope = request.routeOptions.config.scope
    if (scope === undefined) return
    const caller = await ctx.keys.verify(bearerOf(request.headers.authorization), request.ip)
    const pass = await ctx.quota.admit(caller)
    request.session = { caller, pass, spent: 0 }
    if (!caller.scopes.includes(scope)) throw new ApiError('insufficient_scope', { params: { scope } })
    if (!pass.allowed) throw new ApiError('rate_limited', { retryAfter: Math.max(1, Math.ceil(pass.retryMs / 1000)) })
  }
}

/** The session of a route that has a scope. */
export function sessionOf(request: FastifyRequest): Session {
  if (!request.session) throw new Error('this route has no scope, so nobody was authenticated')
  return request.session
}

/** RFC 6750: what a client needs to know to come back with a token. */
export function challengeOf(error: ApiError): string | undefined {
  if (error.code === 'missing_token') return 'Bearer realm="namewright"'
  if (error.code === 'invalid_token' || error.code === 'expired_token')
    return 'Bearer realm="namewright", error="invalid_token"'
  const { scope } = error.detail.params ?? {}
  return error.code === 'insufficient_scope'
    ? `Bearer realm="namewright", error="insufficient_scope", scope="${scope}"`
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

function bearerOf(header: string | undefined): string {
  const token = /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1]
  if (token === undefined) throw new ApiError('missing_token')
  return token
}
