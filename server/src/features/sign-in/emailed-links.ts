/**
 * Links sent by email: to confirm an address, to reset a password, to sign in. A person has at most one valid link per
 * purpose; a new link replaces the previous one. Triggers void all of a person's links when the address or a sign-in
 * method changes (`migrations/0016_address_proof.sql`).
 *
 * Never: stores the token, only its hash.
 */
import { randomBytes } from 'node:crypto'
import type { PeoplePool } from '../../platform/db/people-pool.ts'
import { hashOf } from '../../model/credential-text.ts'
import type { UserId } from '../../model/member.ts'

export type LinkPurpose = 'confirm' | 'reset' | 'sign_in'

export interface EmailedLinks {
  /** Replaces the person's link for this purpose. `token`: a token that was created elsewhere. */
  issue(purpose: LinkPurpose, userId: string, given?: { token?: string; browser?: string | undefined }): Promise<string>
  /** The person whose link it is, while it is valid. */
  find(purpose: LinkPurpose, token: string): Promise<UserId | undefined>
  /** Whether the link was valid; it is used up afterwards. A link that is bound to a browser needs that browser. */
  consume(purpose: LinkPurpose, token: string, browser?: string): Promise<boolean>
}

export const LINK_SECONDS = 3_600
// Long enough for a mail server that delays the first delivery. Whoever reads the mailbox later must find nothing.
export const SIGN_IN_LINK_SECONDS = 600

export function openEmailedLinks({ run }: Pick<PeoplePool, 'run'>): EmailedLinks {
  return {
    async issue(purpose, userId, { token = randomBytes(24).toString('base64url'), browser } = {}) {
      // A request to resend the email is not a sign-up: the link stays bound to the browser that signed up.
      await run(
        `INSERT INTO emailed_link (user_id, purpose, hash, browser_hash, expires_at)
         VALUES ($1, $2, $3, $4, now() + $5 * interval '1 second')
         ON CONFLICT (user_id, purpose) DO UPDATE SET hash = excluded.hash, created_at = now(),
           expires_at = excluded.expires_at, browser_hash = coalesce(excluded.browser_hash, emailed_link.browser_hash)`,
        [userId, purpose, hashOf(token), browser === undefined ? null : hashOf(browser), secondsOf(purpose)],
      )
      return token
    },

    async find(purpose, token) {
      const text = 'SELECT user_id FROM emailed_link WHERE purpose = $1 AND hash = $2 AND expires_at > now()'
      return (await run<{ user_id: UserId }>(text, [purpose, hashOf(token)]))[0]?.user_id
    },

    async consume(purpose, token, browser) {
      const text = `DELETE FROM emailed_link WHERE purpose = $1 AND hash = $2 AND expires_at > now()
        AND (browser_hash IS NULL OR browser_hash = $3) RETURNING user_id`
      return (await run(text, [purpose, hashOf(token), browser === undefined ? null : hashOf(browser)])).length > 0
    },
  }
}

function secondsOf(purpose: LinkPurpose): number {
  return purpose === 'sign_in' ? SIGN_IN_LINK_SECONDS : LINK_SECONDS
}

/** Whoever asks for a link must not decide what an email to somebody else looks like. */
export const isPathInEmail = (to: unknown): to is string => typeof to === 'string' && /^\/[\w/-]{1,80}$/.test(to)
