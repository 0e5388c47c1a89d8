/**
 * An application, as tests need one: it registers, sends people to the authorization endpoint, takes codes for tokens,
 * and shows those tokens. Every step can be done wrong by naming other parameters.
 *
 * People are sent as a browser is (a navigation), through the consent page and its form; applications come without
 * cookies and from addresses of their own.
 */
import { createHash, randomBytes } from 'node:crypto'
import { request } from 'undici'
import type { PeopleWorld, Reply, SignedIn, Visitor } from './people-world.ts'

export interface App {
  readonly id: string
  readonly secret?: string
  readonly redirectUri: string
}

/** Parameters by name; undefined leaves one out, a list repeats it. */
export type Fields = Readonly<Record<string, string | readonly string[] | undefined>>

/** What comes back to the application in the browser. */
export interface Returned {
  readonly url: URL
  readonly code: string
  readonly error: string | null
  readonly verifier: string
}

export interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
  readonly token_type: string
  readonly expires_in: number
  readonly scope: string
}

export const CALLBACK = 'http://127.0.0.1:9876/callback'
export const SCOPE = 'history:read favorites:read offline_access'

export interface OAuthClient {
  readonly issuer: string
  /** The resource of an audience. */
  resource(audience: 'v1' | 'mcp'): string
  /** RFC 7591, as it is answered. */
  register(metadata?: Readonly<Record<string, unknown>>): Promise<Reply>
  /** A public application that has registered itself. */
  makePublic(metadata?: Readonly<Record<string, unknown>>): Promise<App>
  /** One with a secret, registered in the settings of the person's own account. */
  makeConfidential(owner: SignedIn, spec?: Readonly<Record<string, unknown>>): Promise<App>
  /** At the authorization endpoint; nothing is followed. */
  ask(visitor: Visitor, app: App, changes?: Fields): Promise<Reply & { verifier: string }>
  /** The consent page at this address. */
  page(visitor: Visitor, address: string): Promise<Reply>
  /** Sends the page's form, and says where the browser goes on. */
  decide(visitor: Visitor, page: Reply, changes?: Record<string, string>): Promise<URL>
  /** All the way to a code, past the consent page where there is one. */
  authorize(visitor: Visitor, app: App, changes?: Fields): Promise<Returned>
  token(fields: Fields, headers?: Record<string, string>): Promise<Reply>
  redeem(app: App, returned: Returned, changes?: Fields): Promise<Reply>
  /** From nothing to tokens, which must work out. */
  grant(visitor: Visitor, app: App, changes?: Fields): Promise<Tokens>
  refresh(app: App, token: string, changes?: Fields): Promise<Reply>
  revoke(app: App, token: string, changes?: Fields): Promise<Reply>
  introspect(app: App, token: string, changes?: Fields): Promise<Reply>
  /** The response of a resource to this token: GET /v1/favorites, or a request to /mcp. */
  show(token: string, audience?: 'v1' | 'mcp', node?: string): Promise<Reply>
}

export function createOAuthClient(at: PeopleWorld): OAuthClient {
  const resource = (audience: 'v1' | 'mcp') => `${at.url}/${audience}`

  const post = (path: string, app: App | undefined, fields: Fields, headers: Record<string, string> = {}) =>
    at.visitor().ask(`/auth/oauth2/${path}`, {
      form: formOf(app && app.secret === undefined ? { client_id: app.id, ...fields } : fields),
      headers: { ...(app?.secret === undefined ? {} : { authorization: basic(app.id, app.secret) }), ...headers },
    })

  const register: OAuthClient['register'] = (metadata = {}) =>
    at.visitor().ask('/auth/oauth2/register', {
      body: {
        client_name: 'Agent',
        redirect_uris: [CALLBACK],
        application_type: 'native',
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
        ...metadata,
      },
    })

  const ask: OAuthClient['ask'] = async (visitor, app, changes = {}) => {
    const verifier = randomBytes(32).toString('base64url')
    const query = formOf({
      response_type: 'code',
      client_id: app.id,
      redirect_uri: app.redirectUri,
      scope: SCOPE,
      state: 'state-1',
      code_challenge: challengeOf(verifier),
      code_challenge_method: 'S256',
      ...changes,
    })
    return { ...(await navigate(at, visitor, `/auth/oauth2/authorize?${query.toString()}`)), verifier }
  }

  const page: OAuthClient['page'] = (visitor, address) => visitor.ask(address)

  const decide: OAuthClient['decide'] = async (visitor, shown, changes = {}) => {
    const sent = await visitor.ask('/consent', { form: { ...hiddenOf(shown), decision: 'allow', ...changes } })
    if (sent.status !== 200) throw new Error(`consent: ${sent.status} ${sent.text}`)
    return new URL(unescape(/http-equiv="refresh" content="0;url=([^"]*)"/.exec(sent.text)?.[1] ?? ''))
  }

  const authorize: OAuthClient['authorize'] = async (visitor, app, changes) => {
    const { verifier, ...reply } = await ask(visitor, app, changes)
    const way = locationOf(reply)
    const isPage = way.startsWith(`${at.url}/consent?`)
    const url = isPage ? await decide(visitor, await page(visitor, way)) : new URL(way)
    return { url, code: url.searchParams.get('code') ?? '', error: url.searchParams.get('error'), verifier }
  }

  const redeem: OAuthClient['redeem'] = (app, { code, verifier }, changes) =>
    post('token', app, {
      grant_type: 'authorization_code',
      code,
      code_verifier: verifier,
      redirect_uri: app.redirectUri,
      ...changes,
    })

  return {
    issuer: `${at.url}/auth`,
    resource,
    register,
    async makePublic(metadata = {}) {
      const reply = await register(metadata)
      if (reply.status !== 201) throw new Error(`register: ${reply.status} ${reply.text}`)
      const { client_id, client_secret, redirect_uris } = reply.json
      return { id: client_id, redirectUri: redirect_uris[0], ...(client_secret ? { secret: client_secret } : {}) }
    },
    async makeConfidential(owner, spec = {}) {
      const body = {
        name: 'Robot',
        kind: 'confidential',
        redirect_uris: ['https://robot.example/callback'],
        own_scopes: ['history:read', 'favorites:read'],
        ...spec,
      }
      const reply = await owner.ask(`/settings/accounts/${owner.userId}/clients`, { body })
      if (reply.status !== 201) throw new Error(`client: ${reply.status} ${reply.text}`)
      const { client_id, client_secret, redirect_uris } = reply.json.data.client
      return { id: client_id, redirectUri: redirect_uris[0] ?? '', ...(client_secret ? { secret: client_secret } : {}) }
    },
    ask,
    page,
    decide,
    authorize,
    token: (fields, headers) => post('token', undefined, fields, headers),
    redeem,
    async grant(visitor, app, changes) {
      const reply = await redeem(app, await authorize(visitor, app, changes))
      if (reply.status !== 200) throw new Error(`token: ${reply.status} ${reply.text}`)
      // Only tests of limits should meet them.
      const widen = 'UPDATE api_key SET per_minute = 100000, burst = 100000 WHERE client_id = $1'
      await at.world.owner.query(widen, [app.id])
      return reply.json as Tokens
    },
    refresh: (app, token, changes) =>
      post('token', app, { grant_type: 'refresh_token', refresh_token: token, ...changes }),
    revoke: (app, token, changes) => post('revoke', app, { token, ...changes }),
    introspect: (app, token, changes) => post('introspect', app, { token, ...changes }),
    show(token, audience = 'v1', node = at.url) {
      const headers = { authorization: `Bearer ${token}`, accept: 'application/json, text/event-stream' }
      if (audience === 'v1') return at.visitor().ask(`${node}/v1/favorites`, { headers })
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
      return at.visitor().ask(`${node}/mcp`, { body, headers })
    },
  }
}

