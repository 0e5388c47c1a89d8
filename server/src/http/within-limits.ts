/** Limits that routes take, and the 429 for one that is used up, with the time to wait in whole seconds. */
import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { addressSubject } from '../platform/limits/limits.ts'
import { ApiError } from '../model/errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What the route takes for every request. */
    limit?: AttemptLimit
  }
}

/** Attempts per hour, and the burst. */
export interface AttemptLimit {
  readonly address: readonly [perHour: number, burst: number]
  /** The body field that names the target of the attempt. */
  readonly meant?: readonly [field: string, perHour: number, burst: number]
  /** Requires a recent step-up: a session left open must not be enough. */
  readonly stepUp?: true
  /** Checks the password of the signed-in person. Limited, so that a stolen session cannot guess it. */
  readonly guess?: true
}

type LimitBuckets = Parameters<Context['limits']['take']>[0]

/** Fails with rate_limited. */
export async function requireWithin(ctx: Context, buckets: LimitBuckets): Promise<void> {
  const { allowed, retryMs } = await ctx.limits.take(buckets)
  if (!allowed) throw rateLimited(retryMs)
}

export function rateLimited(retryMs: number): ApiError {
  return new ApiError('rate_limited', { retryAfter: Math.max(1, Math.ceil(retryMs / 1000)) })
}

type AttemptForm = ReadonlyMap<string, unknown>

export async function takeLimits(
  ctx: Context,
  request: FastifyRequest,
  { name, limit, form }: { name: string; limit: AttemptLimit; form: AttemptForm },
): Promise<void> {
  await requireWithin(ctx, [...addressLimit(request, name, limit), ...meantLimit(request, name, limit, form)])
}

export async function takeAddressLimit(
  ctx: Context,
  request: FastifyRequest,
  name: string,
  limit: AttemptLimit,
): Promise<void> {
  await requireWithin(ctx, addressLimit(request, name, limit))
}

export async function takeMeantLimit(
  ctx: Context,
  request: FastifyRequest,
  { name, limit, form }: { name: string; limit: AttemptLimit; form: AttemptForm },
): Promise<void> {
  await requireWithin(ctx, meantLimit(request, name, limit, form))
}

function addressLimit(request: FastifyRequest, name: string, { address: [perHour, burst] }: AttemptLimit) {
  return [{ name, subject: addressSubject(request.ip), perHour, burst }]
}

function meantLimit(request: FastifyRequest, name: string, { meant: limit }: AttemptLimit, form: AttemptForm) {
  if (!limit) return []
  const [field, perHour, burst] = limit
  // Better Auth reads the last value of a repeated field.
  const meant = [form.get(field)].flat().at(-1) ?? (field === 'client_id' ? basicUserOf(request) : undefined)
  const subject = typeof meant === 'string' ? meant.trim().toLowerCase() : ''
  return subject === '' ? [] : [{ name, subject, perHour, burst }]
}

/** RFC 6749 §2.3.1: an application sends its id in the form or by Basic authentication. */
function basicUserOf({ headers }: FastifyRequest): string | undefined {
  const given = /^Basic +([\w+/=]+) *$/i.exec(headers.authorization ?? '')?.[1]
  return given === undefined ? undefined : Buffer.from(given, 'base64').toString().split(':')[0]
}
