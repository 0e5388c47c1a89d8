/**
 * People: identity, authentication, and the applications that a person authorized.
 *
 * Better Auth implements the protocols (`handle`). Everything else that the program needs of people is a method here,
 * so that no other module depends on Better Auth. It reads and writes only the schema `people`. Changes to accounts
 * when a person is created or deleted are made by the flows, through the hooks they pass in.
 */
import { asUnavailable } from '../../platform/db/db.ts'
import { openPeoplePool } from '../../platform/db/people-pool.ts'
import type { UserId } from '../../model/member.ts'
import { listingSignInMethods, type SignInMethods } from './account-recovery.ts'
import { openAddressChange, type AddressChange } from './address-change.ts'
import { openAddressProof, type AddressProof } from './address-proof.ts'
import type { AuthOptions } from './auth.ts'
import { cookiePrefixOf } from './conventions.ts'
import { openClients, type Clients } from './clients.ts'
import { openEmailedLinks } from './emailed-links.ts'
import { removeExpired } from './expired-rows.ts'
import { openPersonalData, type PersonalData } from './personal-data.ts'
import { openOnboarding, type Onboarding } from './onboarding.ts'
import { openPasses, type Passes } from './passes.ts'
import { createResigning } from './resigning.ts'
import { openSessions, type Sessions } from './sessions.ts'
import { openSignInLinks, type SignInLinks, type StoreToken } from './sign-in-links.ts'
import type { Person } from '../../model/person.ts'
import { createStart } from './start.ts'
import { openStepUp, type StepUp } from './step-up.ts'

export { AUTH_PATH, BROWSER_HEADER, SIGN_IN_LINK_PATH } from './conventions.ts'
export type { SignInMethods } from './account-recovery.ts'
export type { PendingConfirmation } from './address-proof.ts'
export type { ClientRow, ClientSpec } from './clients.ts'
export type { FirstSignUp as NewPerson } from './onboarding.ts'
export { LINK_SECONDS } from './emailed-links.ts'
export { WEB_CLIENT } from './passes.ts'
export type { NewUser, PersonEvent, Watcher } from './auth-hooks.ts'

export interface PeopleOptions extends Omit<AuthOptions, 'people'> {
  readonly databaseUrl: string
}

export interface People
  extends Sessions, Clients, Onboarding, PersonalData, Passes, AddressProof, AddressChange, SignInLinks, StepUp {
  /** The providers that people may sign in with. */
  readonly providers: readonly string[]
  /** Everything under /auth: sign-up, sign-in, second factors, passkeys, the authorization server. */
  handle(request: Request): Promise<Response>
  /** The signed-in person, from the cookie in these headers. */
  whoIs(headers: Headers): Promise<Person | undefined>

  /** The person whose password a reset link sets; undefined when the link is not valid. */
  findReset(token: string): Promise<UserId | undefined>
  listSignInMethods(userId: UserId): Promise<SignInMethods>
  changeProfile(
    userId: UserId,
    change: { name?: string | undefined; language?: string | null | undefined },
  ): Promise<void>
  find(userId: UserId): Promise<{ name: string; email: string; language: string | null } | undefined>
  /** Names and addresses of these people; deleted people are left out. */
  namesOf(userIds: readonly string[]): Promise<ReadonlyMap<string, { name: string; email: string }>>
  close(): Promise<void>
}

const SWEEP_EVERY_MS = 600_000

export function openPeople(options: PeopleOptions): People {
  const people = openPeoplePool({ url: options.databaseUrl })
  const ready = createStart({ ...options, people })
  const resigning = createResigning(options.secrets, cookiePrefixOf(options.publicUrl))
  const handle = async (request: Request) => (await ready()).auth.handler(resigning.request(request))
  const encrypt = async (data: string) => (await ready()).encrypt(data)
  const storeSignInToken: StoreToken = async (token, email, expiresAt) => {
    const { internalAdapter } = (await ready()).context
    // As the plugin stores the tokens that it creates itself.
    const value = JSON.stringify({ type: 'magic-link', email })
    await internalAdapter.createVerificationValue({ identifier: `magic-link:${token}`, value, expiresAt })
  }
  const sweep = setInterval(() => {
    removeExpired(people).catch((error: unknown) =>
      options.log.warn({ err: error }, 'expired rows could not be removed'),
    )
  }, SWEEP_EVERY_MS).unref()

  return {
    ...openSessions(people),
    ...openClients(people, { now: options.now, encrypt }),
    ...openOnboarding(people, options),
    ...openPersonalData(people),
    ...openAddressProof(people, (userId, ip) => options.watcher.happened({ action: 'email_verified', userId, ip })),
    ...openAddressChange(people),
    ...openSignInLinks(people, storeSignInToken, options.now),
    ...openPasses(people, { now: options.now, resource: options.resourceOf('v1') }),
    providers: options.providers.map(({ name }) => name),
    findReset: (token) => openEmailedLinks(people).find('reset', token),
    listSignInMethods: listingSignInMethods(people),
    ...openStepUp(people, { publicUrl: options.publicUrl, handle, now: options.now }),
    handle,

    async whoIs(headers) {
      const { auth } = await ready()
      const asking = auth.api.getSession({ headers: resigning.headers(headers), query: { disableRefresh: true } })
      const found = await asking.catch((error: unknown) => {
        throw asUnavailable(error)
      })
      if (!found) return undefined
      const { user, session } = found
      return {
        userId: user.id as UserId,
        email: user.email,
        name: user.name,
        language: user.language ?? null,
        twoFactor: user.twoFactorEnabled === true,
        sessionId: session.id,
        provedAt: session.provedAt ?? session.createdAt,
      }
    },

    async changeProfile(userId, { name, language }) {
      await people.run(
        `UPDATE "user" SET name = coalesce($2, name), language = CASE WHEN $3 THEN $4 ELSE language END, updated_at = now()
         WHERE id = $1`,
        [userId, name, language !== undefined, language],
      )
    },

    async find(userId) {
      const text = 'SELECT name, email, language FROM "user" WHERE id = $1'
      const [found] = await people.run<{ name: string; email: string; language: string | null }>(text, [userId])
      return found
    },

    async namesOf(userIds) {
      if (userIds.length === 0) return new Map()
      const rows = await people.run<{ id: string; name: string; email: string }>(
        'SELECT id, name, email FROM "user" WHERE id = ANY ($1)',
        [userIds],
      )
      return new Map(rows.map(({ id, name, email }) => [id, { name, email }]))
    },

    async close() {
      clearInterval(sweep)
      await people.close()
    },
  }
}
