/**
 * People: who somebody is, how they prove it, and which applications they let act for them.
 *
 * Better Auth does the protocols (`handle`); everything the rest of the program needs of people is a method here, so
 * that nobody else knows what it is built on. It reads and writes the schema `people` and nothing else; what happens
 * to accounts when a person comes or goes is told to the flows that opened it.
 */
import { asUnavailable } from '../db/db.ts'
import { openPeoplePool } from '../db/people-pool.ts'
import type { PeoplePool } from '../db/people-pool.ts'
import type { UserId } from '../model/member.ts'
import type { AuthOptions } from './auth.ts'
import { openClients } from './clients.ts'
import type { Clients } from './clients.ts'
import { openFarewells } from './farewells.ts'
import type { Farewells } from './farewells.ts'
import { openNewcomers } from './newcomers.ts'
import type { Newcomers } from './newcomers.ts'
import { openPasses } from './passes.ts'
import type { Passes } from './passes.ts'
import { openSessions } from './sessions.ts'
import type { Sessions } from './sessions.ts'
import { createStart } from './start.ts'

export { ADDRESS_HEADER, AUTH_PATH, RECENT_SECONDS } from './conventions.ts'
export type { ClientRow, ClientSpec } from './clients.ts'
export { WEB_CLIENT } from './passes.ts'
export type { Newcomer, PersonEvent, Watcher } from './watching.ts'

/** Somebody with a live session. */
export interface Person {
  readonly userId: UserId
  readonly email: string
  readonly name: string
  readonly language: string | null
  readonly twoFactor: boolean
  readonly sessionId: string
  readonly signedInAt: Date
}

export interface PeopleOptions extends Omit<AuthOptions, 'people'> {
  readonly databaseUrl: string
}

export interface People extends Sessions, Clients, Newcomers, Farewells, Passes {
  /** Names of the providers people may sign in with. */
  readonly providers: readonly string[]
  /** Everything under /auth: sign-up, sign-in, second factors, passkeys, the authorization server. */
  handle(request: Request): Promise<Response>
  /** Who sends these headers (their cookie), if anybody. */
  whoIs(headers: Headers): Promise<Person | undefined>

  changeProfile(
    userId: UserId,
    change: { name?: string | undefined; language?: string | null | undefined },
  ): Promise<void>
  find(userId: UserId): Promise<{ name: string; email: string; language: string | null } | undefined>
  /** Names and addresses of these people; those who are gone are left out. */
  namesOf(userIds: readonly string[]): Promise<ReadonlyMap<string, { name: string; email: string }>>
  close(): Promise<void>
}

// What has expired is of no use to anybody; a few are removed at a time so that no statement is long.
const SWEEP_EVERY_MS = 600_000

export function openPeople(options: PeopleOptions): People {
  const people = openPeoplePool({ url: options.databaseUrl })
  const ready = createStart({ ...options, people })
  const encrypt = async (data: string) => (await ready()).encrypt(data)
  const sweep = setInterval(() => {
    sweepExpired(people).catch((error: unknown) => options.log.warn({ err: error }, 'sweeping what has expired'))
  }, SWEEP_EVERY_MS).unref()

  return {
    ...openSessions(people),
    ...openClients(people, { now: options.now, encrypt }),
    ...openNewcomers(people, options),
    ...openFarewells(people),
    ...openPasses(people, { now: options.now, resource: options.resourceOf('v1') }),
    providers: options.providers.map(({ name }) => name),
    handle: async (request) => (await ready()).auth.handler(request),

    async whoIs(headers) {
      const { auth } = await ready()
      const asking = auth.api.getSession({ headers, query: { disableRefresh: true } })
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
        signedInAt: session.createdAt,
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

async function sweepExpired({ run }: PeoplePool): Promise<void> {
  for (const table of [
    'verification',
    'session',
    'oauth_access_token',
    'oauth_refresh_token',
    'oauth_client_assertion',
  ]) {
    await run(`DELETE FROM ${table} WHERE id IN (
      SELECT id FROM ${table} WHERE expires_at < now() - interval '1 day' ORDER BY expires_at LIMIT 1000)`)
  }
}
