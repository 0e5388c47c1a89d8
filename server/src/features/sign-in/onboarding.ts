/**
 * Creates people: the first one by a link in the log, others by invitation or by an open sign-up. The first two links
 * prove the address, so no confirmation email is needed. There is no default account and no default password.
 */
import { randomBytes } from 'node:crypto'
import { sqlStateOf } from '../../platform/db/db.ts'
import type { PeoplePool } from '../../platform/db/people-pool.ts'
import { ApiError } from '../../model/errors.ts'
import { hashOf } from '../../model/credential-text.ts'
import { makeId } from '../../model/id.ts'
import { matchLanguage } from '../../model/language.ts'
import type { UserId } from '../../model/member.ts'
import { shownName } from '../../model/shown-name.ts'
import type { SignUp } from './account-recovery.ts'
import { findWeakness, password } from './password.ts'
import type { Weakness } from './password.ts'
import type { Watcher } from './auth-hooks.ts'

const UNIQUE_VIOLATION = '23505'

export interface FirstSignUp {
  readonly email: string
  readonly name: string
  readonly password: string
  readonly language?: string
}

interface PersonRow {
  readonly userId: UserId
  readonly name: string
  readonly email: string
  readonly language: string | null
  readonly isVerified: boolean
  readonly login: string
  readonly hash: string
}

export interface Onboarding {
  /** A one-time link for the first person; undefined once a person exists. */
  makeSetupToken(): Promise<string | undefined>
  isSetupToken(token: string): Promise<boolean>
  /** Creates the first person, with a verified address. Fails with invalid_link. */
  completeSetup(token: string, person: FirstSignUp): Promise<UserId>
  /** Creates a person whose address the invitation has proved; undefined when the address already signs in. */
  createInvited(person: FirstSignUp): Promise<UserId | undefined>
  findByEmail(email: string): Promise<UserId | undefined>
  /** The rule that a password breaks; undefined when it is accepted. */
  findWeakness(text: string, email: string): Weakness | undefined
}

export function openOnboarding(
  { run, transaction }: PeoplePool,
  { now, watcher }: { now: () => number; watcher: Watcher },
): Onboarding {
  /** `first` runs in the same transaction, so that a link is used up only when the person is created. */
  async function create(person: FirstSignUp, first: (within: PeoplePool['run']) => Promise<void>): Promise<UserId> {
    const userId = makeId(now()) as UserId
    const hash = await password.hash(person.password)
    const name = shownName(person.name) || person.email
    const language = (person.language !== undefined && matchLanguage(person.language)) || null
    await transaction(async (within) => {
      await first(within)
      const email = person.email.toLowerCase()
      await insertPerson(within, { userId, name, email, language, isVerified: true, login: makeId(now()), hash })
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
      // The transaction that deletes the rows first creates the first person; this also voids the links of other nodes.
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
        // Two requests used the link at once, and the other one committed first.
        if (sqlStateOf(error) === UNIQUE_VIOLATION) return undefined
        throw error
      })
    },

    findByEmail,
    findWeakness,
  }
}

/** Creates the person of an open sign-up, whose address is unconfirmed; undefined when the address is known. */
export function creatingSignUps({ transaction }: PeoplePool, now: () => number) {
  return async (email: string, { name, language, password: text }: SignUp): Promise<UserId | undefined> => {
    const userId = makeId(now()) as UserId
    const hash = await password.hash(text)
    const row = { userId, name, email, language, isVerified: false, login: makeId(now()), hash }
    const made = transaction((within) => insertPerson(within, row))
    return made.then(
      () => userId,
      (error: unknown) => {
        if (sqlStateOf(error) === UNIQUE_VIOLATION) return undefined
        throw error
      },
    )
  }
}

async function insertPerson(within: PeoplePool['run'], row: PersonRow): Promise<void> {
  const { userId, name, email, language, isVerified, login, hash } = row
  await within(
    `INSERT INTO "user" (id, name, email, email_verified, language, two_factor_enabled)
     VALUES ($1, $2, $3, $4, $5, false)`,
    [userId, name, email, isVerified, language],
  )
  await within(
    `INSERT INTO login (id, account_id, provider_id, user_id, password, updated_at)
     VALUES ($1, $2, 'credential', $2, $3, now())`,
    [login, userId, hash],
  )
}
