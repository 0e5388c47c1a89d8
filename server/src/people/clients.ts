/**
 * Applications: those an account has registered for itself, and what any of them calls itself.
 *
 * A confidential one has a secret, shown once and stored encrypted (the authorization server compares it in the
 * clear); a public one proves itself by PKCE alone, as every authorization code must anyway.
 */
import type { PeoplePool } from '../db/people-pool.ts'
import type { AccountId, Scope } from '../model/caller.ts'
import { makeSecret } from '../model/credential-text.ts'
import { makeId } from '../model/id.ts'
import type { UserId } from '../model/member.ts'

/** An application that an account registers. */
export interface ClientSpec {
  readonly name: string
  /** Exact addresses; none when it only acts for itself (client_credentials). */
  readonly redirectUris: readonly string[]
  /** `public` has no secret (an app on a device), `confidential` has one. */
  readonly kind: 'public' | 'confidential'
  /** What it may do by itself, without a person (client_credentials); none forbids that. */
  readonly ownScopes: readonly Scope[]
}

export interface ClientRow {
  readonly client_id: string
  readonly name: string
  readonly kind: 'public' | 'confidential'
  readonly redirect_uris: readonly string[]
  readonly own_scopes: readonly Scope[]
  readonly created_at: Date
}

export interface ClientName {
  readonly name: string
  readonly uri: string | null
  /** The account that registered it; null for one that registered itself. */
  readonly owner: AccountId | null
}

export interface Clients {
  clientNames(clientIds: readonly string[]): Promise<ReadonlyMap<string, ClientName>>
  listClients(account: AccountId): Promise<readonly ClientRow[]>
  /** The secret is shown once, here. */
  createClient(account: AccountId, spec: ClientSpec): Promise<{ clientId: string; clientSecret?: string }>
  changeClient(account: AccountId, clientId: string, change: ClientChange): Promise<boolean>
  rotateClientSecret(account: AccountId, clientId: string): Promise<{ clientSecret: string } | undefined>
  deleteClient(account: AccountId, clientId: string): Promise<boolean>
  /** Ends every token and consent that this application has for this account. */
  endGrant(account: AccountId, clientId: string): Promise<void>
  /** Ends what this person let applications do in this account; for somebody who leaves it. */
  endGrantsOf(userId: UserId, account: AccountId): Promise<void>
}

export interface ClientChange {
  readonly name?: string | undefined
  readonly redirectUris?: readonly string[] | undefined
  readonly ownScopes?: readonly Scope[] | undefined
}

const COLUMNS = `client_id, name, redirect_uris, created_at, coalesce(client_credentials_scopes, '[]') AS own_scopes,
  CASE WHEN client_secret IS NULL THEN 'public' ELSE 'confidential' END AS kind`

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

    listClients: (account) =>
      run<ClientRow>(`SELECT ${COLUMNS} FROM oauth_client WHERE reference_id = $1 ORDER BY created_at`, [account]),

    async createClient(account, { name, redirectUris, kind, ownScopes }) {
      const clientId = makeId(now())
      const clientSecret = kind === 'confidential' ? makeSecret('nwc') : undefined
      await run(
        `INSERT INTO oauth_client (id, client_id, client_secret, name, redirect_uris, scopes, client_credentials_scopes,
           grant_types, response_types, token_endpoint_auth_method, require_pkce, reference_id, created_at, updated_at)
         VALUES ($1, $1, $2, $3, $4, $5, $6, $7, '["code"]', $8, true, $9, now(), now())`,
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
        ],
      )
      return { clientId, ...(clientSecret ? { clientSecret } : {}) }
    },

    changeClient: (account, clientId, { name, redirectUris, ownScopes }) =>
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
             grant_types = $5, updated_at = now() WHERE client_id = $1`,
          [clientId, name, JSON.stringify(uris), JSON.stringify(scopes), JSON.stringify(grantsOf(uris, scopes))],
        )
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
      // The tokens go first, while it can still be said whose they were.
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
        // A client that acts for itself has tokens without a person, and the account is its owner.
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
        // Nobody is left to be found where the person is already gone.
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
