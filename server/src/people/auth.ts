/**
 * Better Auth, set up: which ways in there are, how long things last, what is stored how.
 *
 * Stored: passwords as argon2id; sessions, reset links, codes and tokens as SHA-256; second factors, recovery codes and
 * the secrets of applications encrypted with the service's secret; tokens of providers not at all.
 *
 * A passkey is both factors: the device, and the finger, face or PIN that unlocks it. Whoever signs in with a provider
 * has the provider's word for it, and is not asked for a code of ours.
 */
import { passkey } from '@better-auth/passkey'
import { kyselyAdapter } from '@better-auth/kysely-adapter'
import { betterAuth } from 'better-auth'
import { isAPIError } from 'better-auth/api'
import type { BetterAuthOptions } from 'better-auth'
import { twoFactor } from 'better-auth/plugins'
import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely'
import type { Provider } from '../config/parse.ts'
import type { PeoplePool } from '../db/people-pool.ts'
import type { Logger } from '../log.ts'
import type { Audience } from '../model/caller.ts'
import { makeId } from '../model/id.ts'
import { ADDRESS_HEADER, AUTH_PATH, RECENT_SECONDS } from './conventions.ts'
import { authorizationServer } from './authorization-server.ts'
import { clientDocuments } from './client-documents.ts'
import type { Send } from './client-documents.ts'
import { withHashedSessions } from './hashed-sessions.ts'
import { password, PASSWORD_MAX, PASSWORD_MIN } from './password.ts'
import { provingPresence } from './presence.ts'
import { provingAddress } from './proven-address.ts'
import { refusing } from './refusing.ts'
import { signInWith } from './sign-in-with.ts'
import { claimingCodes } from './used-codes.ts'
import { watching } from './watching.ts'
import type { Watcher } from './watching.ts'

const SESSION_SECONDS = 7 * 86_400
const LINK_SECONDS = 3_600

export { symmetricEncrypt } from 'better-auth/crypto'

export interface AuthOptions {
  readonly people: PeoplePool
  readonly publicUrl: string
  readonly secret: string
  readonly signUp: 'open' | 'invited'
  readonly providers: readonly Provider[]
  readonly resourceOf: (audience: Audience) => string
  readonly send: Send
  readonly watcher: Watcher
  readonly log: Logger
  readonly now: () => number
}

export type Auth = ReturnType<typeof createAuth>

export function createAuth(options: AuthOptions) {
  const { people, publicUrl, secret, signUp, providers, resourceOf, send, watcher, log, now } = options
  const kysely = new Kysely<object>({
    dialect: new PostgresDialect({ pool: people.pool }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  })
  const adapter = kyselyAdapter(kysely, { type: 'postgres', transaction: true })
  const { hostname, protocol } = new URL(publicUrl)
  const isSecure = protocol === 'https:'
  const isOpen = signUp === 'open'
  const withProviders = signInWith(providers, { isOpen })
  const documents = clientDocuments({ send, now })
  const provider = authorizationServer({
    publicUrl,
    resourceOf,
    accountOf: (session) => (typeof session['accountId'] === 'string' ? session['accountId'] : undefined),
    extension: { clientDiscovery: documents.discovery },
  })
  documents.use(provider.options)
  const watched = watching(watcher, {
    resetPage: `${publicUrl}/reset-password`,
    proveAddress: provingAddress(people),
  })

  // What else comes with a message may name an address or a token.
  const say = (level: string, message: unknown) =>
    log.warn({ severity: level, said: String(message).slice(0, 200) }, 'signing in')

  return betterAuth({
    appName: 'Namewright',
    baseURL: publicUrl,
    basePath: AUTH_PATH,
    secret,
    database: (betterAuthOptions: BetterAuthOptions) => withHashedSessions(adapter(betterAuthOptions)),
    trustedOrigins: [new URL(publicUrl).origin],
    // The door in front of this counts, over all nodes; see limits/.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: {
      level: 'error',
      log: (level, message) => say(level, message),
    },
    onAPIError: {
      errorURL: `${publicUrl}/sign-in`,
      // A refusal is said to whoever asked; only what broke is worth a line.
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
      // A week after signing in it is over, however busy it was.
      disableSessionRefresh: true,
      freshAge: RECENT_SECONDS,
      additionalFields: { accountId: { type: 'string', required: false, input: false } },
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
      maxPasswordLength: PASSWORD_MAX,
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
    hooks: { before: refusing(claimingCodes(people)) },
    plugins: [
      twoFactor({
        issuer: 'Namewright',
        backupCodeOptions: { storeBackupCodes: 'encrypted' },
        // A device that is trusted once could not be listed, and would stay trusted after a reset of the password.
        trustDeviceMaxAge: 0,
      }),
      passkey({ rpID: hostname, rpName: 'Namewright', origin: new URL(publicUrl).origin, ...provingPresence }),
      withProviders.plugin,
      provider.plugin,
      // Behind the others: a password that still needs a code is no sign-in.
      { id: 'watching', hooks: { after: [{ matcher: () => true, handler: watched.after }] } },
    ],
    advanced: {
      // `__Host-`: browsers take it from this host alone, over HTTPS, for all paths.
      cookiePrefix: isSecure ? '__Host-namewright' : 'namewright',
      useSecureCookies: false,
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax', secure: isSecure, path: '/' },
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
      // A person's id is also the id of their own account.
      database: { generateId: () => makeId(now()), validateSchema: false },
      backgroundTasks: {
        handler: (task) => void task.catch((error: unknown) => log.warn({ err: error }, 'background')),
      },
    },
  })
}
