/**
 * The closed list of what people and applications may ask under /auth, each with its limits.
 *
 * Limits count by address, and by who is meant where the request says so (a mail address, an application): whoever
 * tries many passwords for one person is stopped from every address, and whoever tries many people from one address is
 * stopped for everybody. They are taken before the request is looked at, so a refusal says nothing about anybody.
 */
import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { addressSubject } from '../limits/limits.ts'
import { requireWithin } from './within-limits.ts'

/** Attempts an hour, and how many may come at once. */
export interface Limit {
  readonly address: readonly [perHour: number, burst: number]
  /** The field of the body that says who is meant. */
  readonly meant?: readonly [field: string, perHour: number, burst: number]
  /** Only for somebody who has just signed in: a session left open must not be enough. */
  readonly recent?: true
}

const LOOKING: Limit = { address: [6_000, 600] }
const CHANGING: Limit = { address: [600, 60] }
const PROVING: Limit = { address: [120, 30], meant: ['email', 20, 10] }
const SENDING: Limit = { address: [30, 10], meant: ['email', 6, 3] }
const SECOND: Limit = { address: [60, 20] }
const TOKENS: Limit = { address: [6_000, 600], meant: ['client_id', 3_600, 120] }

export const DOORS: Readonly<Record<string, Limit>> = {
  'GET /get-session': LOOKING,
  'POST /sign-up/email': SENDING,
  'POST /sign-in/email': PROVING,
  'POST /sign-in/social': CHANGING,
  'GET /callback/:provider': { address: [120, 30] },
  'POST /sign-out': CHANGING,
  'GET /verify-email': CHANGING,
  'POST /send-verification-email': SENDING,
  'POST /request-password-reset': SENDING,
  'POST /reset-password': SECOND,
  'POST /change-password': SECOND,
  'POST /two-factor/enable': SECOND,
  'POST /two-factor/disable': SECOND,
  'POST /two-factor/get-totp-uri': SECOND,
  'POST /two-factor/verify-totp': SECOND,
  'POST /two-factor/verify-backup-code': SECOND,
  'POST /two-factor/generate-backup-codes': SECOND,
  'GET /passkey/generate-register-options': CHANGING,
  'POST /passkey/verify-registration': SECOND,
  'GET /passkey/generate-authenticate-options': CHANGING,
  'POST /passkey/verify-authentication': SECOND,
  'GET /passkey/list-user-passkeys': LOOKING,
  'POST /passkey/delete-passkey': { ...CHANGING, recent: true },
  'POST /passkey/update-passkey': { ...CHANGING, recent: true },
  'GET /oauth2/authorize': CHANGING,
  'POST /oauth2/authorize': CHANGING,
  'POST /oauth2/token': TOKENS,
  'POST /oauth2/revoke': TOKENS,
  'POST /oauth2/introspect': TOKENS,
  'POST /oauth2/register': { address: [60, 20] },
}

/** A page that does the same as a door takes the same limits. */
export async function takeLimits(
  ctx: Context,
  request: FastifyRequest,
  { name, limit = DOORS[name], form }: { name: string; limit?: Limit | undefined; form: ReadonlyMap<string, unknown> },
): Promise<void> {
  if (!limit) throw new Error(`there is no door ${name}`)
  const [perHour, burst] = limit.address
  const doors = [{ name, subject: addressSubject(request.ip), perHour, burst }]
  if (limit.meant) {
    const [field, meantPerHour, meantBurst] = limit.meant
    // Of a field that is repeated Better Auth reads the last.
    const meant = [form.get(field)].flat().at(-1) ?? (field === 'client_id' ? basicUserOf(request) : undefined)
    const subject = typeof meant === 'string' ? meant.trim().toLowerCase() : ''
    if (subject !== '') doors.push({ name, subject, perHour: meantPerHour, burst: meantBurst })
  }
  await requireWithin(ctx, doors)
}

/** RFC 6749 §2.3.1: an application names itself in the form or by Basic authentication. */
function basicUserOf({ headers }: FastifyRequest): string | undefined {
  const given = /^Basic +([\w+/=]+) *$/i.exec(headers.authorization ?? '')?.[1]
  return given === undefined ? undefined : Buffer.from(given, 'base64').toString().split(':')[0]
}
