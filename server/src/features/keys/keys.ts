/**
 * Credentials: verifies them (`resolve-credential.ts`), and lets owners create, change, rotate and revoke keys. Only the
 * hash of a key is stored; its text exists only in the result of `create` or `rotate`. An application with a token has
 * its own row beside the keys and is treated like a key from then on.
 */
import { accountOf, sql, type Acting, type Statement } from '../../platform/db/db.ts'
import { ApiError } from '../../model/errors.ts'
import type { AccountId, KeyId, QuotaLimits, Scope } from '../../model/caller.ts'
import { makeSecret, prefixOf } from '../../model/credential-text.ts'
import { makeId } from '../../model/id.ts'
import { findPermission, holdRules } from './application-rules.ts'
import { openVerifier, type Verifier, type VerifierOptions } from './resolve-credential.ts'
import {
  changeKey,
  endReview,
  insertGrant,
  insertKey,
  insertSecret,
  keepKey,
  noteChange,
  revokeKey,
  type KeyChange,
  type KeyRow,
  type KeySpec,
} from './rows.ts'

export type { KeyChange, KeyRow, KeySpec } from './rows.ts'

export interface Grant {
  readonly clientId: string
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly quota: QuotaLimits
  readonly createdBy?: string
  /** An application of the account itself or of the service: allowed without being listed. */
  readonly isOwn?: boolean
}

export interface ListedKey extends KeyRow {
  /** When its creator lost the right to manage the account; null when there is nothing to review. */
  readonly review_since: Date | null
}

export interface Retiring {
  readonly prefix: string
  readonly expires_at: Date
}

/** Statements to commit together with a change, such as audit log entries. */
type KeyEffects = readonly Statement[]

export interface Keys extends Verifier {
  create(acting: Acting, spec: KeySpec, along?: (id: KeyId) => KeyEffects): Promise<{ id: KeyId; secret: string }>
  /** Undefined when the key does not exist in the account or is revoked; so for the methods below. */
  change(acting: Acting, id: KeyId, change: KeyChange, along?: KeyEffects): Promise<KeyRow | undefined>
  /** Creates a second secret for the same key; the first stays valid for the grace period. */
  rotate(acting: Acting, id: KeyId, graceSeconds: number, along?: KeyEffects): Promise<{ secret: string } | undefined>
  revoke(acting: Acting, id: KeyId, along?: KeyEffects): Promise<boolean>
  /** Keeps a key that is listed for review; the person who keeps it becomes responsible for it. */
  keep(acting: Acting, id: KeyId, along?: KeyEffects): Promise<boolean>
  /** Authorizes an application to act for the account; may be repeated. Fails with application_blocked. */
  grant(acting: Acting, grant: Grant, along?: KeyEffects): Promise<void>
  /** Replaced secrets of a key that still work, the next to expire first. */
  listRetiring(acting: Acting, id: KeyId): Promise<readonly Retiring[]>
  /** Keys and applications, oldest first. */
  list(acting: Acting): Promise<readonly ListedKey[]>
}

export function openKeys(options: VerifierOptions): Keys {
  const { db, now } = options

  return {
    ...openVerifier(options),

    async create(acting, spec, along = () => []) {
      const secret = makeSecret(spec.allowedOrigins?.length ? 'nwp' : 'nw')
      const id = makeId(now()) as KeyId
      await db.as(acting, [...insertKey(accountOf(acting), id, spec, secret, new Date(now())), ...along(id)])
      return { id, secret }
    },

    async change(acting, id, change, along = []) {
      return whenFound(acting, () => [noteChange(id), ...along], changeKey(accountOf(acting), id, change))
    },

    async rotate(acting, id, graceSeconds, along = []) {
      const account = accountOf(acting)
      // A key keeps its kind. The statement reads the kind and picks the matching secret.
      const [ordinary, publishable] = [makeSecret('nw'), makeSecret('nwp')]
      const secretOf = ({ is_publishable }: Rotated) => (is_publishable ? publishable : ordinary)
      const rotated = await whenFound(
        acting,
        (row) => [
          retireSecrets(account, id, graceSeconds),
          insertSecret(secretOf(row), account, id),
          noteChange(id),
          ...along,
        ],
        showPrefix(account, id, prefixOf(ordinary), prefixOf(publishable)),
      )
      return rotated && { secret: secretOf(rotated) }
    },

    async revoke(acting, id, along = []) {
      const account = accountOf(acting)
      const then = () => [endReview(account, id), noteChange(id), ...along]
      return (await whenFound(acting, then, revokeKey(account, id))) !== undefined
    },

    async keep(acting, id, along = []) {
      return (await whenFound(acting, () => along, keepKey(acting, id))) !== undefined
    },

    async grant(acting, grant, along = []) {
      const account = accountOf(acting)
      await db.transaction(acting, async (tx) => {
        await tx.run(holdRules(account))
        const permitted = await tx.run(findPermission(account, grant.clientId, grant.isOwn === true))
        if (permitted.rows.length === 0) throw new ApiError('application_blocked')
        for (const statement of [insertGrant(account, grant, new Date(now())), ...along]) await tx.run(statement)
      })
    },

    async listRetiring(acting, id) {
      // Any account may look up a secret by its hash; only the key's own account may see the key.
      const text = `SELECT secret.prefix, secret.expires_at FROM key_secret secret
        JOIN api_key ON api_key.account_id = secret.account_id AND api_key.id = secret.key_id
        WHERE api_key.account_id = $1 AND api_key.id = $2 AND secret.expires_at > $3 ORDER BY secret.expires_at`
      const values = [accountOf(acting), id, new Date(now())]
      const [found] = await db.as(acting, [sql<Retiring>('key_secret_retiring', text, values)])
      return found.rows
    },

    async list(acting) {
      const account = accountOf(acting)
      const [found] = await db.as(acting, [
        sql<ListedKey>(
          'key_list',
          `SELECT api_key.*, key_review.since AS review_since FROM api_key
           LEFT JOIN key_review ON key_review.account_id = api_key.account_id AND key_review.key_id = api_key.id
           WHERE api_key.account_id = $1 ORDER BY created_at, id`,
          [account],
        ),
      ])
      return found.rows
    },
  }

  /** Runs the change and its effects in one transaction. Writes nothing when the change found no row. */
  async function whenFound<Row>(
    acting: Acting,
    then: (row: Row) => KeyEffects,
    change: Statement<Row>,
  ): Promise<Row | undefined> {
    return db.transaction(acting, async (tx) => {
      const changed = await tx.run(change)
      if (changed.count === 0) return undefined
      const row = changed.rows[0] ?? ({} as Row)
      for (const statement of then(row)) await tx.run(statement)
      return row
    })
  }
}

interface Rotated {
  readonly is_publishable: boolean
}

function showPrefix(account: AccountId, id: KeyId, ordinary: string, publishable: string): Statement<Rotated> {
  // An application has no secret here to rotate.
  return sql<Rotated>(
    'key_rotate',
    `UPDATE api_key SET prefix = CASE WHEN allowed_origins = '{}' THEN $3 ELSE $4 END
     WHERE account_id = $1 AND id = $2 AND revoked_at IS NULL AND client_id IS NULL
     RETURNING allowed_origins <> '{}' AS is_publishable`,
    [account, id, ordinary, publishable],
  )
}

function retireSecrets(account: AccountId, id: KeyId, graceSeconds: number): Statement {
  return sql(
    'key_secret_retire',
    `UPDATE key_secret SET expires_at = least(expires_at, now() + $3 * interval '1 second')
     WHERE account_id = $1 AND key_id = $2`,
    [account, id, graceSeconds],
  )
}
