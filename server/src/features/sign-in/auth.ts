/**
 * Configures Better Auth: the ways to sign in, lifetimes, and how each kind of data is stored.
 *
 * Stored: passwords as argon2id; sessions, reset links, codes and tokens as SHA-256; second factors, recovery codes and
 * application secrets encrypted with the service's secret; provider tokens not at all.
 *
 * A link sent by email replaces the password, not the second factor.
 *
 * A passkey covers both factors: the device, and the finger, face or PIN that unlocks it. A sign-in with a provider
 * relies on the provider and does not ask for a code of ours.
 */
import { passkey } from '@better-auth/passkey'
import { kyselyAdapter } from '@better-auth/kysely-adapter'
import { betterAuth, type BetterAuthOptions } from 'better-auth'
import { isAPIError } from 'better-auth/api'
import { twoFactor } from 'better-auth/plugins'
import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely'
import type { Provider } from '../../platform/config/parse.ts'
import type { PeoplePool } from '../../platform/db/people-pool.ts'
import type { Logger } from '../../platform/log.ts'
import type { Audience } from '../../model/caller.ts'
import { makeId } from '../../model/id.ts'
import { provingByReset, replacingSignUps } from './account-recovery.ts'
import { ADDRESS_HEADER } from '../../http/settings/session-auth.ts'
import { AUTH_PATH, cookiePrefixOf } from './conventions.ts'
import { authorizationServer } from './authorization-server.ts'
import { clientDocuments, type DocumentLimit, type FetchDocument } from './client-documents.ts'
import { LINK_SECONDS, openEmailedLinks } from './emailed-links.ts'
import { withHashedSessions } from './hashed-sessions.ts'
import { password, PASSWORD_MAX, PASSWORD_MIN } from './password.ts'
import { verifyUser } from './user-verification.ts'
import { creatingSignUps } from './onboarding.ts'
import { refusing } from './refusing.ts'
import { alsoAfterLinks, signInLinkPlugin } from './sign-in-link-plugin.ts'
import { signInWith } from './sign-in-with.ts'
import { versionsOf, withAcceptedSecrets } from './stored-secrets.ts'
import { claimingCodes } from './used-codes.ts'
import { watching, type Watcher } from './auth-hooks.ts'

const SESSION_SECONDS = 7 * 86_400

export { encrypted } from './stored-secrets.ts'
export { requiringIdToken } from './sign-in-with.ts'

export interface AuthOptions {
  readonly people: PeoplePool
  readonly publicUrl: string
  /** The first signs and encrypts; all of them verify and decrypt. */
  readonly secrets: readonly string[]
  readonly signUp: 'open' | 'invited'
  readonly providers: readonly Provider[]
  readonly resourceOf: (audience: Audience) => string
  readonly send: FetchDocument
  readonly documentLimit: DocumentLimit
  readonly watcher: Watcher
  readonly log: Logger
  readonly now: () => number
}

export type Auth = ReturnType<typeof createAuth>

