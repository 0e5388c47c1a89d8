/**
 * Better Auth hooks: when something happens to a person, they trigger emails, audit log entries and onboarding. They
 * also normalize the profile data of new people.
 */
import { queueAfterTransactionHook } from '@better-auth/core/context'
import { APIError, createAuthMiddleware, isAPIError } from 'better-auth/api'
import { matchLanguage } from '../../model/language.ts'
import type { SecurityAction } from '../../model/security-action.ts'
import type { UserId } from '../../model/member.ts'
import { shownName } from '../../model/shown-name.ts'
import type { Evicted, SignUp } from './account-recovery.ts'
import { ADDRESS_HEADER } from '../../http/settings/session-auth.ts'
import { BROWSER_HEADER, STEP_UP_HEADER } from './conventions.ts'
import { isPathInEmail, type EmailedLinks } from './emailed-links.ts'
import { proverOf, textOf, type HookContext } from './refusing.ts'

export interface NewUser {
  readonly userId: UserId
  readonly name: string
  readonly language: string | null
}

export interface PersonEvent {
  readonly action: SecurityAction
  readonly userId: UserId
  readonly ip: string | undefined
  /** The session in which it happened, or which it started. */
  readonly sessionId?: string | undefined
}

export type LinkKind = 'verify' | 'reset' | 'exists' | 'sign_in'

export interface Watcher {
  /** Runs before a person's first session and at each later one; creates everything that the person needs. */
  welcome(person: NewUser): Promise<void>
  happened(event: PersonEvent): void
  /** A later sign-up replaced an unconfirmed one with the same address: the account gets the new name. */
  replaced(person: NewUser): Promise<void>
  sendLink(kind: LinkKind, to: { email: string; name: string; language: string | null }, url: string): void
}

interface User {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly [field: string]: unknown
}

