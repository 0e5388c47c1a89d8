/**
 * Refuses requests that Better Auth would accept: common passwords, reuse of an authenticator code, an ID token
 * supplied by the browser instead of fetched from the provider, a reset or sign-in link that is not the person's latest,
 * and a sign-in link in another browser.
 */
import { APIError, createAuthMiddleware, getSessionFromCtx } from 'better-auth/api'
import { BROWSER_HEADER, SIGN_IN_LINK_PATH } from './conventions.ts'
import type { EmailedLinks } from './emailed-links.ts'
import { findWeakness, WEAKNESSES } from './password.ts'
import type { ClaimCode } from './used-codes.ts'

export type HookContext = Parameters<typeof getSessionFromCtx>[0]

/** The body field that holds a new password, by path. */
const NEW_PASSWORDS: Readonly<Record<string, string>> = {
  '/sign-up/email': 'password',
  '/reset-password': 'newPassword',
  '/change-password': 'newPassword',
}

export function refusing({ claim, links }: { claim: ClaimCode; links: Pick<EmailedLinks, 'consume'> }) {
  return createAuthMiddleware(async (ctx) => {
    const body = (ctx.body ?? {}) as Record<string, unknown>
    const text = body[NEW_PASSWORDS[ctx.path] ?? '']
    const rule = typeof text === 'string' ? findWeakness(text, await addressOf(ctx, body)) : undefined
    if (rule !== undefined)
      throw new APIError('BAD_REQUEST', { code: 'WEAK_PASSWORD', message: WEAKNESSES[rule], rule })
    if (ctx.path === '/reset-password' && !(await links.consume('reset', textOf(body['token'])))) throw invalidToken()
    if (ctx.path === SIGN_IN_LINK_PATH) {
      const { token } = (ctx.query ?? {}) as { token?: unknown }
      const browser = ctx.headers?.get(BROWSER_HEADER) ?? ''
      if (!(await links.consume('sign_in', textOf(token), browser))) throw invalidToken()
    }
    if (ctx.path === '/two-factor/verify-totp' && typeof body['code'] === 'string') {
      const userId = await proverOf(ctx)
      if (userId !== undefined && !(await claim(userId, body['code']))) {
        throw new APIError('UNAUTHORIZED', { code: 'INVALID_CODE', message: 'Invalid code' })
      }
    }
    if (ctx.path === '/sign-in/social' && body['idToken'] !== undefined) {
      throw new APIError('BAD_REQUEST', { code: 'ID_TOKEN_NOT_SUPPORTED', message: 'id_token not supported' })
    }
  })
}

function invalidToken(): APIError {
  return new APIError('BAD_REQUEST', { code: 'INVALID_TOKEN', message: 'Invalid token' })
}

/** The address of the person whose password this would be, if it is known at this point. */
async function addressOf(ctx: HookContext, body: Record<string, unknown>): Promise<string> {
  if (ctx.path === '/sign-up/email') return textOf(body['email'])
  if (ctx.path === '/change-password') return (await getSessionFromCtx(ctx))?.user.email ?? ''
  const { internalAdapter } = ctx.context
  const link = await internalAdapter.findVerificationValue(`reset-password:${textOf(body['token'])}`)
  return (link && (await internalAdapter.findUserById(link.value))?.email) ?? ''
}

/** Better Auth refuses values that are not strings. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** The person who is asked for a second factor: signed in, or with a correct password a moment ago. */
export async function proverOf(ctx: HookContext): Promise<string | undefined> {
  const session = await getSessionFromCtx(ctx)
  if (session) return session.user.id
  const { name } = ctx.context.createAuthCookie('two_factor')
  const challenge = await ctx.getSignedCookie(name, ctx.context.secret)
  if (!challenge) return undefined
  return (await ctx.context.internalAdapter.findVerificationValue(challenge))?.value
}
