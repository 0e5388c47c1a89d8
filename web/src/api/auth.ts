/**
 * Signing in and all that belongs to it: what the sign-in server under /auth answers, and what its refusals are called
 * here. Its answers have no envelope; a refusal is `{code, message}` in English, so the words are ours, by code. What the
 * rate limit in front of it refuses (too many tries) comes as everywhere, with words of its own.
 */
import { NamewrightError } from '@namewright/client'
import { say } from '../i18n/i18n.ts'
import type { TextId } from '../i18n/i18n.ts'
import { refusalOf, send } from './settings.ts'
import type { Refused } from './settings.ts'
import { withStepUp } from './step-up.ts'

const TEXTS = {
  INVALID_EMAIL_OR_PASSWORD: 'welcome.wrongCredentials',
  INVALID_PASSWORD: 'welcome.wrongPassword',
  INVALID_EMAIL: 'welcome.emailNeeded',
  VALIDATION_ERROR: 'welcome.emailNeeded',
  EMAIL_NOT_VERIFIED: 'welcome.notVerified',
  PASSWORD_TOO_SHORT: 'welcome.passwordRule',
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
  UNAUTHORIZED: 'welcome.signedOut',
} as const satisfies Record<string, TextId>

/** Of WEAK_PASSWORD, by the rule that the password breaks. */
const RULES = {
  too_short: 'welcome.passwordRule',
  too_long: 'welcome.passwordLong',
  too_regular: 'welcome.passwordPattern',
  few_letters: 'welcome.passwordLetters',
  own_address: 'welcome.passwordAddress',
  too_common: 'welcome.passwordCommon',
} as const satisfies Record<string, TextId>

export type SignInReason = keyof typeof TEXTS

/** The sign-in server refused, for a reason that we know. */
export class SignInError extends NamewrightError {
  readonly reason: SignInReason

  constructor(reason: SignInReason, status = 400, text: TextId = TEXTS[reason]) {
    super('unexpected', status, say(text))
    this.reason = reason
  }
}

export function isRefusedFor(error: unknown, ...reasons: readonly SignInReason[]): boolean {
  return error instanceof SignInError && reasons.includes(error.reason)
}

/** With a body it is a POST, without one a GET. Rejects with a SignInError, a NamewrightError or a NetworkError. */
export function askAuth<Data = unknown>(path: `/${string}`, body?: object): Promise<Data> {
  return withStepUp(() => askAuthOnce<Data>(path, body))
}

async function askAuthOnce<Data>(path: `/${string}`, body?: object): Promise<Data> {
  const answer = await send(`/auth${path}`, body === undefined ? {} : { method: 'POST', body })
  const said = (await answer.json().catch(() => null)) as unknown
  if (answer.ok) return said as Data
  const { code, rule, ...refused } = (said ?? {}) as Refused & { code?: unknown; rule?: unknown }
  if (typeof code === 'string' && isReason(code)) throw new SignInError(code, answer.status, ruleText(rule))
  throw refused.error ? refusalOf(answer, refused) : unexplained(answer)
}

/** A newer server may have a rule that is not known here. */
function ruleText(rule: unknown): TextId | undefined {
  return typeof rule === 'string' && Object.hasOwn(RULES, rule) ? RULES[rule as keyof typeof RULES] : undefined
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

export const signInByPassword = (email: string, password: string) =>
  askAuth<SignedIn>('/sign-in/email', { email, password })

interface NewPerson {
  readonly name: string
  readonly email: string
  readonly password: string
  readonly language: string
}

/** `to`: the path of the page to go to after signing in, here and below. */
export const signUp = (person: NewPerson, to: string | undefined) =>
  askAuth('/sign-up/email', { ...person, callbackURL: pathOf(to) })

export const requestSignInLink = (email: string, to: string | undefined) =>
  askAuth('/sign-in/magic-link', { email, callbackURL: pathOf(to) })

const pathOf = (to: string | undefined) => to?.split(/[?#]/)[0] ?? '/'

export const sendVerification = (email: string) => askAuth('/send-verification-email', { email })

/** One field takes both: six digits are from the app, anything else is a recovery code. */
export function proveSecondFactor(given: string): Promise<unknown> {
  const code = given.replaceAll(/\s/g, '')
  return askAuth(/^\d{6}$/.test(code) ? '/two-factor/verify-totp' : '/two-factor/verify-backup-code', { code })
}
