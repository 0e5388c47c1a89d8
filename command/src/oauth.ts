/**
 * The OAuth 2.0 client of the command: metadata (RFC 8414), client registration (RFC 7591), authorization code with PKCE
 * (RFC 7636), refresh, and revocation (RFC 7009).
 *
 * The command is a public client without a secret; PKCE protects the authorization code.
 */
import { createHash, randomBytes } from 'node:crypto'
import { NamewrightError, refusalOf } from '../../sdk/src/errors.ts'
import { jsonOf, unreachable } from '../../sdk/src/exchange.ts'
import type { Fetch } from '../../sdk/src/exchange.ts'
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

/** An authorization request, as the browser opens it. */
export interface AuthorizationRequest {
  readonly url: string
  readonly state: string
  readonly verifier: string
  readonly redirectUri: string
}

const RESPONSE_MS = 15_000

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
      `${base} does not support signing in with a browser.`,
      'Use the public URL of the service (NAMEWRIGHT_PUBLIC_URL), or use an API key.',
    )
  // RFC 8414 §3.3: "MUST be identical to the issuer identifier value into which the well-known URI string was inserted".
  if (found.issuer !== `${origin}${path}`)
    throw new CliError(EXIT.auth, `The issuer of ${base} is ${String(found.issuer)}, which does not match this URL.`)
  return found as Authority
}

/** The redirect URI has no port: by RFC 8252 §7.3 any port of the loopback address is allowed. */
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

export function authorizationRequestOf(
  authority: Authority,
  { clientId, port, scope, resource }: { clientId: string; port: number; scope: string; resource: string },
): AuthorizationRequest {
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

/** The authorization code in a redirect URL, after checking its state and issuer. */
export function codeOf(returned: URL, sent: AuthorizationRequest, authority: Authority): string {
  const param = (name: string) => returned.searchParams.get(name) ?? ''
  if (param('state') !== sent.state)
    throw new CliError(EXIT.auth, 'This response belongs to another sign-in. Try again.')
  // RFC 9207.
  if (returned.searchParams.has('iss') && param('iss') !== authority.issuer)
    throw new CliError(EXIT.auth, `The response comes from another issuer: ${param('iss')}.`)
  if (param('error') === 'access_denied') throw new CliError(EXIT.auth, 'Access was denied in the browser.')
  if (param('error') !== '') throw new CliError(EXIT.auth, `${param('error')}: ${param('error_description')}`)
  if (param('code') === '') throw new CliError(EXIT.auth, 'The redirect URL contains no authorization code.')
  return param('code')
}

export async function redeem(
  authority: Authority,
  { clientId, code, sent, resource }: { clientId: string; code: string; sent: AuthorizationRequest; resource: string },
  net: Net,
): Promise<Login> {
  return askForTokens(authority.token_endpoint, net, {
    grant_type: 'authorization_code',
    client_id: clientId,
    code,
    code_verifier: sent.verifier,
    redirect_uri: sent.redirectUri,
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

/** Revoking a refresh token also revokes its access tokens. */
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
    const until = AbortSignal.any([signal, AbortSignal.timeout(RESPONSE_MS)])
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
    throw unreachable(url, cause)
  }
}

/** An error by RFC 6749 §5.2, or otherwise an error response of the service, such as `rate_limited`. */
function refused(status: number, body: Readonly<Record<string, unknown>>): Error {
  const { error, error_description: description } = body
  if (typeof error !== 'string') return refusalOf(status, body, undefined)
  const message = typeof description === 'string' ? `${error}: ${description}` : error
  return new NamewrightError('token_refused', status, message)
}
