/**
 * Makes authenticator codes single-use. "The verifier MUST NOT accept the second attempt of the OTP after the
 * successful validation has been issued for the first OTP" (RFC 6238 §5.2): a code read over a shoulder stays valid for
 * a minute.
 *
 * A code is claimed before it is verified, so that only one of two concurrent attempts continues. A wrong code is
 * claimed too, which costs its owner nothing: it would have to become valid within two minutes.
 */
import type { PeoplePool } from '../../platform/db/people-pool.ts'
import { hashOf } from '../../model/credential-text.ts'

export type ClaimCode = (userId: string, code: string) => Promise<boolean>

// A code is valid for three steps of thirty seconds.
const KEPT = '2 minutes'

export function claimingCodes({ run }: PeoplePool): ClaimCode {
  return async (userId, code) => {
    const id = hashOf(`code ${userId} ${code}`).toString('hex')
    const claimed = await run(
      `INSERT INTO verification (id, identifier, value, expires_at) VALUES ($1, $1, $2, now() + interval '${KEPT}')
       ON CONFLICT (id) DO UPDATE SET expires_at = excluded.expires_at, updated_at = now()
         WHERE verification.expires_at < now() RETURNING id`,
      [id, userId],
    )
    return claimed.length > 0
  }
}
