/**
 * A session with CZDS, ICANN's Centralized Zone Data Service (REST API 1.0.9): a token from the account API, sent
 * with every other request. A token lasts a day, and token requests are limited to a few in some minutes, so one is
 * kept until it expires. After a 401 response the token has expired early, and the request is retried once with a new
 * one.
 */
import type { Secret } from '../../model/secret.ts'
import { fetchText } from './http.ts'
import type { Downloaded, HttpRequest } from './http.ts'

export class CzdsError extends Error {}

export interface CzdsAccount {
  readonly username: string
  readonly password: Secret
  /** `https://account-api.icann.org` */
  readonly accountUrl: string
}

export interface CzdsSession {
  /** Calls `ask` with the authorization header; again with a new token if the first is rejected. */
  with<Answer extends Downloaded>(ask: (headers: Record<string, string>) => Promise<Answer>): Promise<Answer>
}

// The API requires a user agent.
const AGENT = 'namewright'
// A request that starts now must not end after the token expires.
const SPARE_MS = 60_000

export function openCzdsSession(account: CzdsAccount, request: HttpRequest, now: () => number): CzdsSession {
  let token: { readonly text: string; readonly endsAt: number } | undefined

  async function signIn(): Promise<string> {
    const answer = await fetchText(request, 'POST', {
      url: new URL('/api/authenticate', account.accountUrl).href,
      headers: { 'content-type': 'application/json', accept: 'application/json', 'user-agent': AGENT },
      body: JSON.stringify({ username: account.username, password: account.password.reveal() }),
    })
    if (answer.statusCode === 429)
      throw new CzdsError('CZDS rate limit for sign-ins reached; try again in a few minutes')
    if (answer.statusCode === 401) throw new CzdsError('CZDS rejected the user name or password')
    if (answer.statusCode !== 200) throw new CzdsError(`CZDS sign-in failed with status ${answer.statusCode}`)
    const text = tokenIn(answer.text)
    token = { text, endsAt: endOf(text) }
    return text
  }

  return {
    async with(ask) {
      const isGood = token !== undefined && now() < token.endsAt - SPARE_MS
      const kept = isGood ? token?.text : undefined
      const first = await ask(headersOf(kept ?? (await signIn())))
      if (first.statusCode !== 401) return first
      token = undefined
      const second = await ask(headersOf(await signIn()))
      if (second.statusCode === 401) throw new CzdsError('CZDS rejected its own new token')
      return second
    },
  }
}

function headersOf(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}`, 'user-agent': AGENT }
}

function tokenIn(text: string): string {
  const body = parse(text)
  const token = typeof body === 'object' && body !== null && 'accessToken' in body ? body.accessToken : undefined
  // Printable and without blanks, because it becomes part of a header.
  if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token)) throw new CzdsError('CZDS returned no token')
  return token
}

/** When a JWT (RFC 7519 §4.1.4) expires; one without an expiry is used until it is rejected. */
function endOf(token: string): number {
  const claims = parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'))
  const end = typeof claims === 'object' && claims !== null && 'exp' in claims ? claims.exp : undefined
  return typeof end === 'number' ? end * 1000 : Infinity
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
