/**
 * Credentials: from the text in an Authorization header to a Caller, and the owner's side of making, changing,
 * rotating and revoking them. A key's text is shown once, by whoever called `create` or `rotate`; here only its hash
 * is kept. An application with a token has a row of its own beside the keys, and is treated as one from then on.
 */
import { accountOf, sql } from '../db/db.ts'
import type { Acting, Db, Statement } from '../db/db.ts'
import { ApiError } from '../errors.ts'
import type { AccountId, Audience, Caller, KeyId, Quota, Scope } from '../model/caller.ts'
import { hashOf, kindOf, makeSecret, prefixOf } from '../model/credential-text.ts'
import { makeId } from '../model/id.ts'
import { includes } from './addresses.ts'
import { createReader } from './known.ts'
import type { Known } from './known.ts'
import { includesOrigin } from './origins.ts'
import { createRecall } from './recall.ts'
import { changeKey, insertGrant, insertKey, insertSecret, noteChange, revokeKey } from './rows.ts'
import type { KeyChange, KeyRow, KeySpec } from './rows.ts'

export type { KeyChange, KeyRow, KeySpec } from './rows.ts'

export interface Grant {
  readonly clientId: string
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly quota: Quota
  readonly createdBy?: string
}

export interface Retiring {
  readonly prefix: string
  readonly expires_at: Date
}

/** To be committed with a change: what else is told of it. */
type Along = readonly Statement[]

export interface Keys {
  /** Fails with invalid_token, expired_token, ip_not_allowed or origin_not_allowed. */
  verify(token: string, at: { ip: string; audience: Audience; origin?: string | undefined }): Promise<Caller>
  create(acting: Acting, spec: KeySpec, along?: (id: KeyId) => Along): Promise<{ id: KeyId; secret: string }>
  /** Undefined when the account has no such key, or it is revoked; so for the ones below. */
  change(acting: Acting, id: KeyId, change: KeyChange, along?: Along): Promise<KeyRow | undefined>
  /** A second secret for the same key; the first one lives on for the grace period. */
  rotate(acting: Acting, id: KeyId, graceSeconds: number, along?: Along): Promise<{ secret: string } | undefined>
  revoke(acting: Acting, id: KeyId, along?: Along): Promise<boolean>
  /** Lets an application act for the account, as often as it is asked. */
  grant(acting: Acting, grant: Grant, along?: Along): Promise<void>
  /** The secrets of a key that have been replaced and still work, the next to end first. */
  listRetiring(acting: Acting, id: KeyId): Promise<readonly Retiring[]>
  /** Keys and applications, oldest first. */
  list(acting: Acting): Promise<readonly KeyRow[]>
  close(): void
}

export function openKeys(options: {
  db: Db
  now: () => number
  /** A clock that nobody sets: for how long something was remembered. */
  steady?: () => number
  resourceOf?: (audience: Audience) => string
}): Keys {
  const { db, now, steady = () => performance.now(), resourceOf = (audience) => `/${audience}` } = options
  const { readKey, readToken } = createReader({ db, now, resourceOf })
  const recall = createRecall<Known | undefined>({
    db,
    now: steady,
    read: (id) => {
      const [kind, hashHex = ''] = id.split(':')
      return kind === 'nwa' ? readToken(hashHex) : readKey(hashHex)
    },
    keyIdOf: (known) => known?.caller.keyId,
  })

  return {
    async verify(token, { ip, audience, origin = '' }) {
      const kind = kindOf(token)
      if (kind !== 'nw' && kind !== 'nwp' && kind !== 'nwa') throw new ApiError('invalid_token')
      const known = await recall.get(`${kind}:${hashOf(token).toString('hex')}`)
      // A token for another door is no token at this one (RFC 8707).
      if (!known || known.revoked || !known.audiences.includes(audience)) throw new ApiError('invalid_token')
      if (now() >= known.expiresAt) throw new ApiError('expired_token')
      if (known.allowed && !includes(known.allowed, ip)) throw new ApiError('ip_not_allowed')
      if (known.origins.length > 0 && !includesOrigin(known.origins, origin)) throw new ApiError('origin_not_allowed')
      return known.caller
    },

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
      // A key stays of its kind; which it is, is read in the same step.
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
      const revoked = await whenFound(acting, () => [noteChange(id), ...along], revokeKey(accountOf(acting), id))
      return revoked !== undefined
    },

    async grant(acting, grant, along = []) {
      await db.as(acting, [insertGrant(accountOf(acting), grant, new Date(now())), ...along])
    },

    async listRetiring(acting, id) {
      // Everybody may look up a secret; whose key it is only its own account may see.
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
        sql<KeyRow>('key_list', 'SELECT * FROM api_key WHERE account_id = $1 ORDER BY created_at, id', [account]),
      ])
      return found.rows
    },

    close: () => recall.close(),
  }

  /** The change and what follows from it, in one transaction; nothing at all when the change found no row. */
  async function whenFound<Row>(
    acting: Acting,
    then: (row: Row) => Along,
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
  // An application has no secret of ours to rotate.
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
