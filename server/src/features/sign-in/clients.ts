/**
 * OAuth applications: those that an account registered, and the display name of any application.
 *
 * A confidential application has a secret, shown once and stored encrypted (the authorization server compares it in
 * plain text). A public one relies on PKCE alone, which every authorization code requires anyway.
 */
import type { PeoplePool } from '../../platform/db/people-pool.ts'
import type { AccountId, Scope } from '../../model/caller.ts'
import { makeSecret } from '../../model/credential-text.ts'
import { makeId } from '../../model/id.ts'
import type { UserId } from '../../model/member.ts'

export interface ClientSpec {
  readonly name: string
  /** Exact redirect URIs; empty when it only acts for itself (client_credentials). */
  readonly redirectUris: readonly string[]
  /** `public`: no secret (an app on a device). `confidential`: has a secret. */
  readonly kind: 'public' | 'confidential'
  /** Its own scopes without a person (client_credentials); empty forbids that grant. */
  readonly ownScopes: readonly Scope[]
}

export interface ClientRow {
  readonly client_id: string
  readonly name: string
  readonly kind: 'public' | 'confidential'
  readonly redirect_uris: readonly string[]
  readonly own_scopes: readonly Scope[]
  readonly created_at: Date
  readonly enabled: boolean
  /** Why it is disabled: by an admin, or because its creator may no longer manage the account. */
  readonly off_reason: 'by_hand' | 'creator_lost_access' | null
}

export interface ClientName {
  readonly name: string
  readonly uri: string | null
  /** The account that registered it; null when it registered itself. */
  readonly owner: AccountId | null
}

export interface Clients {
  clientNames(clientIds: readonly string[]): Promise<ReadonlyMap<string, ClientName>>
  /** Whether this person consented to this application in any account and has not revoked the consent. */
  hasConsented(userId: UserId, clientId: string): Promise<boolean>
  listClients(account: AccountId): Promise<readonly ClientRow[]>
  /** Returns the secret; it is not shown again. */
  createClient(
    account: AccountId,
    spec: ClientSpec,
    createdBy: UserId,
  ): Promise<{ clientId: string; clientSecret?: string }>
  changeClient(account: AccountId, clientId: string, change: ClientChange): Promise<boolean>
  rotateClientSecret(account: AccountId, clientId: string): Promise<{ clientSecret: string } | undefined>
  deleteClient(account: AccountId, clientId: string): Promise<boolean>
  /** Revokes every token and consent of this application for this account. */
  endGrant(account: AccountId, clientId: string): Promise<void>
  /** Revokes all consents of this person in this account; for a member who leaves. */
  endGrantsOf(userId: UserId, account: AccountId): Promise<void>
}

export interface ClientChange {
  readonly name?: string | undefined
  readonly redirectUris?: readonly string[] | undefined
  readonly ownScopes?: readonly Scope[] | undefined
  readonly enabled?: boolean | undefined
  /** The person who enables an application becomes responsible for it. */
  readonly by: UserId
}

const COLUMNS = `client_id, name, redirect_uris, created_at, coalesce(client_credentials_scopes, '[]') AS own_scopes,
  CASE WHEN client_secret IS NULL THEN 'public' ELSE 'confidential' END AS kind, disabled IS NOT TRUE AS enabled, off_reason`

