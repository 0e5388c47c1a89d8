/**
 * How people come in when sign-up is closed: the very first one by a link in the log, the others by invitation. Both
 * links prove the address, so no other mail is needed. There is no default account and no default password.
 */
import { randomBytes } from 'node:crypto'
import { sqlStateOf } from '../db/db.ts'
import type { PeoplePool } from '../db/people-pool.ts'
import { ApiError } from '../errors.ts'
import { hashOf } from '../model/credential-text.ts'
import { makeId } from '../model/id.ts'
import { matchLanguage } from '../model/language.ts'
import type { UserId } from '../model/member.ts'
import { shownName } from '../model/shown-name.ts'
import { isWeak, password } from './password.ts'
import type { Watcher } from './watching.ts'

const UNIQUE_VIOLATION = '23505'

export interface NewPerson {
  readonly email: string
  readonly name: string
  readonly password: string
  readonly language?: string
}

export interface Newcomers {
  /** A one-time link for the very first person; undefined once there is anybody. */
  makeSetupToken(): Promise<string | undefined>
  isSetupToken(token: string): Promise<boolean>
  /** Makes the first person, with a verified address. Fails with invalid_link. */
  completeSetup(token: string, person: NewPerson): Promise<UserId>
  /** Makes somebody whose address the invitation has proved; undefined when the address already signs in. */
  createInvited(person: NewPerson): Promise<UserId | undefined>
  findByEmail(email: string): Promise<UserId | undefined>
  /** One of the passwords that are tried first. */
  isWeakPassword(text: string, email: string): boolean
}

export function openNewcomers(
  { run, transaction }: PeoplePool,
  { now, watcher }: { now: () => number; watcher: Watcher },
): Newcomers {
  /** `first`: what must hold in the same transaction, so that a link is used up only with what came of it. */
  async function create(person: NewPerson, first: (within: PeoplePool['run']) => Promise<void>): Promise<UserId> {
    const userId = makeId(now()) as UserId
    const hash = await password.hash(person.password)
    const name = shownName(person.name) || person.email
    const language = (person.language !== undefined && matchLanguage(person.language)) || null
    await transaction(async (within) => {
      await first(within)
      await within(`INSERT INTO "user" (id, name, email, email_verified, language) VALUES ($1, $2, $3, true, $4)`, [
        userId,
        name,
        person.email.toLowerCase(),
        language,
      ])
      await within(
        `INSERT INTO login (id, account_id, provider_id, user_id, password, updated_at)
         VALUES ($1, $2, 'credential', $2, $3, now())`,
        [makeId(now()), userId, hash],
      )
    })
    await watcher.welcome({ userId, name, language })
    watcher.happened({ action: 'signed_up', userId, ip: undefined })
    return userId
  }

  async function findByEmail(email: string): Promise<UserId | undefined> {
    const [found] = await run<{ id: UserId }>('SELECT id FROM "user" WHERE email = $1', [email.toLowerCase()])
    return found?.id
  }

  const isSetupToken = async (token: string) => {
    const text = 'SELECT 1 FROM setup WHERE hash = $1 AND NOT EXISTS (SELECT 1 FROM "user")'
    return (await run(text, [hashOf(token)])).length > 0
  }

  return {
    async makeSetupToken() {
      const token = randomBytes(32).toString('base64url')
      const text = `INSERT INTO setup (hash) SELECT $1 WHERE NOT EXISTS (SELECT 1 FROM "user") RETURNING hash`
      return (await run(text, [hashOf(token)])).length > 0 ? token : undefined
    },

    isSetupToken,

    completeSetup: (token, person) =>
      // Whoever takes the rows first is the first person; the links of other nodes go with them.
      create(person, async (within) => {
        await within('LOCK TABLE setup IN EXCLUSIVE MODE')
        const found = await within('SELECT 1 FROM setup WHERE hash = $1 AND NOT EXISTS (SELECT 1 FROM "user")', [
          hashOf(token),
        ])
        if (found.length === 0) throw new ApiError('invalid_link')
        await within('DELETE FROM setup')
      }),

    async createInvited(person) {
      if (await findByEmail(person.email)) return undefined
      return create(person, async () => {}).catch((error: unknown) => {
        // The link was followed twice at once, and the other was faster.
        if (sqlStateOf(error) === UNIQUE_VIOLATION) return undefined
        throw error
      })
    },

    findByEmail,
    isWeakPassword: isWeak,
  }
}
