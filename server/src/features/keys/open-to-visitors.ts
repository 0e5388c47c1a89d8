/**
 * The web app for visitors who have not signed in: an account without members and one publishable key, limited to the
 * pages of this service.
 *
 * The key's text is derived from the service's secret, so every node knows it and none has to store it. Its quota is
 * shared by all visitors; `http/visitors.ts` limits each of them. The first request creates the account and the key.
 * Later requests check now and then that they still match the settings: the settings may have changed, and another node
 * may still use the old ones.
 *
 * With an allowance of 0 there is no key, and an earlier key is refused (`http/visitors.ts`).
 */
import { hkdfSync } from 'node:crypto'
import type { Context } from '../../context.ts'
import type { Config } from '../../platform/config/config.ts'
import { type Db, sql, type Statement, type Transaction } from '../../platform/db/db.ts'
import { PUBLISHABLE_SCOPES, VISITORS, type AccountId, type KeyId } from '../../model/caller.ts'
import { deriveSecret, hashOf, prefixOf } from '../../model/credential-text.ts'
import { makeId } from '../../model/id.ts'
import { insertKey, noteChange, type KeyRow, type KeySpec } from './rows.ts'

export interface VisitorsContext {
  readonly config: Config
  readonly publicUrl: string
  readonly db: Pick<Db, 'transaction'>
  readonly accounts: Pick<Context['accounts'], 'creatingVisitors'>
  readonly now: () => number
}

export interface VisitorKey {
  /** Undefined when visitors have no allowance. */
  find(): Promise<string | undefined>
}

const READ_EVERY_MS = 60_000
// For all visitors together; each has their own limit, and the allowance is the effective bound.
const RATE = { perMinute: 1_200, burst: 300 }

export function createVisitorKey(ctx: VisitorsContext): VisitorKey {
  let firstRead: { readonly at: number; readonly done: Promise<string> } | undefined

  async function readKey(): Promise<string> {
    const { config, publicUrl, db, accounts, now } = ctx
    const secret = deriveSecret(
      'nwp',
      new Uint8Array(hkdfSync('sha256', config.secrets[0].reveal(), '', 'namewright visitors', 32)),
    )
    const spec = {
      name: 'Visitors of the web app',
      scopes: PUBLISHABLE_SCOPES,
      quota: { ...RATE, perDay: config.web.allowance, perMonth: null },
      allowedIps: [],
      allowedOrigins: [new URL(publicUrl).origin],
    }
    await db.transaction(VISITORS, async (tx) => {
      await tx.run(accounts.creatingVisitors())
      await keepKey(tx, VISITORS, { spec, secret, at: now() })
    })
    return secret
  }

  return {
    async find() {
      if (ctx.config.web.allowance === 0) return undefined
      const at = ctx.now()
      if (!firstRead || at - firstRead.at > READ_EVERY_MS) {
        firstRead = { at, done: readKey() }
        // The next request tries again.
        firstRead.done.catch(() => (firstRead = undefined))
      }
      return firstRead.done
    },
  }
}

export type KeptKey = KeySpec & { readonly allowedOrigins: readonly string[] }

const GRACE_SECONDS = 3_600

/** Runs within a transaction of the account. */
export async function keepKey(
  tx: Transaction,
  account: AccountId,
  { spec, secret, at }: { spec: KeptKey; secret: string; at: number },
): Promise<void> {
  await tx.run(sql('kept_key_lock', 'SELECT id FROM account WHERE id = $1 FOR UPDATE', [account]))
  const found = await tx.run(findKept(account, secret))
  const [row] = found.rows
  if (!row) {
    const id = makeId(at) as KeyId
    for (const statement of insertKey(account, id, spec, secret, new Date(at))) await tx.run(statement)
    return
  }
  if (row.is_current && isAs(row, spec)) return
  for (const statement of [
    changeKept(account, row.id, spec, secret),
    keepSecret(account, row.id, secret),
    retireOthers(account, row.id, secret),
    noteChange(row.id),
  ]) {
    await tx.run(statement)
  }
}

type Kept = KeyRow & { readonly is_current: boolean }

function isAs(row: Kept, { quota, scopes, allowedOrigins }: KeptKey): boolean {
  const is = [row.per_minute, row.burst, row.per_day, row.per_month, row.scopes, row.allowed_origins]
  const should = [quota.perMinute, quota.burst, quota.perDay, quota.perMonth, scopes, allowedOrigins]
  return row.revoked_at === null && JSON.stringify(is) === JSON.stringify(should)
}

function findKept(account: AccountId, secret: string): Statement<Kept> {
  return sql(
    'kept_key_find',
    `SELECT *, EXISTS (SELECT FROM key_secret s WHERE s.hash = $2 AND s.account_id = $1 AND s.key_id = api_key.id
                       AND s.expires_at IS NULL) AS is_current
     FROM api_key WHERE account_id = $1 ORDER BY created_at, id LIMIT 1`,
    [account, hashOf(secret)],
  )
}

function changeKept(account: AccountId, id: KeyId, spec: KeptKey, secret: string): Statement {
  const { perMinute, burst, perDay, perMonth } = spec.quota
  return sql(
    'kept_key_change',
    `UPDATE api_key SET prefix = $3, scopes = $4, per_minute = $5, burst = $6, per_day = $7, per_month = $8,
       allowed_origins = $9, revoked_at = NULL WHERE account_id = $1 AND id = $2`,
    [account, id, prefixOf(secret), spec.scopes, perMinute, burst, perDay, perMonth, spec.allowedOrigins],
  )
}

function keepSecret(account: AccountId, id: KeyId, secret: string): Statement {
  return sql(
    'kept_key_secret',
    `INSERT INTO key_secret (hash, account_id, key_id, prefix) VALUES ($1, $2, $3, $4)
     ON CONFLICT (hash) DO UPDATE SET expires_at = NULL`,
    [hashOf(secret), account, id, prefixOf(secret)],
  )
}

function retireOthers(account: AccountId, id: KeyId, secret: string): Statement {
  return sql(
    'kept_key_retire',
    `UPDATE key_secret SET expires_at = least(expires_at, now() + $4 * interval '1 second')
     WHERE account_id = $1 AND key_id = $2 AND hash <> $3`,
    [account, id, hashOf(secret), GRACE_SECONDS],
  )
}