export function openClients(
  { run, transaction }: PeoplePool,
  { now, encrypt }: { now: () => number; encrypt: (secret: string) => Promise<string> },
): Clients {
  return {
    async clientNames(clientIds) {
      const rows = await run<{ client_id: string; name: string | null; uri: string | null; owner: AccountId | null }>(
        'SELECT client_id, name, uri, reference_id AS owner FROM oauth_client WHERE client_id = ANY ($1)',
        [clientIds],
      )
      return new Map(
        rows.map(({ client_id, name, uri, owner }) => [client_id, { name: name ?? client_id, uri, owner }]),
      )
    },

    async hasConsented(userId, clientId) {
      const text = 'SELECT 1 FROM oauth_consent WHERE user_id = $1 AND client_id = $2 LIMIT 1'
      return (await run(text, [userId, clientId])).length > 0
    },

    listClients: (account) =>
      run<ClientRow>(`SELECT ${COLUMNS} FROM oauth_client WHERE reference_id = $1 ORDER BY created_at`, [account]),

    async createClient(account, { name, redirectUris, kind, ownScopes }, createdBy) {
      const clientId = makeId(now())
      const clientSecret = kind === 'confidential' ? makeSecret('nwc') : undefined
      await run(
        `INSERT INTO oauth_client (id, client_id, client_secret, name, redirect_uris, scopes, client_credentials_scopes,
           grant_types, response_types, token_endpoint_auth_method, require_pkce, reference_id, created_by, created_at, updated_at)
         VALUES ($1, $1, $2, $3, $4, $5, $6, $7, '["code"]', $8, true, $9, $10, now(), now())`,
        [
          clientId,
          clientSecret && (await encrypt(clientSecret)),
          name,
          JSON.stringify(redirectUris),
          null,
          JSON.stringify(ownScopes),
          JSON.stringify(grantsOf(redirectUris, ownScopes)),
          kind === 'public' ? 'none' : 'client_secret_basic',
          account,
          createdBy,
        ],
      )
      return { clientId, ...(clientSecret ? { clientSecret } : {}) }
    },

    changeClient: (account, clientId, { name, redirectUris, ownScopes, enabled, by }) =>
      transaction(async (within) => {
        const [found] = await within<ClientRow>(
          `SELECT ${COLUMNS} FROM oauth_client WHERE reference_id = $1 AND client_id = $2 FOR UPDATE`,
          [account, clientId],
        )
        if (!found) return false
        const uris = redirectUris ?? found.redirect_uris
        const scopes = ownScopes ?? found.own_scopes
        await within(
          `UPDATE oauth_client SET name = coalesce($2, name), redirect_uris = $3, client_credentials_scopes = $4,
             grant_types = $5, disabled = coalesce(NOT $6, disabled),
             off_reason = CASE WHEN $6 THEN NULL WHEN NOT $6 AND disabled IS NOT TRUE THEN 'by_hand' ELSE off_reason END,
             created_by = CASE WHEN $6 AND disabled THEN $7 ELSE created_by END, updated_at = now()
           WHERE client_id = $1`,
          [
            clientId,
            name,
            JSON.stringify(uris),
            JSON.stringify(scopes),
            JSON.stringify(grantsOf(uris, scopes)),
            enabled,
            by,
          ],
        )
        // Each deletion makes the nodes drop the token from their caches.
        if (enabled === false) await within('DELETE FROM oauth_access_token WHERE client_id = $1', [clientId])
        return true
      }),

    async rotateClientSecret(account, clientId) {
      const clientSecret = makeSecret('nwc')
      const changed = await run(
        `UPDATE oauth_client SET client_secret = $3, updated_at = now()
         WHERE reference_id = $1 AND client_id = $2 AND client_secret IS NOT NULL RETURNING id`,
        [account, clientId, await encrypt(clientSecret)],
      )
      return changed.length > 0 ? { clientSecret } : undefined
    },

    async deleteClient(account, clientId) {
      // Tokens are deleted first, while their owner is still known.
      await run(
        `DELETE FROM oauth_access_token WHERE client_id = (
           SELECT client_id FROM oauth_client WHERE reference_id = $1 AND client_id = $2)`,
        [account, clientId],
      )
      const text = 'DELETE FROM oauth_client WHERE reference_id = $1 AND client_id = $2 RETURNING id'
      return (await run(text, [account, clientId])).length > 0
    },

    endGrant: (account, clientId) =>
      transaction(async (within) => {
        for (const table of ['oauth_access_token', 'oauth_refresh_token', 'oauth_consent']) {
          await within(`DELETE FROM ${table} WHERE client_id = $2 AND reference_id = $1`, [account, clientId])
        }
        // A client that acts for itself has tokens without a person; its owner is the account.
        await within(
          `DELETE FROM oauth_access_token WHERE client_id = $2 AND reference_id IS NULL AND EXISTS (
             SELECT 1 FROM oauth_client c WHERE c.client_id = $2 AND c.reference_id = $1)`,
          [account, clientId],
        )
      }),

    endGrantsOf: (userId, account) =>
      transaction(async (within) => {
        for (const table of ['oauth_access_token', 'oauth_refresh_token', 'oauth_consent']) {
          await within(`DELETE FROM ${table} WHERE user_id = $1 AND reference_id = $2`, [userId, account])
        }
        // Inserts no row when the person is already deleted.
        await within(
          `INSERT INTO left_account (user_id, account_id) SELECT id, $2 FROM "user" WHERE id = $1 ON CONFLICT DO NOTHING`,
          [userId, account],
        )
      }),
  }
}

function grantsOf(redirectUris: readonly string[], ownScopes: readonly Scope[]): string[] {
  return [
    ...(redirectUris.length > 0 ? ['authorization_code', 'refresh_token'] : []),
    ...(ownScopes.length > 0 ? ['client_credentials'] : []),
  ]
}
