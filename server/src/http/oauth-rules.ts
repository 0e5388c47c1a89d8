/**
 * What the authorization server of Better Auth does more, less or otherwise than ours should, put right at the door:
 * what is refused before it gets there, what is corrected on the way back, and what is said of it in the metadata.
 */
import { isRedirectUri } from './settings/redirect-uri.ts'

export interface OAuthRefusal {
  readonly error: string
  readonly error_description: string
}

type Form = ReadonlyMap<string, unknown>

export function refusalOf(door: string, form: Form): OAuthRefusal | undefined {
  if (door === 'POST /oauth2/register') return refusalOfClient(form)
  if (form.has('client_assertion')) return refuse('invalid_request', 'client assertions are not supported')
  // RFC 8707 allows several; a token of ours is for one door.
  if (Array.isArray(form.get('resource'))) return refuse('invalid_target', 'a token is for one resource')
  // RFC 6749 §3.2: "Request and response parameters MUST NOT be included more than once".
  if ([...form.values()].some(Array.isArray)) return refuse('invalid_request', 'a parameter is repeated')
  if (door === 'POST /oauth2/token') return refusalOfGrant(form)
  return door.endsWith('/authorize') ? refusalOfChallenge(form) : undefined
}

// As many and as long as in the settings of an account.
const MOST_URIS = 20
const MOST_URI = 2_000
const MOST_NAME = 1_000
/** What may become a link on somebody's page. */
const LINKS = ['client_uri', 'logo_uri', 'tos_uri', 'policy_uri'] as const

/**
 * Keys in place of a secret would make us fetch the address where a stranger says they are (jwks_uri), and nobody
 * asked for them yet. Tokens bound to a key (DPoP) are not checked under /v1, so none are given.
 */
function refusalOfClient(form: Form): OAuthRefusal | undefined {
  const wrong = (description: string) => refuse('invalid_client_metadata', description)
  const hasKeys =
    form.has('jwks') || form.has('jwks_uri') || form.get('token_endpoint_auth_method') === 'private_key_jwt'
  if (hasKeys) return wrong('keys are not supported: use PKCE or a client secret')
  if (form.get('dpop_bound_access_tokens') === true) return wrong('DPoP is not supported')
  if (textOf(form.get('client_name')).length > MOST_NAME) return wrong('client_name is too long')
  const link = LINKS.find((name) => form.has(name) && !/^https?:\/\//i.test(textOf(form.get(name))))
  if (link) return wrong(`${link} is not the address of a page`)
  const uris = form.get('redirect_uris')
  if (!Array.isArray(uris)) return undefined
  const isFine = (uri: unknown) => typeof uri === 'string' && uri.length <= MOST_URI && isRedirectUri(uri)
  if (uris.length <= MOST_URIS && uris.every(isFine)) return undefined
  return refuse('invalid_redirect_uri', `redirect_uris are at most ${MOST_URIS} exact addresses`)
}

/**
 * What many agents leave out: who returns to the person's own machine, or to an app on it, is a native application
 * (RFC 8252 §7), and would be refused as a web page.
 */
export function asNative(form: Form): string {
  const uris = form.get('redirect_uris')
  const isNative = Array.isArray(uris) && uris.length > 0 && uris.every((uri) => !/^https:/i.test(textOf(uri)))
  const metadata = Object.fromEntries(form)
  return JSON.stringify(isNative ? { application_type: 'native', ...metadata } : metadata)
}

/**
 * RFC 7009 §2.1: a server that "is unable to locate the token using the given hint … MUST extend its search". This one
 * would not, and say that all is well; without a hint it looks everywhere.
 */
export function withoutHint(form: Form): string {
  const fields = [...form].filter(([name]) => name !== 'token_type_hint')
  return new URLSearchParams(fields.map(([name, value]) => [name, textOf(value)])).toString()
}

function refusalOfGrant(form: Form): OAuthRefusal | undefined {
  const verifier = textOf(form.get('code_verifier'))
  // RFC 7636 §4.1: what is shorter can be guessed from its challenge.
  if (verifier !== '' && !/^[\w.~-]{43,128}$/.test(verifier))
    return refuse('invalid_request', 'a code verifier has 43 to 128 letters, digits and -._~')
  // The server would then give an access token that does not end with its family, and let the refresh token be used
  // again and again.
  const scope = form.get('scope')
  const isNarrow = typeof scope === 'string' && !scope.split(' ').includes('offline_access')
  if (form.get('grant_type') === 'refresh_token' && isNarrow)
    return refuse('invalid_scope', 'a refresh token is for offline_access, too')
  return undefined
}

/** RFC 7636 §4.2: a SHA-256 in base64url has 43 characters, so no verifier could ever fit any other. */
function refusalOfChallenge(form: Form): OAuthRefusal | undefined {
  const challenge = textOf(form.get('code_challenge'))
  const isOne = challenge === '' || /^[\w-]{43}$/.test(challenge)
  return isOne ? undefined : refuse('invalid_request', 'code_challenge is no SHA-256')
}

/**
 * RFC 8252 §8.6: an application that cannot prove who it is must not be let in by an earlier consent, since anybody
 * could come with its id. Ours cannot, so a person is asked every time.
 */
export function askingAgain(parameters: string): string {
  const asked = new URLSearchParams(parameters)
  const prompts = promptsOf(asked)
  if (!prompts.has('none')) asked.set('prompt', [...prompts.add('consent')].join(' '))
  return asked.toString()
}

/** Where nobody may be asked (`prompt=none`), nobody can agree: OpenID Connect Core §3.1.2.6. */
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
  readonly door: RegExp
  readonly said: RegExp
  readonly error: string
  readonly description: string
}

