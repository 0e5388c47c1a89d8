/**
 * The credentials of a client: an API key, OAuth 2.0 client credentials, or access tokens from a function of the caller.
 *
 * A token is requested once, kept until shortly before it expires, and shared: concurrent calls wait for the same token
 * request. Aborting one call does not abort that request for the others.
 */
import { orAborted } from './clock.ts'
import type { Deadline } from './clock.ts'
import { NamewrightError, refusalOf } from './errors.ts'
import { jsonOf, send, textOf } from './exchange.ts'
import type { Fetch } from './exchange.ts'
import { retryAfterMsOf } from './retry.ts'
import { startTries } from './tries.ts'
import type { Time } from './tries.ts'

/**
 * OAuth 2.0 client credentials of an application that is registered in the settings of an account.
 *
 * @example
 * ```ts
 * import type { ClientCredentials } from '@namewright/client'
 *
 * const nightly: ClientCredentials = { clientId: 'your-client', clientSecret: 'its-secret', scopes: ['history:read'] }
 * ```
 */
export interface ClientCredentials {
  readonly clientId: string
  readonly clientSecret: string
  /** Scopes of the tokens. Default: all scopes of the application. */
  readonly scopes?: readonly string[]
}

/**
 * An access token and its expiry. Without an expiry it is kept for five minutes.
 *
 * @example
 * ```ts
 * import { createNamewright } from '@namewright/client'
 * import type { AccessToken } from '@namewright/client'
 *
 * async function freshToken(): Promise<AccessToken> {
 *   return { token: 'nwa_your-token', expiresAt: new Date(Date.now() + 3_600_000) }
 * }
 * const namewright = createNamewright({ baseUrl: 'http://127.0.0.1:8080', accessToken: freshToken })
 * ```
 */
export interface AccessToken {
  readonly token: string
  readonly expiresAt?: Date | undefined
}

export interface Credentials {
  /** The value of `Authorization`. */
  current(deadline: Deadline): Promise<string>
  /** A new value after this one was refused, or undefined where there is none. */
  renewed(refused: string, deadline: Deadline): Promise<string | undefined>
}

// Longer than a request takes and than clocks differ; a tenth of the lifetime of a short-lived token.
const RENEW_BEFORE_MS = 60_000
const RENEW_BEFORE_SHARE = 0.1
// RFC 6749 §5.1: `expires_in` is optional.
const UNSTATED_LIFETIME_S = 300
const TRY_MS = 7_500

const VISIBLE_ASCII = /^[\x21-\x7E]+$/

export function createKeyCredentials(apiKey: string): Credentials {
  // Checked here because the error that fetch would throw contains the key.
  // An environment variable that is not set is undefined, and would be sent as the text “undefined”.
  if (!apiKey) throw new TypeError('apiKey is missing: pass an API key, for example from NAMEWRIGHT_API_KEY')
  if (!VISIBLE_ASCII.test(apiKey)) throw new TypeError('apiKey contains white space or other invalid characters')
  const authorization = `Bearer ${apiKey}`
  return { current: async () => authorization, renewed: async () => undefined }
}

export function createClientCredentials(
  { clientId, clientSecret, scopes }: ClientCredentials,
  { baseUrl, fetch, timeBudgetMs, now, random }: { baseUrl: string; fetch: Fetch; timeBudgetMs: number } & Time,
): Credentials {
  if (clientId === '' || clientSecret === '') throw new TypeError('clientId or clientSecret is empty')
  const form = new URLSearchParams({ grant_type: 'client_credentials' })
  if (scopes) form.set('scope', scopes.join(' '))
  const request = {
    method: 'POST',
    url: `${baseUrl}/auth/oauth2/token`,
    headers: {
      accept: 'application/json',
      authorization: `Basic ${btoa(`${formEncoded(clientId)}:${formEncoded(clientSecret)}`)}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: form.toString(),
  }

  let hasAnswered = false

  async function askForToken(): Promise<Kept> {
    const tries = startTries({
      timeBudgetMs,
      tryMs: TRY_MS,
      signal: undefined,
      hasAnswered: () => hasAnswered,
      now,
      random,
    })
    for (;;) {
      const deadline = tries.begin()
      try {
        const askedAt = now()
        const answer = await send(fetch, request, deadline)
        hasAnswered = true
        const body = jsonOf(await textOf(answer, deadline))
        if (answer.status !== 200 || !isToken(body))
          throw refusedToken(answer.status, body, retryAfterMsOf(answer.headers))
        return keptOf(body.access_token, askedAt, (body.expires_in ?? UNSTATED_LIFETIME_S) * 1000)
      } catch (error) {
        await tries.waitOrThrow(error, deadline)
      } finally {
        deadline.close()
      }
    }
  }

  return shareTokens(askForToken, now)
}

/** Access tokens from a function of the caller. */
export function createTokenCredentials(ask: () => Promise<AccessToken>, now: () => number): Credentials {
  return shareTokens(async () => {
    const askedAt = now()
    const { token, expiresAt } = await ask()
    if (!VISIBLE_ASCII.test(token)) throw new TypeError('the access token is empty or contains white space')
    return keptOf(token, askedAt, expiresAt ? expiresAt.getTime() - Date.now() : UNSTATED_LIFETIME_S * 1000)
  }, now)
}

interface Kept {
  readonly authorization: string
  readonly renewAt: number
}

function keptOf(token: string, askedAt: number, livesMs: number): Kept {
  const renewAt = askedAt + livesMs - Math.min(RENEW_BEFORE_MS, livesMs * RENEW_BEFORE_SHARE)
  return { authorization: `Bearer ${token}`, renewAt }
}

function shareTokens(askForToken: () => Promise<Kept>, now: () => number): Credentials {
  let kept: Kept | undefined
  let asking: Promise<string> | undefined

  function shared(deadline: Deadline): Promise<string> {
    asking ??= askForToken()
      .then((got) => {
        kept = got
        return got.authorization
      })
      .finally(() => {
        asking = undefined
      })
    return orAborted(asking, deadline.signal)
  }

  return {
    current: async (deadline) => (kept && now() < kept.renewAt ? kept.authorization : shared(deadline)),
    async renewed(refused, deadline) {
      // Another call has already renewed the token.
      if (kept && kept.authorization !== refused) return kept.authorization
      kept = undefined
      return shared(deadline)
    },
  }
}

/** RFC 6749 §2.3.1: both are form-encoded before they become user and password. */
function formEncoded(text: string): string {
  return new URLSearchParams({ _: text }).toString().slice('_='.length)
}

function isToken(body: unknown): body is { access_token: string; expires_in?: number } {
  const { access_token: token, expires_in: seconds } = (body ?? {}) as Record<string, unknown>
  return (
    typeof token === 'string' && VISIBLE_ASCII.test(token) && (seconds === undefined || typeof seconds === 'number')
  )
}

/** An error by RFC 6749 §5.2, or otherwise an error response of the service, such as `rate_limited`. */
function refusedToken(status: number, body: unknown, retryAfterMs: number | undefined): NamewrightError {
  const { error, error_description: description } = (body ?? {}) as Record<string, unknown>
  if (typeof error !== 'string') return refusalOf(status, body, retryAfterMs)
  const message = typeof description === 'string' ? `${error}: ${description}` : error
  return new NamewrightError('token_refused', status, message, { retryAfterMs })
}
