/**
 * Authenticates the Authorization header: finds a Caller that has the scope and is within its rate limit.
 *
 * Refusals come in this order: no token, a malformed token, too many unknown tokens from this address, an unknown token, the
 * limits of a visitor, a missing scope, a rate limit that is used up. The body has not been read at that point.
 *
 * The response tells what remains of the limits. Of a key without a recent lease in Redis the budgets are read from the
 * ledger, after the work, and cached for a short time, so that a key that only reads does not cost a statement with every
 * response. That must never fail and never delay a response because of the database: then the headers omit the budgets.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Context } from '../context.ts'
import { ApiError } from '../model/errors.ts'
import type { Audience, Caller, KeyId, Scope } from '../model/caller.ts'
import { accountBurstOf, leftOf } from '../model/plan.ts'
import { addressSubject, createLocalBuckets } from '../platform/limits/limits.ts'
import type { Access } from './access.ts'
import { admitVisitor } from './visitors.ts'
import { rateLimited } from './within-limits.ts'

declare module 'fastify' {
  interface FastifyRequest {
    session: Session | null
  }
}

type Pass = Awaited<ReturnType<Context['quota']['admit']>>

export interface Session {
  readonly caller: Caller
  readonly pass: Pass
  /** Suggestions that this request has used, for the numbers in its own headers. */
  spent: number
}

// Anybody can make texts with a valid checksum, and each that was not seen before costs a read of the database and a place
// in the credential cache. An address may send this many unknown ones at once at a node, and one more every six seconds.
const UNKNOWN_TOKENS = { burst: 100, stepMs: 6_000 }

export function createAuth(ctx: Context) {
  const takeUnknown = createLocalBuckets(ctx.now)

  /** Only tokens that were not found count, so that others behind the same address keep working. */
  async function verifyWithinLimit(request: FastifyRequest, audience: Audience): Promise<Caller> {
    const token = bearerOf(request.headers.authorization)
    if (!ctx.keys.isUnseen(token)) return verify(ctx, request, audience)
    const subject = addressSubject(request.ip)
    const { remaining } = takeUnknown(subject, { ...UNKNOWN_TOKENS, cost: 0 })
    if (remaining === 0) throw rateLimited(UNKNOWN_TOKENS.stepMs)
    try {
      return await verify(ctx, request, audience)
    } catch (error) {
      if (error instanceof ApiError && error.code === 'invalid_token') takeUnknown(subject, UNKNOWN_TOKENS)
      throw error
    }
  }

  return async function authenticate(request: FastifyRequest): Promise<void> {
    const access: Access | undefined = request.routeOptions.config.access
    if (access?.by !== 'token') return
    const { audience } = access
    const caller = await verifyWithinLimit(request, audience)
    if (caller.isPublishable) await admitVisitor(ctx, { ip: request.ip, caller })
    const pass = await ctx.quota.admit(caller)
    request.session = { caller, pass, spent: 0 }
    if (audience === 'v1') requireScope(caller, access.scope)
    if (!pass.allowed) throw rateLimited(pass.retryMs)
  }
}

/** Verifies the credential of a running request again. Does not count against the rate limit. */
export async function verifyAgain(ctx: Context, request: FastifyRequest): Promise<void> {
  const access: Access | undefined = request.routeOptions.config.access
  if (access?.by !== 'token') return
  const caller = await verify(ctx, request, access.audience)
  if (access.audience === 'v1') requireScope(caller, access.scope)
}

function verify(ctx: Context, request: FastifyRequest, audience: Audience): Promise<Caller> {
  const { ip, headers } = request
  return ctx.keys.verify(bearerOf(headers.authorization), { ip, audience, origin: originOf(ctx, request) })
}

export function requireScope(caller: Caller, scope: Scope): void {
  if (!caller.scopes.includes(scope)) throw new ApiError('insufficient_scope', { params: { scope } })
}

/** The session of a route that requires a token. */
export function sessionOf(request: FastifyRequest): Session {
  if (!request.session) throw new Error('this route requires no token, so there is no authenticated caller')
  return request.session
}

/** RFC 6750 and RFC 9728: what a client needs to know to get a token. */
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

const KEPT_MS = 10_000
const MAX_KEPT = 10_000

type Budgets = Pick<Pass, 'budget' | 'account'>