/**
 * As a browser goes to an address. Not by fetch: it sends a header that makes the authorization endpoint answer with a
 * body instead of a redirect.
 */
export async function navigate(at: PeopleWorld, visitor: Visitor, address: string): Promise<Reply> {
  const { statusCode, headers, body } = await request(new URL(address, at.url), {
    dispatcher: at.agent,
    headers: {
      accept: 'text/html',
      // Not theirs: a test asks more often in a second than a person does in an hour.
      'x-forwarded-for': at.visitor().address,
      cookie: [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    },
  })
  const text = await body.text()
  const of = (name: string) => [headers[name] ?? []].flat()
  at.leaks.record(of('location').join())
  const isJson = of('content-type').join().includes('json')
  return {
    status: statusCode,
    headers: { get: (name) => of(name.toLowerCase()).join(', ') || null, getSetCookie: () => of('set-cookie') },
    text,
    json: isJson && text ? JSON.parse(text) : undefined,
  }
}

/** One after the other: each person may say yes thirty times in a row. */
export function inTurn<T>(people: readonly T[]): () => T {
  let turn = 0
  return () => {
    const next = people[turn++ % people.length]
    if (next === undefined) throw new Error('nobody is there')
    return next
  }
}

export function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url')
}

/** RFC 6749 §2.3.1: each half is encoded as in a form. */
export function basic(id: string, secret: string): string {
  return `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`
}

/** How an endpoint refuses (RFC 6749 §5.2). Whatever it says, no credential is in it. */
export function refusalOf(reply: Reply): string {
  if (/nw[arc]_\w{8}/.test(reply.text)) throw new Error('a credential is in the refusal')
  return `${reply.status} ${reply.json?.error}`
}

/**
 * How a person's browser is sent back with an error (RFC 6749 §4.1.2.1): where to, which error, the state, the issuer. To an
 * application that the person has not agreed to it is sent by a link on a page.
 */
export function returnOf(reply: Reply): Record<string, string | null> {
  const url = new URL(locationOf(reply) || linkOf(reply))
  const said = url.hash === '' ? url.searchParams : new URLSearchParams(url.hash.slice(1))
  if (said.has('code')) throw new Error('this is a code, not an error')
  return {
    to: `${url.protocol}//${url.host}${url.pathname}`,
    error: said.get('error'),
    state: said.get('state'),
    iss: said.get('iss'),
  }
}

/** Where the page that stands in front of an application leads. */
export function linkOf({ text }: Reply): string {
  return unescape(/<a href="([^"]*)" rel="noreferrer">/.exec(text)?.[1] ?? '')
}

export function locationOf(reply: Reply): string {
  return reply.headers.get('location') ?? ''
}

export function hiddenOf(page: Reply): Record<string, string> {
  const found = page.text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)
  return Object.fromEntries([...found].map(([, name = '', value = '']) => [name, unescape(value)]))
}

function formOf(fields: Fields): URLSearchParams {
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) {
    for (const one of typeof value === 'string' ? [value] : (value ?? [])) form.append(name, one)
  }
  return form
}

function unescape(text: string): string {
  return text.replaceAll(/&#(\d+);/g, (_all, code: string) => String.fromCharCode(Number(code)))
}
