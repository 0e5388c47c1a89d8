/**
 * An OpenID provider on loopback: a real one (oidc-provider), with accounts that a test makes up, and a browser that
 * signs in there as the given person and comes back with the address it was sent to.
 */
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'
import { fetch } from 'undici'

export interface Claims {
  readonly email?: string
  readonly email_verified?: boolean
  readonly name?: string
}

export interface OidcWorld extends AsyncDisposable {
  readonly issuer: string
  /** For NAMEWRIGHT_SIGN_IN_WITH, behind `name=`. */
  readonly setting: string
  /** From then on it knows its client; before, it is there and answers nothing useful. */
  allow(redirectUri: string): void
  /** Makes or changes an account. */
  know(sub: string, claims: Claims): void
  /** Goes through the provider with this authorization request as `sub`; answers where the provider sends back to. */
  signIn(authorizeUrl: string, sub: string): Promise<string>
  close(): Promise<void>
}

const CLIENT = { id: 'namewright', secret: 'a+b/c:d=e f-71' }
const MAX_HOPS = 10

export async function openOidc(port = 0): Promise<OidcWorld> {
  const accounts = new Map<string, Claims>()
  let provider: Provider | undefined
  let current = ''
  const server = createServer((request, response) => {
    void answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)))
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const issuer = `http://${host}`

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!provider) response.writeHead(503).end()
    else if (request.url?.startsWith('/interaction/')) await interact(provider, request, response)
    else await provider.callback()(request, response)
  }

  /** Whoever comes is `current`, and agrees to everything. */
  async function interact(at: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { prompt, params, session, grantId } = await at.interactionDetails(request, response)
    if (prompt.name === 'login') {
      return at.interactionFinished(
        request,
        response,
        { login: { accountId: current } },
        { mergeWithLastSubmission: false },
      )
    }
    const grant =
      (grantId === undefined ? undefined : await at.Grant.find(grantId)) ??
      new at.Grant({ accountId: session?.accountId ?? '', clientId: String(params['client_id']) })
    grant.addOIDCScope(String(params['scope']))
    return at.interactionFinished(request, response, { consent: { grantId: await grant.save() } })
  }

  const close = async () => {
    server.closeAllConnections()
    server.close()
    if (server.listening) await once(server, 'close')
  }

  return {
    issuer,
    setting: `http://${CLIENT.id}:${encodeURIComponent(CLIENT.secret)}@${host}`,
    allow(redirectUri) {
      provider = new Provider(issuer, {
        clients: [
          {
            client_id: CLIENT.id,
            client_secret: CLIENT.secret,
            redirect_uris: [redirectUri],
            token_endpoint_auth_method: 'client_secret_post',
          },
        ],
        claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
        findAccount: (_ctx, sub) => ({ accountId: sub, claims: async () => ({ sub, ...accounts.get(sub) }) }),
        features: { devInteractions: { enabled: false } },
        interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
        pkce: { required: () => true },
        cookies: { keys: [randomBytes(16).toString('hex')] },
        jwks: { keys: [{ ...signingKey(), alg: 'RS256', use: 'sig' }] },
        ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
      })
    },
    know: (sub, claims) => void accounts.set(sub, claims),
    async signIn(authorizeUrl, sub) {
      current = sub
      const cookies = new Map<string, string>()
      let url = authorizeUrl
      for (let hop = 0; hop < MAX_HOPS && url.startsWith(issuer); hop++) {
        const cookie = [...cookies].map((pair) => pair.join('=')).join('; ')
        const response = await fetch(url, { redirect: 'manual', headers: cookie === '' ? {} : { cookie } })
        for (const line of response.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
          cookies.set(name, value)
        }
        const text = await response.text()
        const location = response.headers.get('location')
        if (location === null) throw new Error(`the provider said ${response.status}: ${text.slice(0, 500)}`)
        url = new URL(location, url).href
      }
      return url
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

function signingKey() {
  return generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' })
}