const CORRECTIONS: readonly Correction[] = [
  // RFC 7636 §4.6: "If the values are not equal, an error response indicating "invalid_grant" … MUST be returned",
  // with the status of RFC 6749 §5.2.
  {
    door: /token$/,
    said: /^code verif|^code_verifier/,
    error: 'invalid_grant',
    description: 'the code verifier does not fit',
  },
  // RFC 6749 §5.2: a grant that is "invalid, expired, revoked".
  {
    door: /token$/,
    said: /^session no longer exists|^missing user|^user not found/,
    error: 'invalid_grant',
    description: 'whoever gave this is gone',
  },
  // RFC 8707 §2: "The requested resource is invalid, missing, unknown, or malformed."
  { door: /token$|authorize$/, said: /^resource\b/, error: 'invalid_target', description: 'resource is no address' },
]
/** RFC 7009 §2.2: "invalid tokens do not cause an error response". */
const NOTHING_TO_REVOKE = /^token not found|^Invalid access token|^refresh token revoked/

/** Of an answer to a request at a door under /oauth2; all others are as they should be. */
export async function corrected(response: Response, door: string): Promise<Response> {
  if (!door.includes(' /oauth2/')) return response
  const location = response.headers.get('location') ?? (door.endsWith('authorize') ? await wayIn(response) : undefined)
  if (location !== undefined) return correctedRedirect(response, location, door)
  if (response.status < 400 || response.status >= 500) return response
  const said = (await response
    .clone()
    .json()
    .catch(() => ({}))) as Record<string, unknown>
  const description = textOf(said['error_description'] ?? said['message'])
  if (door === 'POST /oauth2/revoke' && response.status === 400 && NOTHING_TO_REVOKE.test(description))
    return new Response(null, { status: 200 })
  const correction = correctionOf(door, description)
  if (correction) return Response.json(refuse(correction.error, correction.description), { status: 400 })
  const headers = new Headers(response.headers)
  headers.delete('content-length')
  // RFC 9110 §15.5.2 wants one with every 401, RFC 7617 §2 a realm in it.
  if (response.status === 401) headers.set('www-authenticate', 'Basic realm="namewright"')
  const body = 'error' in said ? said : refuse('invalid_request', description)
  return Response.json(body, { status: response.status, headers })
}

/** A script is told in the body where a browser is sent; RFC 6749 §4.1.2 knows only the one way. */
async function wayIn(response: Response): Promise<string | undefined> {
  if (response.status !== 200) return undefined
  const said = (await response.clone().json()) as { url?: unknown }
  return typeof said.url === 'string' ? said.url : undefined
}

function correctedRedirect(response: Response, location: string, door: string): Response {
  const url = URL.parse(location)
  const correction = correctionOf(door, url?.searchParams.get('error_description') ?? '')
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

function correctionOf(door: string, description: string): Correction | undefined {
  return CORRECTIONS.find((one) => one.door.test(door) && one.said.test(description))
}

/** RFC 8414: only what holds here. */
export function metadataOf(metadata: Record<string, unknown>): Record<string, unknown> {
  const kept = Object.entries(metadata).filter(([name]) => !/dpop|backchannel|signing_alg/.test(name))
  return Object.fromEntries(
    kept.map(([name, value]) => {
      if (!name.endsWith('_auth_methods_supported') || !Array.isArray(value)) return [name, value]
      const methods = value.filter((method) => method !== 'private_key_jwt')
      // A public client ends its own tokens (RFC 7009 §2.1), and may ask about none (RFC 7662 §2.1).
      return [name, name.startsWith('revocation_') ? ['none', ...methods] : methods]
    }),
  )
}
