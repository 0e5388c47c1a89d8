/**
 * Passes: access tokens that the web app uses to call the API while its person is signed in.
 *
 * A pass is an access token of the built-in application, stored as a hash like all of them. It is created from a
 * session, never outlives it, and is deleted with it (`migrations/0008_web.sql`).
 */
import type { PeoplePool } from '../../platform/db/people-pool.ts'
import { WEB_CLIENT_ID } from '../../model/caller.ts'
import type { AccountId, Scope } from '../../model/caller.ts'
import { hashOf, makeSecret } from '../../model/credential-text.ts'
import { makeId } from '../../model/id.ts'
import type { UserId } from '../../model/member.ts'

export interface PassSpec {
  readonly sessionId: string
  readonly userId: UserId
  readonly account: AccountId
  readonly scopes: readonly Scope[]
}

export interface Passes {
  /** Returns the only copy of the token. Undefined when the session ended meanwhile. */
  givePass(spec: PassSpec): Promise<{ token: string; expiresAt: Date } | undefined>
}

/** As created by the migration. */
export const WEB_CLIENT = { clientId: WEB_CLIENT_ID, name: 'Namewright web app' } as const

const PASS_SECONDS = 3_600

export function openPasses({ run }: PeoplePool, { now, resource }: { now: () => number; resource: string }): Passes {
  return {
    async givePass({ sessionId, userId, account, scopes }) {
      const token = makeSecret('nwa')
      // Locked: a session that is just ending either deletes this token with it or is found to be over.
      const [made] = await run<{ expires_at: Date }>(
        `INSERT INTO oauth_access_token (id, token, client_id, session_id, user_id, reference_id, resources, scopes,
           created_at, expires_at)
         SELECT $1, $2, $3, id, user_id, $6, $7, $8, $9, least(expires_at, $9::timestamptz + $10 * interval '1 second')
         FROM session WHERE id = $4 AND user_id = $5 AND expires_at > $9 FOR KEY SHARE
         RETURNING expires_at`,
        [
          makeId(now()),
          hashOf(token).toString('hex'),
          WEB_CLIENT.clientId,
          sessionId,
          userId,
          account,
          JSON.stringify([resource]),
          JSON.stringify(scopes),
          new Date(now()),
          PASS_SECONDS,
        ],
      )
      return made && { token, expiresAt: made.expires_at }
    },
  }
}
