/**
 * Who sets a password by a letter has the address of that letter. If nobody had proved it before, whoever signed up
 * with it may have been somebody else, waiting for its owner to come: whatever they could still come in with ends.
 */
import type { PeoplePool } from '../db/people-pool.ts'

export function provingAddress({ transaction }: PeoplePool): (userId: string) => Promise<void> {
  return (userId) =>
    transaction(async (within) => {
      const text = 'UPDATE "user" SET email_verified = true, updated_at = now() WHERE id = $1 AND NOT email_verified'
      const isFirst = (await within(`${text} RETURNING id`, [userId])).length > 0
      if (isFirst) await within(`DELETE FROM login WHERE user_id = $1 AND provider_id <> 'credential'`, [userId])
    })
}
