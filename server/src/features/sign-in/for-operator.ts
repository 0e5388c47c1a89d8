/** Queries and changes on people for the operator's commands, limited to one person found by email address. */
import type { PeoplePool } from '../../platform/db/people-pool.ts'
import type { UserId } from '../../model/member.ts'
import { removeSecondFactor } from './account-recovery.ts'

export interface KnownPerson {
  readonly userId: UserId
  readonly name: string
  readonly language: string | null
}

export interface PeopleForOperator {
  findByEmail(email: string): Promise<KnownPerson | undefined>
  /** Undefined when nobody signs in with this address; `isChanged` is false when they have no second factor. */
  removeSecondFactor(email: string): Promise<(KnownPerson & { readonly isChanged: boolean }) | undefined>
}

const FIND = 'SELECT id AS "userId", name, language, two_factor_enabled FROM "user" WHERE email = $1'

export function openPeopleForOperator({ run, transaction }: PeoplePool): PeopleForOperator {
  return {
    async findByEmail(email) {
      const [found] = await run<KnownPerson>(FIND, [email.toLowerCase()])
      return found
    },

    removeSecondFactor: (email) =>
      transaction(async (within) => {
        const [found] = await within<KnownPerson & { two_factor_enabled: boolean | null }>(`${FIND} FOR UPDATE`, [
          email.toLowerCase(),
        ])
        if (!found) return undefined
        const { two_factor_enabled: isOn, ...person } = found
        if (isOn) await removeSecondFactor(within, person.userId)
        return { ...person, isChanged: isOn === true }
      }),
  }
}