/** Writes the headers of a session into its response. */
export function createLimitHeaders(ctx: Pick<Context, 'quota' | 'db' | 'now'>) {
  const kept = new LRUCache<KeyId, { readonly budgets: Budgets; readonly until: number }>({ max: MAX_KEPT })

  async function read({ caller, pass, spent }: Session): Promise<Budgets> {
    const { accountId, keyId, quota, plan } = caller
    const known = kept.get(keyId)
    if (known && spent === 0 && ctx.now() < known.until) return known.budgets
    const used = await ctx.quota.usage(accountId, { keyId, days: 1 })
    const ofPlan = { perDay: plan?.namesPerDay ?? null, perMonth: plan?.namesPerMonth ?? null }
    // The ledger already includes what this request has used, and writing the headers subtracts it once more.
    const budgetOf = ({ day, month }: ReturnType<typeof leftOf>) => ({
      ...(day === null ? {} : { day: day + spent }),
      ...(month === null ? {} : { month: month + spent }),
    })
    const account = { ...pass.account, budget: budgetOf(leftOf(ofPlan, used.account)) }
    const budgets = { budget: budgetOf(leftOf(quota, used.key)), account }
    if (spent === 0) kept.set(keyId, { budgets, until: ctx.now() + KEPT_MS })
    return budgets
  }

  return async function writeHeaders(reply: FastifyReply, session: Session): Promise<void> {
    const { caller, pass } = session
    const { perDay, perMonth } = caller.quota
    const limits = [perDay, perMonth, caller.plan?.namesPerDay ?? null, caller.plan?.namesPerMonth ?? null]
    const isKnown = pass.budget !== undefined || limits.every((limit) => limit === null)
    const budgets = isKnown || ctx.db.isPrimaryDown() ? undefined : await read(session).catch(() => undefined)
    writeLimits(reply, { ...session, pass: { ...pass, ...budgets } }, ctx.now())
  }
}

const DAY_SECONDS = 86_400

/** draft-ietf-httpapi-ratelimit-headers: the policies of the key and of its account, and what remains of each. */
function writeLimits(reply: FastifyReply, { caller, pass, spent }: Session, now: number): void {
  const { perMinute, burst, perDay, perMonth } = caller.quota
  const at = new Date(now)
  const secondsTo = (ms: number) => Math.max(1, Math.ceil((ms - now) / 1000))
  const tomorrow = Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate() + 1)
  const nextMonth = Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1)
  const thisMonth = Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1)
  // The burst, and the seconds in which it is full again. `r` and `t` describe the same bucket.
  const rateOf = (requests: number, most: number) => `q=${most};w=${Math.max(1, Math.ceil((most * 60) / requests))}`
  const policies = [`"rate";${rateOf(perMinute, burst)}`]
  const left = [`"rate";r=${pass.remaining};t=${Math.ceil(pass.resetMs / 1000)}`]
  const add = (name: string, quota: number | null, remaining: number | undefined, window: number, resetMs: number) => {
    if (quota === null) return
    policies.push(`"${name}";q=${quota};w=${window}`)
    if (remaining !== undefined) left.push(`"${name}";r=${Math.max(0, remaining - spent)};t=${secondsTo(resetMs)}`)
  }
  const monthSeconds = (nextMonth - thisMonth) / 1000
  add('day', perDay, pass.budget?.day, DAY_SECONDS, tomorrow)
  add('month', perMonth, pass.budget?.month, monthSeconds, nextMonth)
  const { requestsPerMinute = null, namesPerDay = null, namesPerMonth = null } = caller.plan ?? {}
  const { rate, budget } = pass.account ?? {}
  if (requestsPerMinute !== null)
    policies.push(`"account-rate";${rateOf(requestsPerMinute, accountBurstOf(requestsPerMinute))}`)
  if (rate) left.push(`"account-rate";r=${rate.remaining};t=${Math.ceil(rate.resetMs / 1000)}`)
  add('account-day', namesPerDay, budget?.day, DAY_SECONDS, tomorrow)
  add('account-month', namesPerMonth, budget?.month, monthSeconds, nextMonth)
  reply.header('RateLimit-Policy', policies.join(', ')).header('RateLimit', left.join(', '))
}

/**
 * A page that reads from its own origin sends no Origin (Fetch §3.2), but its browser marks the request as same-origin.
 */
function originOf(ctx: Context, { headers }: FastifyRequest): string | undefined {
  return headers.origin ?? (headers['sec-fetch-site'] === 'same-origin' ? new URL(ctx.publicUrl).origin : undefined)
}

function bearerOf(header: string | undefined): string {
  const token = /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1]
  if (token === undefined) throw new ApiError('missing_token')
  return token
}
