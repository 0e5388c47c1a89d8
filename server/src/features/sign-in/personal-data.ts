/**
 * All data about a person or an account in the schema `people`: exports and deletes it. Hashes, secrets and tokens are
 * not exported: the service only verifies with them, and they would be useful only to a thief.
 */
import type { PeoplePool } from '../../platform/db/people-pool.ts'
import type { AccountId } from '../../model/caller.ts'
import type { UserId } from '../../model/member.ts'

export interface PersonalData {
  /** Accounts that the person has left and that may still hold data about them. */
  leftAccounts(userId: UserId): Promise<readonly AccountId[]>
  exportPerson(userId: UserId): Promise<Record<string, unknown>>
  exportApplications(account: AccountId): Promise<Record<string, unknown>>
  forgetAccount(account: AccountId): Promise<void>
  forgetPerson(userId: UserId): Promise<void>
}

/** The exported columns of each table, and how its rows belong to a person ($1). */
const OF_PERSON: readonly (readonly [name: string, text: string])[] = [
  [
    'person',
    'SELECT id, name, email, email_verified, address_proved_at, image, language, created_at, updated_at, two_factor_enabled FROM "user" WHERE id = $1',
  ],
  ['sign_ins', 'SELECT provider_id, account_id, scope, created_at, updated_at FROM login WHERE user_id = $1'],
  [
    'sessions',
    'SELECT id, created_at, updated_at, proved_at, expires_at, ip_address, user_agent, account_id FROM session WHERE user_id = $1',
  ],
  [
    'passkeys',
    'SELECT id, name, credential_id, device_type, backed_up, transports, aaguid, created_at FROM passkey WHERE user_id = $1',
  ],
  ['emailed_links', 'SELECT purpose, new_email, created_at, expires_at FROM emailed_link WHERE user_id = $1'],
  ['second_factors', 'SELECT verified, failed_verification_count, locked_until FROM two_factor WHERE user_id = $1'],
  [
    'consents',
    'SELECT client_id, reference_id AS account_id, resources, scopes, created_at, updated_at FROM oauth_consent WHERE user_id = $1',
  ],
  [
    'tokens',
    'SELECT client_id, reference_id AS account_id, resources, scopes, created_at, expires_at FROM oauth_access_token WHERE user_id = $1',
  ],
  [
    'refresh_tokens',
    'SELECT client_id, reference_id AS account_id, resources, scopes, created_at, expires_at, revoked FROM oauth_refresh_token WHERE user_id = $1',
  ],
  // Applications that registered themselves in the person's signed-in browser, and those the person registered for an
  // account.
  [
    'applications',
    'SELECT client_id, name, uri, redirect_uris, grant_types, created_at, updated_at, created_by FROM oauth_client WHERE user_id = $1 OR created_by = $1',
  ],
]

export function openPersonalData({ run, transaction }: PeoplePool): PersonalData {
  return {
    async leftAccounts(userId) {
      const text = 'SELECT account_id FROM left_account WHERE user_id = $1'
      return (await run<{ account_id: AccountId }>(text, [userId])).map(({ account_id }) => account_id)
    },

    async exportPerson(userId) {
      const parts = await Promise.all(OF_PERSON.map(async ([name, text]) => [name, await run(text, [userId])] as const))
      return Object.fromEntries(parts)
    },

    async exportApplications(account) {
      const applications = await run(
        `SELECT client_id, name, uri, redirect_uris, grant_types, client_credentials_scopes, created_at, updated_at,
           created_by, disabled, off_reason FROM oauth_client WHERE reference_id = $1`,
        [account],
      )
      // Tokens granted by people are part of each person's export.
      const tokens = await run(
        `SELECT client_id, resources, scopes, created_at, expires_at FROM oauth_access_token
         WHERE user_id IS NULL AND client_id IN (SELECT client_id FROM oauth_client WHERE reference_id = $1)`,
        [account],
      )
      return { applications, application_tokens: tokens }
    },

    forgetAccount: (account) =>
      transaction(async (within) => {
        for (const table of ['oauth_access_token', 'oauth_refresh_token', 'oauth_consent', 'oauth_client']) {
          await within(`DELETE FROM ${table} WHERE reference_id = $1`, [account])
        }
        await within('UPDATE session SET account_id = NULL WHERE account_id = $1', [account])
        await within('DELETE FROM left_account WHERE account_id = $1', [account])
      }),

    forgetPerson: (userId) =>
      transaction(async (within) => {
        const [user] = await within<{ email: string }>('SELECT email FROM "user" WHERE id = $1 FOR UPDATE', [userId])
        if (!user) return
        // Pending verifications name people inside their JSON.
        await within('DELETE FROM verification WHERE position($1 in value) > 0 OR position($2 in value) > 0', [
          userId,
          user.email,
        ])
        await within('UPDATE oauth_client SET created_by = NULL WHERE created_by = $1', [userId])
        await within('DELETE FROM "user" WHERE id = $1', [userId])
      }),
  }
}
