/**
 * API keys: from the text in an Authorization header to a Caller, and the operator's side of making, rotating and
 * revoking them. The text itself is shown once, by whoever called `create` or `rotate`; here only its hash is kept.
 */
import { BlockList, isIP } from 'node:net'
import { sql } from '../db/db.ts'
import type { Db, Statement } from '../db/db.ts'
import { ApiError } from '../errors.ts'
import type { AccountId, Caller, KeyId, Quota, Scope } from '../model/caller.ts'
import { makeId } from '../model/id.ts'
import { createRecall } from './recall.ts'
import { hashOf, isWellFormed, makeSecret, prefixOf } from './secret.ts'

export interface KeySpec {
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly quota: Quota
  readonly expiresAt?: Date
  /** Addresses or CIDR ranges; none means anywhere. */
  readonly allowedIps: readonly string[]
}

export interface KeyRow {
  readonly id: KeyId
  readonly name: string
  readonly prefix: string
  readonly scopes: Scope[]
  readonly per_minute: number
  readonly burst: number
  readonly per_day: number | null
  readonly per_month: number | null
  readonly allowed_ips: string[]
  readonly created_at: Date
  readonly expires_at: Date | null
  readonly last_used_at: Date | null
  readonly revoked_at: Date | null
}

export interface Keys {
  /** Fails with invalid_token, expired_token or ip_not_allowed. */
  verify(token: string, ip: string): Promise<Caller>
  create(account: AccountId, spec: KeySpec): Promise<{ id: KeyId; secret: string }>
  /** A second secret for the same key; the first one lives on for the grace period. */
  rotate(account: AccountId, id: KeyId, graceSeconds: number): Promise<{ secret: string } | undefined>
  revoke(account: AccountId, id: KeyId): Promise<boolean>
  list(account: AccountId): Promise<readonly KeyRow[]>
  close(): void
}

interface Known {
  readonly caller: Caller
  readonly expiresAt: number
  readonly revoked: boolean
  readonly allowed: BlockList | undefined
}

// The page that shows "last used" is read by people: a minute is exact enough, and spares a write per request.
const TOUCH_EVERY_MS = 60_000

export function openKeys({ db, now }: { db: Db; now: () => number }): Keys {
  const recall = createRecall<Known | undefined>({ db, now, read: readKnown, keyIdOf: (known) => known?.caller.keyId })

  async function readKnown(hashHex: string): Promise<Known | undefined> {
    const found = await db.lookup<{ account_id: AccountId; key_id: KeyId; expires_at: Date | null }>({
      name: 'key_secret_find',
      text: 'SELECT account_id, key_id, expires_at FROM key_secret WHERE hash = $1',
      values: [Buffer.from(hashHex, 'hex')],
    })
    const secret = found.rows[0]
    if (!secret) return undefined
    const [read] = await db.as(secret.account_id, [keyOfCaller(secret.account_id, secret.key_id)])
    const row = read.rows[0]
    if (!row) return undefined
    if (now() - (row.last_used_at?.getTime() ?? 0) > TOUCH_EVERY_MS) {
      // Not waited for: a caller's answer does not depend on it.
      db.as(secret.account_id, [touch(secret.account_id, secret.key_id, new Date(now()))]).catch(() => {})
    }
    return {
      caller: {
        accountId: secret.account_id,
        keyId: secret.key_id,
        scopes: row.scopes,
        quota: { perMinute: row.per_minute, burst: row.burst, perDay: row.per_day, perMonth: row.per_month },
        historyDays: row.history_days,
        ...(row.language === null ? {} : { language: row.language }),
      },
      expiresAt: Math.min(secret.expires_at?.getTime() ?? Infinity, row.expires_at?.getTime() ?? Infinity),
      revoked: row.revoked_at !== null,
      allowed: row.allowed_ips.length > 0 ? rangesOf(row.allowed_ips) : undefined,
    }
  }

  return {
    async verify(token, ip) {
      if (!isWellFormed(token)) throw new ApiError('invalid_token')
      const known = await recall.get(hashOf(token).toString('hex'))
      if (!known || known.revoked) throw new ApiError('invalid_token')
      if (now() >= known.expiresAt) throw new ApiError('expired_token')
      if (known.allowed && !includes(known.allowed, ip)) throw new ApiError('ip_not_allowed')
      return known.caller
    },

    async create(account, spec) {
      const secret = makeSecret()
      const id = makeId(now()) as KeyId
      await db.as(account, [
        insertKey(account, id, spec, prefixOf(secret), new Date(now())),
        insertSecret(secret, account, id),
      ])
      return { id, secret }
    },

    async rotate(account, id, graceSeconds) {
      const secret = makeSecret()
      return db.transaction(account, async (tx) => {
        const { count } = await tx.run({
          name: 'key_rotate',
          text: 'UPDATE api_key SET prefix = $3 WHERE account_id = $1 AND id = $2 AND revoked_at IS NULL',
          values: [account, id, prefixOf(secret)],
        })
        if (count === 0) return undefined
        await tx.run({
          name: 'key_secret_retire',
          text: `UPDATE key_secret SET expires_at = least(expires_at, now() + $3 * interval '1 second')
                 WHERE account_id = $1 AND key_id = $2`,
          values: [account, id, graceSeconds],
        })
        await tx.run(insertSecret(secret, account, id))
        await tx.run(noteChange(id))
        return { secret }
      })
    },

    async revoke(account, id) {
      const [revoked] = await db.as(account, [
        {
          name: 'key_revoke',
          text: 'UPDATE api_key SET revoked_at = now() WHERE account_id = $1 AND id = $2 AND revoked_at IS NULL',
          values: [account, id],
        },
        noteChange(id),
      ])
      return revoked.count > 0
    },

    async list(account) {
      const [keys] = await db.as(account, [
        sql<KeyRow>('key_list', 'SELECT * FROM api_key WHERE account_id = $1 ORDER BY id', [account]),
      ])
      return keys.rows
    },

    close: () => recall.close(),
  }
}

