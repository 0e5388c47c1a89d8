/**
 * Corrects where the authorization server of Better Auth differs from what we need: requests to refuse before they
 * reach it, responses to correct, and metadata to adjust.
 */
import { isRedirectUri } from './redirect-uri.ts'

export interface OAuthRefusal {
  readonly error: string
  readonly error_description: string
}

type OAuthForm = ReadonlyMap<string, unknown>

export function refusalOf(route: string, form: OAuthForm): OAuthRefusal | undefined {
  if (route === 'POST /oauth2/register') return refusalOfClient(form)
  if (form.has('client_assertion')) return refuse('invalid_request', 'client assertions are not supported')
  // RFC 8707 allows several; our tokens are for one audience.
  if (Array.isArray(form.get('resource'))) return refuse('invalid_target', 'a token can have only one resource')
  // RFC 6749 §3.2: "Request and response parameters MUST NOT be included more than once".
  if ([...form.values()].some(Array.isArray)) return refuse('invalid_request', 'a parameter is repeated')
  if (route === 'POST /oauth2/token') return refusalOfGrant(form)
  return route.endsWith('/authorize') ? refusalOfChallenge(form) : undefined
}

// The same limits as in the settings of an account.
const MAX_URIS = 20
const MAX_URI_LENGTH = 2_000
const MAX_NAME_LENGTH = 1_000
/** Fields that may become a link on a page. */
const LINKS = ['client_uri', 'logo_uri', 'tos_uri', 'policy_uri'] as const

/**
 * Keys in place of a secret would make us fetch an address that a stranger chooses (jwks_uri), and nobody has asked for
 * them yet. Tokens bound to a key (DPoP) are not checked under /v1, so none are issued.
 */
