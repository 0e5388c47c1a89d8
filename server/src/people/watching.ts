/**
 * What is told to the rest of the program when something happens to a person: letters to send, events to note, and
 * that somebody has come. What they say of themselves is put in order on the way in.
 */
import { createAuthMiddleware, isAPIError } from 'better-auth/api'
import { matchLanguage } from '../model/language.ts'
import type { SecurityAction } from '../model/security-action.ts'
import type { UserId } from '../model/member.ts'
import { shownName } from '../model/shown-name.ts'
import { ADDRESS_HEADER } from './conventions.ts'
import { proverOf, textOf } from './refusing.ts'
import type { HookContext } from './refusing.ts'

export interface Newcomer {
  readonly userId: UserId
  readonly name: string
  readonly language: string | null
}

export interface PersonEvent {
  readonly action: SecurityAction
  readonly userId: UserId
  readonly ip: string | undefined
}

export type LinkKind = 'verify' | 'reset' | 'exists'

export interface Watcher {
  /** Before somebody's first session and at each later one: whatever they need must be there afterwards. */
  welcome(person: Newcomer): Promise<void>
  happened(event: PersonEvent): void
  sendLink(kind: LinkKind, to: { email: string; name: string; language: string | null }, url: string): void
}

interface User {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly [field: string]: unknown
}

/** What somebody new says of themselves, or their provider of them. */
interface Said {
  readonly name: string
  readonly email: string
  readonly [field: string]: unknown
}

interface Synthetic {
  readonly coreFields: { readonly name: string; readonly email: string }
  readonly additionalFields: Record<string, unknown>
  readonly id: string
}

type Asked = { readonly path?: string | undefined; readonly headers?: Headers | undefined } | null

/** What a successful answer at a path means for the person who is signed in. */
const ACTIONS: Readonly<Record<string, SecurityAction>> = {
  '/change-password': 'password_changed',
  '/two-factor/disable': 'two_factor_off',
  '/two-factor/generate-backup-codes': 'recovery_codes_made',
  '/passkey/verify-registration': 'passkey_added',
  '/passkey/delete-passkey': 'passkey_removed',
}

/** Where a session only takes the place of the one before. */
const RENEWING: ReadonlySet<string> = new Set(['/change-password', '/two-factor/disable'])
/** Where a wrong answer means that somebody has the password, and may not be its owner. */
const SECOND_STEPS: ReadonlySet<string> = new Set(['/two-factor/verify-totp', '/two-factor/verify-backup-code'])

export function watching(
  watcher: Watcher,
  { resetPage, proveAddress }: { resetPage: string; proveAddress: (userId: string) => Promise<void> },
) {
  const languageOf = (user: User) => (typeof user['language'] === 'string' ? user['language'] : null)
  const tell = (action: SecurityAction, userId: string, headers: Headers | undefined) =>
    watcher.happened({ action, userId: userId as UserId, ip: headers?.get(ADDRESS_HEADER) ?? undefined })
  const addressee = (user: User) => ({ email: user.email, name: user.name, language: languageOf(user) })

  return {
    emailAndPassword: {
      sendResetPassword: async ({ user, token }: { user: User; token: string }) =>
        watcher.sendLink('reset', addressee(user), `${resetPage}?token=${token}`),
      onPasswordReset: async ({ user }: { user: User }, request?: Request) => {
        await proveAddress(user.id)
        tell('password_reset', user.id, request?.headers)
      },
      onExistingUserSignUp: async ({ user }: { user: User }) => watcher.sendLink('exists', addressee(user), resetPage),
      // What is answered for an address that is taken must look like what is answered for a new one.
      customSyntheticUser: ({ coreFields, additionalFields, id }: Synthetic) => ({
        ...coreFields,
        ...inOrder({ ...coreFields, ...additionalFields }),
        id,
      }),
    },
    emailVerification: {
      sendVerificationEmail: async ({ user, url }: { user: User; url: string }) =>
        watcher.sendLink('verify', addressee(user), url),
      afterEmailVerification: async (user: User, request?: Request) =>
        tell('email_verified', user.id, request?.headers),
    },
    databaseHooks: {
      user: {
        create: {
          before: async (user: Said) => ({ data: { ...user, ...inOrder(user) } }),
          after: async (user: User, ctx: Asked) => {
            await watcher.welcome({ userId: user.id as UserId, name: user.name, language: languageOf(user) })
            tell('signed_up', user.id, ctx?.headers)
          },
        },
      },
      account: {
        create: {
          // They are of use only to whoever steals them: nothing here asks a provider anything later.
          before: async (login: Record<string, unknown>) => ({
            data: { ...login, accessToken: null, refreshToken: null, idToken: null },
          }),
        },
      },
      session: {
        delete: {
          after: async ({ userId }: { userId: string }, ctx: Asked) => {
            if (ctx?.path === '/sign-out') tell('signed_out', userId, ctx.headers)
          },
        },
      },
    },
    after: createAuthMiddleware(async (ctx) => {
      const { newSession, session, returned } = ctx.context
      const failed = isAPIError(returned) && returned.statusCode >= 400
      if (newSession && !failed && !RENEWING.has(ctx.path)) {
        const { user } = newSession
        await endReplaced(ctx, newSession.session.token)
        await watcher.welcome({ userId: user.id as UserId, name: user.name, language: languageOf(user) })
        // Turning the second factor on also renews the session.
        const isSecond = ctx.path === '/two-factor/verify-totp' && session && session.user['twoFactorEnabled'] !== true
        tell(isSecond ? 'two_factor_on' : 'signed_in', user.id, ctx.headers)
      }
      const action = ACTIONS[ctx.path]
      if (action && session && !failed) tell(action, session.user.id, ctx.headers)
      if (failed && !session && SECOND_STEPS.has(ctx.path)) {
        const userId = await proverOf(ctx)
        if (userId !== undefined) tell('sign_in_failed', userId, ctx.headers)
      }
      if (ctx.path === '/sign-in/email' && failed) {
        const email = textOf((ctx.body as { email?: unknown }).email).toLowerCase()
        // Looked up after the answer is decided, so that it takes no longer for those who exist.
        const found = ctx.context.internalAdapter.findUserByEmail(email)
        void found.then((known) => known && tell('sign_in_failed', known.user.id, ctx.headers)).catch(() => {})
      }
    }),
  }
}

/** The cookie of the session before is overwritten, so nobody could end it any more. */
async function endReplaced(ctx: HookContext, token: string): Promise<void> {
  const { authCookies, internalAdapter, secret } = ctx.context
  const before = await ctx.getSignedCookie(authCookies.sessionToken.name, secret)
  if (before && before !== token) await internalAdapter.deleteSession(before)
}

/** A name that can stand in a letter, a language we have, and no picture from elsewhere. */
function inOrder({ name, email, language }: Said) {
  const [local = ''] = email.split('@')
  return {
    name: shownName(name) || shownName(local),
    language: typeof language === 'string' ? (matchLanguage(language) ?? null) : null,
    image: null,
  }
}