function keyOfCaller(
  account: AccountId,
  id: KeyId,
): Statement<KeyRow & { language: string | null; history_days: number | null }> {
  return {
    name: 'key_of_caller',
    text: `SELECT api_key.*, account.language, account.history_days FROM api_key
           JOIN account ON account.id = api_key.account_id WHERE api_key.account_id = $1 AND api_key.id = $2`,
    values: [account, id],
  }
}

function touch(account: AccountId, id: KeyId, at: Date): Statement {
  return {
    name: 'key_touch',
    text: 'UPDATE api_key SET last_used_at = $3 WHERE account_id = $1 AND id = $2',
    values: [account, id, at],
  }
}

function insertKey(account: AccountId, id: KeyId, spec: KeySpec, prefix: string, at: Date): Statement {
  const { name, scopes, quota, allowedIps, expiresAt } = spec
  return {
    name: 'key_insert',
    text: `INSERT INTO api_key (account_id, id, name, prefix, scopes, per_minute, burst, per_day, per_month,
                                allowed_ips, created_at, expires_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    values: [
      account,
      id,
      name,
      prefix,
      scopes,
      quota.perMinute,
      quota.burst,
      quota.perDay,
      quota.perMonth,
      allowedIps,
      at,
      expiresAt,
    ],
  }
}

function insertSecret(secret: string, account: AccountId, id: KeyId): Statement {
  return {
    name: 'key_secret_insert',
    text: 'INSERT INTO key_secret (hash, account_id, key_id) VALUES ($1, $2, $3)',
    values: [hashOf(secret), account, id],
  }
}

function noteChange(id: KeyId): Statement {
  return {
    name: 'key_change_note',
    text: `WITH old AS (DELETE FROM key_change WHERE changed_at < now() - interval '1 hour')
           INSERT INTO key_change (changed_at, key_id) VALUES (clock_timestamp(), $1)`,
    values: [id],
  }
}

function rangesOf(ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', bits] = range.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return list
}

function includes(list: BlockList, ip: string): boolean {
  // A dual-stack socket shows an IPv4 caller as ::ffff:192.0.2.1.
  const plain = ip.startsWith('::ffff:') && isIP(ip.slice(7)) === 4 ? ip.slice(7) : ip
  return list.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4')
}
