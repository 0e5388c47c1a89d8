/**
 * Changes a person's email address. The link goes to the new address, and counts only together with a session of the
 * person: it proves that the address is theirs, and that they want it.
 *
 * A change ends all other sessions and every sign-in in progress, as a change of the password does. Triggers void all
 * links that were emailed to the previous address.
 *
 * Never: tells whether an address belongs to somebody, before its owner has opened the link.
 */
import { randomBytes } from 'node:crypto'
import { sqlStateOf } from '../../platform/db/db.ts'
import type { PeoplePool } from '../../platform/db/people-pool.ts'
import { hashOf } from '../../model/credential-text.ts'
import type { UserId } from '../../model/member.ts'
import { LINK_SECONDS } from './emailed-links.ts'
import type { Person } from '../../model/person.ts'

const UNIQUE_VIOLATION = '23505'

export type AddressChangeResult =
  | { readonly kind: 'changed'; readonly before: string; readonly after: string }
  | { readonly kind: 'taken' }
  | { readonly kind: 'invalid_link' }

export interface AddressChange {
  /** The token of a link for the new address, which replaces the previous one; undefined when the address is taken. */
  requestAddressChange(userId: UserId, email: string): Promise<string | undefined>
  findAddressChange(token: string): Promise<{ readonly userId: UserId; readonly email: string } | undefined>
  changeAddress(token: string, person: Pick<Person, 'userId' | 'sessionId'>): Promise<AddressChangeResult>
}

interface PendingChange {
  readonly user_id: UserId
  readonly new_email: string
}

const PENDING = `SELECT user_id, new_email FROM emailed_link
  WHERE purpose = 'change' AND hash = $1 AND expires_at > now()`

export function openAddressChange({ run, transaction }: PeoplePool): AddressChange {
  return {
    async requestAddressChange(userId, email) {
      const token = randomBytes(24).toString('base64url')
      const issued = await run(
        `INSERT INTO emailed_link (user_id, purpose, hash, new_email, expires_at)
         SELECT $1, 'change', $2, $3, now() + $4 * interval '1 second'
         WHERE NOT EXISTS (SELECT 1 FROM "user" WHERE email = $3)
         ON CONFLICT (user_id, purpose) DO UPDATE SET hash = excluded.hash, new_email = excluded.new_email,
           created_at = now(), expires_at = excluded.expires_at
         RETURNING user_id`,
        [userId, hashOf(token), email.toLowerCase(), LINK_SECONDS],
      )
      return issued.length > 0 ? token : undefined
    },

    async findAddressChange(token) {
      const [found] = await run<PendingChange>(PENDING, [hashOf(token)])
      return found && { userId: found.user_id, email: found.new_email }
    },

    async changeAddress(token, { userId, sessionId }) {
      const changing = transaction(async (within): Promise<AddressChangeResult> => {
        const [link] = await within<PendingChange>(`${PENDING} AND user_id = $2 FOR UPDATE`, [hashOf(token), userId])
        const [person] = await within<{ email: string }>('SELECT email FROM "user" WHERE id = $1 FOR UPDATE', [userId])
        if (!link || !person) return { kind: 'invalid_link' }
        await within(
          `UPDATE "user" SET email = $2, email_verified = true, address_proved_at = now(), updated_at = now()
           WHERE id = $1`,
          [userId, link.new_email],
        )
        await within('DELETE FROM session WHERE user_id = $1 AND id <> $2', [userId, sessionId])
        // Used codes stay, so that none works twice.
        await within('DELETE FROM verification WHERE position($1 in value) > 0 AND identifier <> id', [userId])
        return { kind: 'changed', before: person.email, after: link.new_email }
      })
      return changing.catch((error: unknown) => {
        // Somebody signed up with the address since the link was sent.
        if (sqlStateOf(error) === UNIQUE_VIOLATION) return { kind: 'taken' }
        throw error
      })
    },
  }
}
