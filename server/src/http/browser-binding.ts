/**
 * Identifies the browser that signed up, or asked for a sign-in link, by a cookie. The link in the email then needs no
 * password in this browser. In any other browser a confirmation link needs the password of the sign-up, and a sign-in
 * link is refused. A person who signed up with an identity provider has no password, and confirms in this browser only.
 */
import { randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { LINK_SECONDS } from '../features/sign-in/people.ts'

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