/** Profile data from a new person or their provider. */
interface AuthResponse {
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

/** The security action of a successful response, by path. */
const ACTIONS: Readonly<Record<string, SecurityAction>> = {
  '/change-password': 'password_changed',
  '/two-factor/disable': 'two_factor_off',
  '/two-factor/generate-backup-codes': 'recovery_codes_made',
  '/passkey/verify-registration': 'passkey_added',
  '/passkey/delete-passkey': 'passkey_removed',
}

const SIGN_UP = '/sign-up/email'
/** Paths where a new session only replaces the previous one. */
const RENEWING: ReadonlySet<string> = new Set(['/change-password', '/two-factor/disable'])
/** Paths where a wrong code means that somebody has the password, perhaps not its owner. */
const SECOND_STEPS: ReadonlySet<string> = new Set(['/two-factor/verify-totp', '/two-factor/verify-backup-code'])

interface WatchingOptions {
  readonly publicUrl: string
  readonly links: EmailedLinks
  readonly proveByReset: (userId: string) => Promise<Evicted>
  /** Undefined when another sign-up with this address was first. */
  readonly createSignUp: (email: string, signUp: SignUp) => Promise<UserId | undefined>
  readonly replaceSignUp: (userId: string, signUp: SignUp) => Promise<boolean>
  readonly onFailure: (error: unknown) => void
}

export function watching(
  watcher: Watcher,
  { publicUrl, links, proveByReset, createSignUp, replaceSignUp, onFailure }: WatchingOptions,
) {
  const resetPage = `${publicUrl}/reset-password`
  const languageOf = (user: User) => (typeof user['language'] === 'string' ? user['language'] : null)
  const tell = (action: SecurityAction, userId: string, headers: Headers | undefined, sessionId?: string) =>
    watcher.happened({ action, userId: userId as UserId, ip: headers?.get(ADDRESS_HEADER) ?? undefined, sessionId })
  const addressee = (user: User) => ({ email: user.email, name: user.name, language: languageOf(user) })

  const sendConfirmation = async (user: User, browser?: string, to?: unknown) => {
    const page = new URL('/confirm-email', publicUrl)
    page.searchParams.set('token', await links.issue('confirm', user.id, { browser }))
    if (isPathInEmail(to)) page.searchParams.set('to', to)
    watcher.sendLink('verify', addressee(user), page.href)
  }

  /** Runs after the response, which is the same for every address and took the same work. */
  async function finishSignUp(ctx: HookContext): Promise<void> {
    const {
      email: typed,
      password,
      callbackURL: to,
      ...said
    } = ctx.body as AuthResponse & {
      password: string
      callbackURL?: unknown
    }
    const email = typed.toLowerCase()
    const { name, language } = inOrder({ ...said, email })
    const known = (await ctx.context.internalAdapter.findUserByEmail(email))?.user
    if (known?.emailVerified) return watcher.sendLink('exists', addressee(known), resetPage)
    const signUp = { name, language, password }
    if (known) {
      if (!(await replaceSignUp(known.id, signUp))) return
      await watcher.replaced({ userId: known.id as UserId, name, language })
    }
    const id = known?.id ?? (await createSignUp(email, signUp))
    if (id === undefined) return
    if (!known) {
      await watcher.welcome({ userId: id as UserId, name, language })
      tell('signed_up', id, ctx.headers)
    }
    await sendConfirmation({ id, email, name, language }, ctx.headers?.get(BROWSER_HEADER) ?? undefined, to)
  }

  return {
    sendConfirmation,
    emailAndPassword: {
      sendResetPassword: async ({ user, token }: { user: User; token: string }) => {
        await links.issue('reset', user.id, { token })
        watcher.sendLink('reset', addressee(user), `${resetPage}?token=${token}`)
      },
      onPasswordReset: async ({ user }: { user: User }, request?: Request) => {
        const { passkeys } = await proveByReset(user.id)
        tell('password_reset', user.id, request?.headers)
        if (passkeys > 0) tell('passkey_removed', user.id, request?.headers)
      },
      // The response for a taken address must look like the response for a new one.
      customSyntheticUser: ({ coreFields, additionalFields, id }: Synthetic) => ({
        ...coreFields,
        ...inOrder({ ...coreFields, ...additionalFields }),
        id,
      }),
    },
    emailVerification: {
      // The person becomes visible to the connection that stores the link once the sign-up is committed.
      sendVerificationEmail: async ({ user }: { user: User }, request?: Request) =>
        queueAfterTransactionHook(() => sendConfirmation(user, request?.headers.get(BROWSER_HEADER) ?? undefined)),
    },
    databaseHooks: {
      user: {
        create: {
          before: async (user: AuthResponse, ctx: Asked) => {
            // The response must not take longer for a new address. Better Auth then answers as for a known one.
            if (ctx?.path === SIGN_UP) throw new APIError('FORBIDDEN')
            return { data: { ...user, ...inOrder(user) } }
          },
          after: async (user: User, ctx: Asked) => {
            await watcher.welcome({ userId: user.id as UserId, name: user.name, language: languageOf(user) })
            tell('signed_up', user.id, ctx?.headers)
          },
        },
      },
      account: {
        create: {
          // These tokens would only be useful to a thief: the service makes no later requests to a provider.
          before: async (login: Record<string, unknown>) => ({
            data: { ...login, accessToken: null, refreshToken: null, idToken: null },
          }),
        },
      },
      session: {
        delete: {
          after: async ({ id, userId }: { id: string; userId: string }, ctx: Asked) => {
            if (ctx?.path === '/sign-out') tell('signed_out', userId, ctx.headers, id)
          },
        },
      },
    },
    after: createAuthMiddleware(async (ctx) => {
      const { newSession, session, returned } = ctx.context
      const failed = isAPIError(returned) && returned.statusCode >= 400
      const isStepUp = ctx.headers?.has(STEP_UP_HEADER) === true
      if (newSession && !failed && !isStepUp && !RENEWING.has(ctx.path)) {
        const { user } = newSession
        await endReplaced(ctx, newSession.session.token)
        await watcher.welcome({ userId: user.id as UserId, name: user.name, language: languageOf(user) })
        // Turning on the second factor also renews the session.
        const isSecond = ctx.path === '/two-factor/verify-totp' && session && session.user['twoFactorEnabled'] !== true
        tell(isSecond ? 'two_factor_on' : 'signed_in', user.id, ctx.headers, newSession.session.id)
      }
      if (ctx.path === SIGN_UP && !failed) void finishSignUp(ctx).catch(onFailure)
      const action = ACTIONS[ctx.path]
      if (action && session && !failed) tell(action, session.user.id, ctx.headers, session.session.id)
      if (failed && !session && SECOND_STEPS.has(ctx.path)) {
        const userId = await proverOf(ctx)
        if (userId !== undefined) tell('sign_in_failed', userId, ctx.headers)
      }
      if (ctx.path === '/sign-in/email' && failed) {
        const email = textOf((ctx.body as { email?: unknown }).email).toLowerCase()
        // Looked up after the response is decided, so that it takes no longer for existing people.
        const found = ctx.context.internalAdapter.findUserByEmail(email)
        void found.then((known) => known && tell('sign_in_failed', known.user.id, ctx.headers)).catch(() => {})
      }
    }),
  }
}

/** The cookie of the previous session is overwritten, so nobody could end that session any more. */
async function endReplaced(ctx: HookContext, token: string): Promise<void> {
  const { authCookies, internalAdapter, secret } = ctx.context
  const before = await ctx.getSignedCookie(authCookies.sessionToken.name, secret)
  if (before && before !== token) await internalAdapter.deleteSession(before)
}

/** A name that is safe in an email, a supported language, and no external picture. */
function inOrder({ name, email, language }: AuthResponse) {
  const [local = ''] = email.split('@')
  return {
    name: shownName(name) || shownName(local),
    language: typeof language === 'string' ? (matchLanguage(language) ?? null) : null,
    image: null,
  }
}
