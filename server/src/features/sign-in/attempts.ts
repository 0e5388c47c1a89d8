/**
 * The closed list of endpoints under /auth, each with its rate limits.
 *
 * Limits count by IP address and, where the request names a target (an email address, an application), by that target.
 * Many passwords for one person are stopped from every address; many people from one address are stopped for everybody.
 * Limits are taken before the request is inspected, so a refusal reveals nothing about a person. The limit of the
 * address needs no body, so it is taken before the body is read.
 */
import type { AttemptLimit } from '../../http/within-limits.ts'

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

/** For a page, which takes the same limits as the endpoint that does the same. */
export function attempt(name: string): { readonly name: string; readonly limit: AttemptLimit } {
  const limit = ATTEMPT_LIMITS[name]
  if (!limit) throw new Error(`there is no limit bucket ${name}`)
  return { name, limit }
}
