/** Lists and ends a person's sessions. */
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
  endOtherSessions(userId: UserId, sessionId: string): Promise<void>
  /** For the operator: ends all sessions of the person who signs in with this address. */
  endSessionsOf(email: string): Promise<number>
  /** Stores the account that the next consent of this session applies to. */
  chooseAccount(sessionId: string, account: AccountId): Promise<void>
}

export function openSessions({ run }: PeoplePool): Sessions {
  return {
    listSessions: (userId) =>
      run<SessionRow>(
        `SELECT id, created_at, expires_at, ip_address, user_agent FROM session
         WHERE user_id = $1 AND expires_at > now() ORDER BY created_at DESC`,
        [userId],
      ),
    async endSession(userId, sessionId) {
      const ended = await run('DELETE FROM session WHERE user_id = $1 AND id = $2 RETURNING id', [userId, sessionId])
      return ended.length > 0
    },
    async endOtherSessions(userId, sessionId) {
      await run('DELETE FROM session WHERE user_id = $1 AND id <> $2', [userId, sessionId])
    },
    async endSessionsOf(email) {
      const text = 'DELETE FROM session WHERE user_id = (SELECT id FROM "user" WHERE email = $1) RETURNING id'
      return (await run(text, [email.toLowerCase()])).length
    },
    async chooseAccount(sessionId, account) {
      await run('UPDATE session SET account_id = $2 WHERE id = $1', [sessionId, account])
    },
  }
}
