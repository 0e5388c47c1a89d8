/**
 * Lists and ends a person's sessions.
 *
 * A session that somebody ends from outside may have been stolen, so the access that was granted in it ends, too. Whoever
 * signs out normally keeps the applications that they authorized.
 */
import type { PeoplePool } from '../../platform/db/people-pool.ts'
import type { AccountId } from '../../model/caller.ts'
import type { UserId } from '../../model/member.ts'

export interface SessionRow {
  readonly id: string
  readonly created_at: Date
  readonly expires_at: Date
  readonly ip_address: string | null
  readonly user_agent: string | null
}

export interface Sessions {
  listSessions(userId: UserId): Promise<readonly SessionRow[]>
  endSession(userId: UserId, sessionId: string): Promise<boolean>
  /** Ends also what was granted in sessions that are over: a thief may have signed out already. */
  endOtherSessions(userId: UserId, sessionId: string): Promise<void>
  /** For the operator: ends all sessions of the person who signs in with this address. */
  endSessionsOf(email: string): Promise<number>
  /** Stores the account that the next consent of this session applies to. */
  chooseAccount(sessionId: string, account: AccountId): Promise<void>
}

export function openSessions({ run, transaction }: PeoplePool): Sessions {
  /** `of`: which rows of `session`, and which tokens by their `session_id`. */
  const end = (of: { sessions: string; tokens: string }, values: readonly string[]): Promise<number> =>
    transaction(async (within) => {
      // The lock lets no further token refer to these sessions.
      await within(`SELECT id FROM session WHERE ${of.sessions} FOR UPDATE`, values)
      await endTokens(within, of.tokens, values)
      return (await within(`DELETE FROM session WHERE ${of.sessions} RETURNING id`, values)).length
    })

  return {
    listSessions: (userId) =>
      run<SessionRow>(
        `SELECT id, created_at, expires_at, ip_address, user_agent FROM session
         WHERE user_id = $1 AND expires_at > now() ORDER BY created_at DESC`,
        [userId],
      ),
    async endSession(userId, sessionId) {
      const of = { sessions: 'user_id = $1 AND id = $2', tokens: 'user_id = $1 AND session_id = $2' }
      return (await end(of, [userId, sessionId])) > 0
    },
    async endOtherSessions(userId, sessionId) {
      const others = 'user_id = $1 AND session_id IS DISTINCT FROM $2'
      await end({ sessions: 'user_id = $1 AND id <> $2', tokens: others }, [userId, sessionId])
    },
    endSessionsOf(email) {
      const theirs = 'user_id = (SELECT id FROM "user" WHERE email = $1)'
      return end({ sessions: theirs, tokens: theirs }, [email.toLowerCase()])
    },
    async chooseAccount(sessionId, account) {
      await run('UPDATE session SET account_id = $2 WHERE id = $1', [sessionId, account])
    },
  }
}

/** A refresh token that is just being exchanged is waited for, and its successor is found in the next round. */
async function endTokens(within: PeoplePool['run'], which: string, values: readonly string[]): Promise<void> {
  while ((await within(`DELETE FROM oauth_refresh_token WHERE ${which} RETURNING id`, values)).length > 0);
  await within(`DELETE FROM oauth_access_token WHERE ${which}`, values)
}
