/**
 * OAuth 2.0 as the service speaks it, from a client's side: where things are (RFC 8414), who we are (RFC 7591), a code
 * with PKCE (RFC 7636) for tokens, tokens for newer ones, and their end (RFC 7009).
 *
 * We are a public client: there is no secret to keep, and a code is worth nothing to whoever does not have the verifier.
 */
import { createHash, randomBytes } from 'node:crypto'
import { NamewrightError, NetworkError, refusalOf } from '../errors.ts'
import { jsonOf } from '../exchange.ts'
import type { Fetch } from '../exchange.ts'
import { CliError, EXIT } from './exit.ts'
import type { Audience, Login } from './config.ts'

export interface Authority {
  readonly issuer: string
  readonly authorization_endpoint: string
  readonly token_endpoint: string
  readonly registration_endpoint: string
  readonly revocation_endpoint: string
}

export interface Net {
  readonly fetch: Fetch
  readonly signal: AbortSignal
  readonly now: () => number
}

export interface Question {
  readonly url: string
  readonly state: string
  readonly verifier: string
  readonly redirectUri: string
}

const ANSWER_MS = 15_000

export async function findAuthority(base: string, net: Net): Promise<Authority> {
  const { origin, pathname } = new URL(base)
  const path = `${pathname.replace(/\/$/, '')}/auth`
  const { status, body } = await ask(net, 'GET', `${origin}/.well-known/oauth-authorization-server${path}`)
  const found = body as Partial<Record<keyof Authority, unknown>>
  const isWhole = (
    ['issuer', 'authorization_endpoint', 'token_endpoint', 'registration_endpoint', 'revocation_endpoint'] as const
  ).every((name) => typeof found[name] === 'string' && found[name].startsWith(`${origin}/`))
  if (status !== 200 || !isWhole)
    throw new CliError(
      EXIT.auth,
      `${base} does not say how to sign in with a browser.`,
      'It may be known under another address, that of NAMEWRIGHT_PUBLIC_URL; or use a key.',
    )
  // RFC 8414 §3.3: "MUST be identical to the issuer identifier value into which the well-known URI string was inserted".
  if (found.issuer !== `${origin}${path}`)
    throw new CliError(EXIT.auth, `${base} calls itself ${String(found.issuer)}.`)
  return found as Authority
}

/** RFC 8252 §7.3: which port it will be is not known before, and does not matter. */
export async function register(authority: Authority, net: Net): Promise<string> {
  const { status, body } = await ask(net, 'POST', authority.registration_endpoint, {
    type: 'application/json',
    text: JSON.stringify({
      client_name: 'Namewright command line',
      application_type: 'native',
      redirect_uris: ['http://127.0.0.1/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    }),
  })
  const id = body['client_id']
  if (status >= 300 || typeof id !== 'string') throw refused(status, body)
  return id
}

export function questionOf(
  authority: Authority,
  { clientId, port, scope, resource }: { clientId: string; port: number; scope: string; resource: string },
): Question {
  const verifier = randomBytes(32).toString('base64url')
  const state = randomBytes(16).toString('base64url')
  const redirectUri = `http://127.0.0.1:${port}/callback`
  const url = new URL(authority.authorization_endpoint)
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope,
    resource,
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }).toString()
  return { url: url.href, state, verifier, redirectUri }
}

/** The code in what came back, once it is sure that it is the answer to this question and from this service. */
export function codeOf(returned: URL, question: Question, authority: Authority): string {
  const said = (name: string) => returned.searchParams.get(name) ?? ''
  if (said('state') !== question.state)
    throw new CliError(EXIT.auth, 'That is the answer to another question; try again.')
  // RFC 9207: whose answer it is.
  if (returned.searchParams.has('iss') && said('iss') !== authority.issuer)
    throw new CliError(EXIT.auth, `That is the answer of ${said('iss')}.`)
  if (said('error') === 'access_denied') throw new CliError(EXIT.auth, 'Not allowed: somebody said no in the browser.')
  if (said('error') !== '') throw new CliError(EXIT.auth, `${said('error')}: ${said('error_description')}`)
  if (said('code') === '') throw new CliError(EXIT.auth, 'There is no code in that.')
  return said('code')
}

export async function redeem(
  authority: Authority,
  { clientId, code, question, resource }: { clientId: string; code: string; question: Question; resource: string },
  net: Net,
): Promise<Login> {
  return askForTokens(authority.token_endpoint, net, {
    grant_type: 'authorization_code',
    client_id: clientId,
    code,
    code_verifier: question.verifier,
    redirect_uri: question.redirectUri,
    resource,
  })
}

export async function refresh(
  base: string,
  { clientId, login, audience }: { clientId: string; login: Login; audience: Audience },
  net: Net,
): Promise<Login> {
  const renewed = await askForTokens(`${base}/auth/oauth2/token`, net, {
    grant_type: 'refresh_token',
    client_id: clientId,
    refresh_token: login.refresh_token ?? '',
    resource: `${base}/${audience}`,
  })
  return { ...renewed, refresh_token: renewed.refresh_token ?? login.refresh_token }
}

/** Takes the access tokens with it. */
export async function revoke(
  base: string,
  { clientId, login }: { clientId: string; login: Login },
  net: Net,
): Promise<void> {
  const token = login.refresh_token ?? login.access_token
  const form = new URLSearchParams({ client_id: clientId, token }).toString()
  const { status, body } = await ask(net, 'POST', `${base}/auth/oauth2/revoke`, formOf(form))
  if (status >= 300) throw refused(status, body)
}

async function askForTokens(url: string, net: Net, fields: Record<string, string>): Promise<Login> {
  const { status, body } = await ask(net, 'POST', url, formOf(new URLSearchParams(fields).toString()))
  const { access_token, refresh_token, expires_in, scope } = body
  if (status !== 200 || typeof access_token !== 'string') throw refused(status, body)
  return {
    access_token,
    refresh_token: typeof refresh_token === 'string' ? refresh_token : undefined,
    expires_at: net.now() + (typeof expires_in === 'number' ? expires_in : 300) * 1000,
    scope: typeof scope === 'string' ? scope : '',
  }
}

const formOf = (text: string) => ({ type: 'application/x-www-form-urlencoded', text })

async function ask(
  { fetch, signal }: Net,
  method: 'GET' | 'POST',
  url: string,
  sent?: { readonly type: string; readonly text: string },
): Promise<{ status: number; body: Readonly<Record<string, unknown>> }> {
  const headers = { accept: 'application/json', ...(sent ? { 'content-type': sent.type } : {}) }
  try {
    const until = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)])
    const answer = await fetch(url, {
      method,
      headers,
      ...(sent ? { body: sent.text } : {}),
      signal: until,
      redirect: 'manual',
    })
    const body = jsonOf(await answer.text())
    return {
      status: answer.status,
      body: (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>,
    }
  } catch (cause) {
    signal.throwIfAborted()
    throw new NetworkError('the service could not be reached', { cause })
  }
}

/** RFC 6749 §5.2 where it is one; otherwise the service's own refusal, such as too many tries. */
function refused(status: number, body: Readonly<Record<string, unknown>>): Error {
  const { error, error_description: description } = body
  if (typeof error !== 'string') return refusalOf(status, body, undefined)
  const message = typeof description === 'string' ? `${error}: ${description}` : error
  return new NamewrightError('token_refused', status, message)
}
