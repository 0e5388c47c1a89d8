/**
 * Requests of a page to the sign-in server, on behalf of its visitor.
 *
 * A cookie identifies the browser that signed up, or asked for a sign-in link. The link in the email then needs no
 * password in this browser. In any other browser a confirmation link needs the password of the sign-up, and a sign-in
 * link is refused. A person who signed up with an identity provider has no password, and confirms in this browser only.
 */
import { randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../../../context.ts'
import { headersOf } from '../../../http/settings/session-auth.ts'
import type { PageVisit } from '../../../http/pages/visit.ts'
import { AUTH_PATH, BROWSER_HEADER, SIGN_IN_LINK_PATH } from '../conventions.ts'
import { LINK_SECONDS } from '../emailed-links.ts'

/** The response of the sign-in server to a request that a page makes for its visitor. */
export interface FormMessage {
  readonly body: Readonly<Record<string, unknown>>
  /** Its error code; empty if there is no error. */
  readonly fault: string
}

/** Passes cookies on to the visitor. Takes no limits: the caller must have taken them. */
export function askPeople(ctx: Context, visit: PageVisit, path: string, body: object): Promise<FormMessage> {
  const request = new Request(`${ctx.publicUrl}${AUTH_PATH}${path}`, {
    method: 'POST',
    headers: jsonHeadersOf(visit.request),
    body: JSON.stringify(body),
  })
  return messageOf(ctx, visit, request, path)
}

/** The same with the cookie that identifies the browser, for requests whose email has a link bound to it. */
export async function askBound(ctx: Context, visit: PageVisit, path: string, body: object): Promise<FormMessage> {
  const { value, cookie } = bindBrowser(ctx, visit.request)
  const headers = jsonHeadersOf(visit.request)
  headers.set(BROWSER_HEADER, value)
  const request = new Request(`${ctx.publicUrl}${AUTH_PATH}${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  visit.reply.header('set-cookie', cookie)
  return messageOf(ctx, visit, request, path)
}

/** Redeems a sign-in token in this browser. */
export function redeemSignIn(ctx: Context, visit: PageVisit, token: string): Promise<FormMessage> {
  const url = new URL(`${ctx.publicUrl}${AUTH_PATH}${SIGN_IN_LINK_PATH}`)
  url.searchParams.set('token', token)
  const headers = jsonHeadersOf(visit.request)
  const browser = boundBrowserOf(ctx, visit.request)
  if (browser !== undefined) headers.set(BROWSER_HEADER, browser)
  return messageOf(ctx, visit, new Request(url, { headers }), SIGN_IN_LINK_PATH)
}

async function messageOf(ctx: Context, visit: PageVisit, request: Request, path: string): Promise<FormMessage> {
  const response = await ctx.people.handle(request)
  if (response.status >= 500) throw new Error(`${path} failed with ${response.status}`)
  const cookies = response.headers.getSetCookie()
  if (cookies.length > 0) visit.reply.header('set-cookie', cookies)
  const text = await response.text()
  const said = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>
  const { code } = said
  const fault = response.status < 300 ? '' : typeof code === 'string' ? code : String(response.status)
  return { body: said, fault }
}

/** The headers of a form request, changed for a JSON request that is no navigation. */
export function jsonHeadersOf(request: FastifyRequest): Headers {
  const headers = headersOf(request)
  headers.delete('sec-fetch-mode')
  headers.delete('sec-fetch-site')
  headers.set('accept', 'application/json')
  headers.set('content-type', 'application/json')
  return headers
}

export interface BrowserBinding {
  readonly value: string
  /** For `Set-Cookie`. */
  readonly cookie: string
}

export function bindBrowser(ctx: Context, request: FastifyRequest): BrowserBinding {
  const value = boundBrowserOf(ctx, request) ?? randomBytes(24).toString('base64url')
  const secure = isSecure(ctx) ? '; Secure' : ''
  return {
    value,
    cookie: `${nameOf(ctx)}=${value}; Max-Age=${LINK_SECONDS}; Path=/; HttpOnly${secure}; SameSite=Lax`,
  }
}

export function boundBrowserOf(ctx: Context, { headers }: FastifyRequest): string | undefined {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim().split('='))
  const value = pairs.find(([name]) => name === nameOf(ctx))?.[1]
  return value !== undefined && /^[\w-]{32}$/.test(value) ? value : undefined
}

function nameOf(ctx: Context): string {
  return isSecure(ctx) ? '__Host-namewright.browser' : 'namewright.browser'
}

function isSecure({ publicUrl }: Context): boolean {
  return publicUrl.startsWith('https:')
}
