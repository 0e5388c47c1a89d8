/**
 * What is refused before Better Auth looks at it, because it would take it: passwords that are tried first, a code of
 * an authenticator app for the second time, an ID token that a browser brings along instead of being sent for it.
 */
import { APIError, createAuthMiddleware, getSessionFromCtx } from 'better-auth/api'
import { isWeak } from './password.ts'
import type { ClaimCode } from './used-codes.ts'

export type HookContext = Parameters<typeof getSessionFromCtx>[0]

/** Where a new password stands in the body of a path. */
const NEW_PASSWORDS: Readonly<Record<string, string>> = {
  '/sign-up/email': 'password',
  '/reset-password': 'newPassword',
  '/change-password': 'newPassword',
}

export function refusing(claim: ClaimCode) {
  return createAuthMiddleware(async (ctx) => {
    const body = (ctx.body ?? {}) as Record<string, unknown>
    const text = body[NEW_PASSWORDS[ctx.path] ?? '']
    if (typeof text === 'string' && isWeak(text, await addressOf(ctx, body))) {
      throw new APIError('BAD_REQUEST', { code: 'WEAK_PASSWORD', message: 'This password is too easy to guess.' })
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

/** The address of the person whose password this would be, as far as it is known by now. */
async function addressOf(ctx: HookContext, body: Record<string, unknown>): Promise<string> {
  if (ctx.path === '/sign-up/email') return textOf(body['email'])
  if (ctx.path === '/change-password') return (await getSessionFromCtx(ctx))?.user.email ?? ''
  const { internalAdapter } = ctx.context
  const link = await internalAdapter.findVerificationValue(`reset-password:${textOf(body['token'])}`)
  return (link && (await internalAdapter.findUserById(link.value))?.email) ?? ''
}

/** What is no text is refused by Better Auth. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Who is asked for a second factor: somebody signed in, or somebody whose password was right a moment ago. */
export async function proverOf(ctx: HookContext): Promise<string | undefined> {
  const session = await getSessionFromCtx(ctx)
  if (session) return session.user.id
  const { name } = ctx.context.createAuthCookie('two_factor')
  const challenge = await ctx.getSignedCookie(name, ctx.context.secret)
  if (!challenge) return undefined
  return (await ctx.context.internalAdapter.findVerificationValue(challenge))?.value
}