export function createAuth(options: AuthOptions) {
  const { people, publicUrl, secrets, signUp, providers, resourceOf, send, documentLimit, watcher, log, now } = options
  const kysely = new Kysely<object>({
    dialect: new PostgresDialect({ pool: people.pool }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  })
  const adapter = kyselyAdapter(kysely, { type: 'postgres', transaction: true })
  const { hostname, protocol } = new URL(publicUrl)
  const isSecure = protocol === 'https:'
  const isOpen = signUp === 'open'
  const withProviders = signInWith(providers, { isOpen })
  const documents = clientDocuments({ send, limit: documentLimit, now })
  const provider = authorizationServer({
    publicUrl,
    resourceOf,
    accountOf: (session) => (typeof session['accountId'] === 'string' ? session['accountId'] : undefined),
    extension: { clientDiscovery: documents.discovery },
  })
  documents.use(provider.options)
  const links = openEmailedLinks(people)
  const watched = watching(watcher, {
    publicUrl,
    links,
    proveByReset: provingByReset(people),
    createSignUp: creatingSignUps(people, now),
    replaceSignUp: replacingSignUps(people, now),
    onFailure: (error) => log.warn({ err: error }, 'sign-up could not be finished'),
  })
  const signInLink = signInLinkPlugin({
    publicUrl,
    links,
    watcher,
    sendConfirmation: watched.sendConfirmation,
    onFailure: (error) => log.warn({ err: error }, 'sign-in link could not be sent'),
  })

  // Other arguments of a message may contain an address or a token.
  const say = (level: string, message: unknown) =>
    log.warn({ severity: level, said: String(message).slice(0, 200) }, 'sign-in library message')

  return betterAuth({
    appName: 'Namewright',
    baseURL: publicUrl,
    basePath: AUTH_PATH,
    secrets: versionsOf(secrets),
    database: (betterAuthOptions: BetterAuthOptions) =>
      withAcceptedSecrets(withHashedSessions(adapter(betterAuthOptions)), secrets),
    trustedOrigins: [new URL(publicUrl).origin],
    // The routes in front of this enforce rate limits across all nodes; see limits/.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: {
      level: 'error',
      log: (level, message) => say(level, message),
    },
    onAPIError: {
      errorURL: `${publicUrl}/sign-in`,
      // The caller receives refusals as responses; only faults are logged.
      onError: (error) => {
        if (!isAPIError(error) || error.statusCode >= 500) say('error', error)
      },
    },
    user: {
      additionalFields: { language: { type: 'string', required: false, input: true } },
      validateUserInfo: withProviders.validate,
    },
    session: {
      expiresIn: SESSION_SECONDS,
      // A session ends a week after sign-in, however active it was.
      disableSessionRefresh: true,
      // http/step-up.ts decides how recent a proof must be.
      freshAge: 0,
      additionalFields: {
        accountId: { type: 'string', required: false, input: false },
        provedAt: { type: 'date', required: false, input: false },
      },
    },
    account: {
      modelName: 'login',
      updateAccountOnSignIn: false,
      accountLinking: { enabled: true, requireLocalEmailVerified: true },
    },
    verification: { storeIdentifier: 'hashed' },
    emailAndPassword: {
      enabled: true,
      disableSignUp: !isOpen,
      autoSignIn: false,
      requireEmailVerification: true,
      minPasswordLength: PASSWORD_MIN,
      // Better Auth counts before NFC, and at sign-in, too: the same password in NFD has up to four times the length.
      // `refusing.ts` enforces the maximum of a new one.
      maxPasswordLength: PASSWORD_MAX * 4,
      password,
      resetPasswordTokenExpiresIn: LINK_SECONDS,
      revokeSessionsOnPasswordReset: true,
      ...watched.emailAndPassword,
    },
    emailVerification: {
      expiresIn: LINK_SECONDS,
      sendOnSignIn: true,
      autoSignInAfterVerification: false,
      ...watched.emailVerification,
    },
    socialProviders: withProviders.socialProviders,
    databaseHooks: watched.databaseHooks,
    hooks: { before: refusing({ claim: claimingCodes(people), links }) },
    plugins: [
      signInLink,
      alsoAfterLinks(
        twoFactor({
          issuer: 'Namewright',
          backupCodeOptions: { storeBackupCodes: 'encrypted' },
          // A trusted device could not be listed, and would stay trusted after a password reset.
          trustDeviceMaxAge: 0,
        }),
      ),
      passkey({
        rpID: hostname,
        rpName: 'Namewright',
        origin: new URL(publicUrl).origin,
        // The camel case of its column; otherwise the id of a passkey is missing when it is read.
        schema: { passkey: { fields: { credentialID: 'credentialId' } } },
        ...verifyUser,
      }),
      withProviders.plugin,
      provider.plugin,
      // Runs after the others: a password that still needs a code is not a sign-in.
      { id: 'watching', hooks: { after: [{ matcher: () => true, handler: watched.after }] } },
    ],
    advanced: {
      cookiePrefix: cookiePrefixOf(publicUrl),
      useSecureCookies: false,
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax', secure: isSecure, path: '/' },
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
      // A person's id is also the id of their personal account.
      database: { generateId: () => makeId(now()), validateSchema: false },
      backgroundTasks: {
        handler: (task) => void task.catch((error: unknown) => log.warn({ err: error }, 'background task failed')),
      },
    },
  })
}
