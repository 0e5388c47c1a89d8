/**
 * Signing in and all that belongs to it: what the sign-in server under /auth answers, and what its refusals are called
 * here. Its answers have no envelope; a refusal is `{code, message}` in English, so the words are ours, by code. What the
 * door in front of it refuses (too many tries) comes as everywhere, with words of its own.
 */
import { NamewrightError } from 'namewright'
import { say } from '../i18n/i18n.ts'
import type { TextId } from '../i18n/i18n.ts'
import { refusalOf, send } from './settings.ts'
import type { Refused } from './settings.ts'

const TEXTS = {
  INVALID_EMAIL_OR_PASSWORD: 'welcome.wrongCredentials',
  INVALID_PASSWORD: 'welcome.wrongPassword',
  INVALID_EMAIL: 'welcome.emailNeeded',
  VALIDATION_ERROR: 'welcome.emailNeeded',
  EMAIL_NOT_VERIFIED: 'welcome.notVerified',
  PASSWORD_TOO_SHORT: 'welcome.passwordShort',
  PASSWORD_TOO_LONG: 'welcome.passwordLong',
  WEAK_PASSWORD: 'welcome.passwordWeak',
  CREDENTIAL_ACCOUNT_NOT_FOUND: 'welcome.noPassword',
  INVALID_CODE: 'welcome.wrongCode',
  INVALID_BACKUP_CODE: 'welcome.wrongCode',
  ACCOUNT_TEMPORARILY_LOCKED: 'welcome.codeLocked',
  INVALID_TWO_FACTOR_COOKIE: 'welcome.codeOver',
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: 'welcome.codeOver',
  TOTP_ALREADY_ENABLED: 'welcome.secondFactorOn',
  PASSKEY_NOT_FOUND: 'welcome.passkeyUnknown',
  AUTHENTICATION_FAILED: 'welcome.passkeyFailed',
  CHALLENGE_NOT_FOUND: 'welcome.passkeyFailed',
  FAILED_TO_VERIFY_REGISTRATION: 'welcome.passkeyFailed',
  USER_NOT_VERIFIED: 'welcome.passkeyUnlocked',
  PREVIOUSLY_REGISTERED: 'welcome.passkeyKnown',
  SESSION_NOT_FRESH: 'welcome.signInAgain',
  UNAUTHORIZED: 'welcome.signedOut',
} as const satisfies Record<string, TextId>

export type SignInReason = keyof typeof TEXTS

/** The sign-in server refused, for a reason that we know. */
export class SignInError extends NamewrightError {
  readonly reason: SignInReason

  constructor(reason: SignInReason, status = 400) {
    super('unexpected', status, say(TEXTS[reason]))
    this.reason = reason
  }
}

export function isRefusedFor(error: unknown, ...reasons: readonly SignInReason[]): boolean {
  return error instanceof SignInError && reasons.includes(error.reason)
}

/** With a body it is a POST, without one a GET. Rejects with a SignInError, a NamewrightError or a NetworkError. */
export async function askAuth<Data = unknown>(path: `/${string}`, body?: object): Promise<Data> {
  const answer = await send(`/auth${path}`, body === undefined ? {} : { method: 'POST', body })
  const said = (await answer.json().catch(() => null)) as unknown
  if (answer.ok) return said as Data
  const { code, ...refused } = (said ?? {}) as Refused & { code?: unknown }
  if (typeof code === 'string' && isReason(code)) throw new SignInError(code, answer.status)
  throw refused.error ? refusalOf(answer, refused) : unexplained(answer)
}

function isReason(code: string): code is SignInReason {
  return Object.hasOwn(TEXTS, code)
}

function unexplained({ status }: Response): NamewrightError {
  return new NamewrightError('unexpected', status, say('welcome.signInFailed'))
}

export interface SignedIn {
  /** The password was right, and a code is wanted as well. */
  readonly twoFactorRedirect?: boolean
}

/** Where the link of a letter that confirms an address leads. */
const CONFIRMED = '/verify-email?done=1'

export const signInByPassword = (email: string, password: string) =>
  askAuth<SignedIn>('/sign-in/email', { email, password, callbackURL: CONFIRMED })

export const signUp = (person: { name: string; email: string; password: string; language: string }) =>
  askAuth('/sign-up/email', { ...person, callbackURL: CONFIRMED })

export const sendVerification = (email: string) =>
  askAuth('/send-verification-email', { email, callbackURL: CONFIRMED })

/** One field takes both: six digits are from the app, anything else is a recovery code. */
export function proveSecondFactor(given: string): Promise<unknown> {
  const code = given.replaceAll(/\s/g, '')
  return askAuth(/^\d{6}$/.test(code) ? '/two-factor/verify-totp' : '/two-factor/verify-backup-code', { code })
}
