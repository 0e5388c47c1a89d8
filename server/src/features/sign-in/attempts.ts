/**
 * The closed list of endpoints under /auth, each with its rate limits.
 *
 * Limits count by IP address and, where the request names a target (an email address, an application), by that target.
 * Many passwords for one person are stopped from every address; many people from one address are stopped for everybody.
 * Limits are taken before the request is inspected, so a refusal reveals nothing about a person. The limit of the
 * address needs no body, so it is taken before the body is read.
 */
import type { FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { addressSubject } from '../../platform/limits/limits.ts'
import { requireWithin } from '../../http/within-limits.ts'

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

const READING: AttemptLimit = { address: [6_000, 600] }
const CHANGING: AttemptLimit = { address: [600, 60] }
const PROVING: AttemptLimit = { address: [120, 30], meant: ['email', 20, 10] }
const SENDING: AttemptLimit = { address: [30, 10], meant: ['email', 6, 3] }
const SECOND: AttemptLimit = { address: [60, 20] }
const TOKENS: AttemptLimit = { address: [6_000, 600], meant: ['client_id', 3_600, 120] }

export const ATTEMPT_LIMITS: Readonly<Record<string, AttemptLimit>> = {
  'GET /get-session': READING,
  'POST /sign-up/email': SENDING,
  'POST /sign-in/email': PROVING,
  'POST /sign-in/magic-link': SENDING,
  'POST /sign-in/social': CHANGING,
  'GET /callback/:provider': { address: [120, 30] },
  'POST /sign-out': CHANGING,
  'POST /send-verification-email': SENDING,
  'POST /request-password-reset': SENDING,
  'POST /reset-password': SECOND,
  'POST /change-password': { ...SECOND, guess: true },
  'POST /two-factor/enable': { ...SECOND, guess: true },
  'POST /two-factor/disable': { ...SECOND, guess: true, stepUp: true },
  'POST /two-factor/get-totp-uri': { ...SECOND, guess: true, stepUp: true },
  'POST /two-factor/verify-totp': SECOND,
  'POST /two-factor/verify-backup-code': SECOND,
  'POST /two-factor/generate-backup-codes': { ...SECOND, guess: true, stepUp: true },
  'GET /passkey/generate-register-options': { ...CHANGING, stepUp: true },
  'POST /passkey/verify-registration': { ...SECOND, stepUp: true },
  'GET /passkey/generate-authenticate-options': CHANGING,
  'POST /passkey/verify-authentication': SECOND,
  'GET /passkey/list-user-passkeys': READING,
  'POST /passkey/delete-passkey': { ...CHANGING, stepUp: true },
  'POST /passkey/update-passkey': { ...CHANGING, stepUp: true },
  'GET /oauth2/authorize': CHANGING,
  'POST /oauth2/authorize': CHANGING,
  'POST /oauth2/token': TOKENS,
  'POST /oauth2/revoke': TOKENS,
  'POST /oauth2/introspect': TOKENS,
  'POST /oauth2/register': { address: [60, 20] },
}

type AttemptForm = ReadonlyMap<string, unknown>

/** A page takes the same limits as the endpoint that does the same. */
export async function takeLimits(
  ctx: Context,
  request: FastifyRequest,
  { name, limit = ATTEMPT_LIMITS[name], form }: { name: string; limit?: AttemptLimit | undefined; form: AttemptForm },
): Promise<void> {
  if (!limit) throw new Error(`there is no limit bucket ${name}`)
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