function refusalOfClient(form: OAuthForm): OAuthRefusal | undefined {
  const wrong = (description: string) => refuse('invalid_client_metadata', description)
  const hasKeys =
    form.has('jwks') || form.has('jwks_uri') || form.get('token_endpoint_auth_method') === 'private_key_jwt'
  if (hasKeys) return wrong('keys are not supported: use PKCE or a client secret')
  if (form.get('dpop_bound_access_tokens') === true) return wrong('DPoP is not supported')
  if (textOf(form.get('client_name')).length > MAX_NAME_LENGTH) return wrong('client_name is too long')
  const link = LINKS.find((name) => form.has(name) && !/^https?:\/\//i.test(textOf(form.get(name))))
  if (link) return wrong(`${link} is not the URL of a web page`)
  const uris = form.get('redirect_uris')
  if (!Array.isArray(uris)) return undefined
  const isFine = (uri: unknown) => typeof uri === 'string' && uri.length <= MAX_URI_LENGTH && isRedirectUri(uri)
  if (uris.length <= MAX_URIS && uris.every(isFine)) return undefined
  return refuse('invalid_redirect_uri', `redirect_uris must be at most ${MAX_URIS} exact URIs`)
}

/**
 * Adds what many agents leave out. An application that redirects to the person's own machine, or to an app on it, is a
 * native application (RFC 8252 §7) and would be refused as a web application.
 */
export function asNative(form: OAuthForm): string {
  const uris = form.get('redirect_uris')
  const isNative = Array.isArray(uris) && uris.length > 0 && uris.every((uri) => !/^https:/i.test(textOf(uri)))
  const metadata = Object.fromEntries(form)
  return JSON.stringify(isNative ? { application_type: 'native', ...metadata } : metadata)
}

/**
 * RFC 7009 §2.1: a server that "is unable to locate the token using the given hint … MUST extend its search". Better
 * Auth does not, and still reports success. Without a hint it searches all tokens.
 */
export function withoutHint(form: OAuthForm): string {
  const fields = [...form].filter(([name]) => name !== 'token_type_hint')
  return new URLSearchParams(fields.map(([name, value]) => [name, textOf(value)])).toString()
}

function refusalOfGrant(form: OAuthForm): OAuthRefusal | undefined {
  const verifier = textOf(form.get('code_verifier'))
  // RFC 7636 §4.1: a shorter verifier can be guessed from its challenge.
  if (verifier !== '' && !/^[\w.~-]{43,128}$/.test(verifier))
    return refuse('invalid_request', 'code_verifier must have 43 to 128 letters, digits or -._~')
  // Otherwise the server issues an access token that is not revoked with its family, and the refresh token can be
  // reused.
  const scope = form.get('scope')
  const isNarrow = typeof scope === 'string' && !scope.split(' ').includes('offline_access')
  if (form.get('grant_type') === 'refresh_token' && isNarrow)
    return refuse('invalid_scope', 'a refresh token requires the scope offline_access')
  return undefined
}

/** RFC 7636 §4.2: a SHA-256 in base64url has 43 characters, so no verifier can match any other length. */
function refusalOfChallenge(form: OAuthForm): OAuthRefusal | undefined {
  const challenge = textOf(form.get('code_challenge'))
  const isOne = challenge === '' || /^[\w-]{43}$/.test(challenge)
  return isOne ? undefined : refuse('invalid_request', 'code_challenge is not a SHA-256 hash')
}

/**
 * RFC 8252 §8.6: an earlier consent must not authorize an application that cannot prove its identity, since anybody can
 * use its id. Ours cannot, so the person is asked every time.
 */
export function askingAgain(parameters: string): string {
  const asked = new URLSearchParams(parameters)
  const prompts = promptsOf(asked)
  if (!prompts.has('none')) asked.set('prompt', [...prompts.add('consent')].join(' '))
  return asked.toString()
}

/** With `prompt=none` the person may not be asked and so cannot consent: OpenID Connect Core §3.1.2.6. */
export function withoutAsking(response: Response, parameters: string): Response {
  const location = response.headers.get('location') ?? ''
  if (!promptsOf(new URLSearchParams(parameters)).has('none') || !URL.canParse(location)) return response
  const url = new URL(location)
  if (!url.searchParams.has('code')) return response
  url.searchParams.delete('code')
  url.searchParams.set('error', 'consent_required')
  return redirect(response, url.href)
}

function promptsOf(parameters: URLSearchParams): Set<string> {
  return new Set((parameters.get('prompt') ?? '').split(' ').filter((prompt) => prompt !== ''))
}

function refuse(error: string, error_description: string): OAuthRefusal {
  return { error, error_description }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

interface Correction {
  readonly route: RegExp
  readonly said: RegExp
  readonly error: string
  readonly description: string
}

const CORRECTIONS: readonly Correction[] = [
  // RFC 7636 §4.6: "If the values are not equal, an error response indicating "invalid_grant" … MUST be returned",
  // with the status of RFC 6749 §5.2.
  {
    route: /token$/,
    said: /^code verif|^code_verifier/,
    error: 'invalid_grant',
    description: 'code_verifier does not match code_challenge',
  },
  // RFC 6749 §5.2: a grant that is "invalid, expired, revoked".
  {
    route: /token$/,
    said: /^session no longer exists|^missing user|^user not found/,
    error: 'invalid_grant',
    description: 'the user who granted this access no longer exists',
  },
  // RFC 8707 §2: "The requested resource is invalid, missing, unknown, or malformed."
  {
    route: /token$|authorize$/,
    said: /^resource\b/,
    error: 'invalid_target',
    description: 'resource is not a valid URI',
  },
]
/** RFC 7009 §2.2: "invalid tokens do not cause an error response". */
const NOTHING_TO_REVOKE = /^token not found|^Invalid access token|^refresh token revoked/

/** Corrects a response of an endpoint under /oauth2. Other responses need no correction. */
export async function corrected(response: Response, route: string): Promise<Response> {
  if (!route.includes(' /oauth2/')) return response
  const location = response.headers.get('location') ?? (route.endsWith('authorize') ? await wayIn(response) : undefined)
  if (location !== undefined) return correctedRedirect(response, location, route)
  if (response.status < 400 || response.status >= 500) return response
  const said = (await response
    .clone()
    .json()
    .catch(() => ({}))) as Record<string, unknown>
  const description = textOf(said['error_description'] ?? said['message'])
  if (route === 'POST /oauth2/revoke' && response.status === 400 && NOTHING_TO_REVOKE.test(description))
    return new Response(null, { status: 200 })
  const correction = correctionOf(route, description)
  if (correction) return Response.json(refuse(correction.error, correction.description), { status: 400 })
  const headers = new Headers(response.headers)
  headers.delete('content-length')
  // RFC 9110 §15.5.2 requires this header with every 401, RFC 7617 §2 a realm in it.
  if (response.status === 401) headers.set('www-authenticate', 'Basic realm="namewright"')
  const body = 'error' in said ? said : refuse('invalid_request', description)
  return Response.json(body, { status: response.status, headers })
}

/**
 * The redirect target from the body: Better Auth sends it there to scripts, but RFC 6749 §4.1.2 knows only a redirect.
 */
async function wayIn(response: Response): Promise<string | undefined> {
  if (response.status !== 200) return undefined
  const said = (await response.clone().json()) as { url?: unknown }
  return typeof said.url === 'string' ? said.url : undefined
}

function correctedRedirect(response: Response, location: string, route: string): Response {
  const url = URL.parse(location)
  const correction = correctionOf(route, url?.searchParams.get('error_description') ?? '')
  if (!correction || !url?.searchParams.has('error')) return redirect(response, location)
  url.searchParams.set('error', correction.error)
  url.searchParams.set('error_description', correction.description)
  return redirect(response, url.href)
}

function redirect(response: Response, location: string): Response {
  const headers = new Headers(response.headers)
  headers.delete('content-length')
  headers.delete('content-type')
  headers.set('location', location)
  return new Response(null, { status: 302, headers })
}

function correctionOf(route: string, description: string): Correction | undefined {
  return CORRECTIONS.find((one) => one.route.test(route) && one.said.test(description))
}

/** RFC 8414 metadata, without what is not supported here. */
export function metadataOf(metadata: Record<string, unknown>): Record<string, unknown> {
  const kept = Object.entries(metadata).filter(([name]) => !/dpop|backchannel|signing_alg/.test(name))
  return Object.fromEntries(
    kept.map(([name, value]) => {
      if (!name.endsWith('_auth_methods_supported') || !Array.isArray(value)) return [name, value]
      const methods = value.filter((method) => method !== 'private_key_jwt')
      // A public client may revoke its own tokens (RFC 7009 §2.1) but may not introspect any (RFC 7662 §2.1).
      return [name, name.startsWith('revocation_') ? ['none', ...methods] : methods]
    }),
  )
}
