/**
 * From the hash of a credential to what is known of it. A key and an access token end in the same place: a row of
 * `api_key`, which has the quota and the end of either; a token only narrows its scopes and names its audience.
 *
 * A token that a person gave counts only while that person belongs to the account, and only as far as their role.
 */
import type { BlockList } from 'node:net'
import { sql } from '../db/db.ts'
import type { Db, Statement } from '../db/db.ts'
import { AUDIENCES, SCOPES } from '../model/caller.ts'
import type { AccountId, Audience, Caller, KeyId, Scope } from '../model/caller.ts'
import { scopesWithin } from '../model/member.ts'
import type { Role } from '../model/member.ts'
import { rangesOf } from './addresses.ts'
import type { KeyRow } from './rows.ts'

export interface Known {
  readonly caller: Caller
  readonly audiences: readonly Audience[]
  readonly expiresAt: number
  readonly revoked: boolean
  readonly allowed: BlockList | undefined
  /** None: not for pages. */
  readonly origins: readonly string[]
}

interface Found {
  readonly row: KeyRow & {
    language: string | null
    currency: string | null
    history_days: number | null
    role: Role | null
  }
  readonly account: AccountId
  readonly expiresAt: Date | null
  readonly retiring?: string
}

// The page that shows "last used" is read by people: a minute is exact enough, and spares a write per request.
const TOUCH_EVERY_MS = 60_000

export function createReader(options: {
  db: Db
  now: () => number
  /** The resource (RFC 8707) that stands for an audience. */
  resourceOf: (audience: Audience) => string
}) {
  const { db, now, resourceOf } = options

  async function readKey(hashHex: string): Promise<Known | undefined> {
    const { rows } = await db.find<SecretRow>(
      sql('key_secret_find', 'SELECT account_id, key_id, expires_at, prefix FROM key_secret WHERE hash = $1', [
        Buffer.from(hashHex, 'hex'),
      ]),
    )
    const [secret] = rows
    if (!secret) return undefined
    const account = secret.account_id
    const [read] = await db.read(account, [keyById(account, secret.key_id)])
    const [row] = read.rows
    // Only a rotation gives a secret an end; a key's own is in its row.
    const { expires_at: expiresAt, prefix } = secret
    const found = { account, expiresAt, ...(expiresAt === null ? {} : { retiring: prefix }) }
    return row && knownOf({ row, ...found }, row.scopes, audiencesOf(row))
  }

  async function readToken(hashHex: string): Promise<Known | undefined> {
    const { rows } = await db.find<TokenRow>(sql('token_find', 'SELECT * FROM people.find_token($1)', [hashHex]))
    const [token] = rows
    if (!token) return undefined
    const account = token.account_id
    const [read] = await db.read(account, [keyOfClient(account, token.client_id, token.user_id)])
    const [row] = read.rows
    if (!row || (token.user_id !== null && row.role === null)) return undefined
    const given = new Set(JSON.parse(token.scopes) as string[])
    const scopes = row.scopes.filter((scope) => given.has(scope))
    // A client that named no resource asked for the one everybody means.
    const resources = new Set(token.resources === null ? [resourceOf('v1')] : (JSON.parse(token.resources) as string[]))
    return knownOf(
      { row, account, expiresAt: token.expires_at },
      row.role === null ? scopes : scopesWithin(row.role, scopes),
      AUDIENCES.filter((audience) => resources.has(resourceOf(audience))),
    )
  }

  function knownOf(
    { row, account, expiresAt, retiring }: Found,
    scopes: readonly Scope[],
    audiences: readonly Audience[],
  ): Known {
    if (now() - (row.last_used_at?.getTime() ?? 0) > TOUCH_EVERY_MS) {
      // Not waited for: a caller's answer does not depend on it.
      db.as(account, [touch(account, row.id, new Date(now()))]).catch(() => {})
    }
    return {
      caller: {
        accountId: account,
        keyId: row.id,
        scopes: scopes.filter((scope) => SCOPES.includes(scope)),
        quota: { perMinute: row.per_minute, burst: row.burst, perDay: row.per_day, perMonth: row.per_month },
        historyDays: row.history_days,
        ...(row.allowed_origins.length > 0 ? { isPublishable: true } : {}),
        // Who uses a publishable one is a visitor of somebody's page, whose address is not for keeping.
        ...(retiring === undefined || row.allowed_origins.length > 0 ? {} : { retiring }),
        ...(row.language === null ? {} : { language: row.language }),
        ...(row.currency === null ? {} : { currency: row.currency }),
      },
      audiences,
      expiresAt: Math.min(expiresAt?.getTime() ?? Infinity, row.expires_at?.getTime() ?? Infinity),
      revoked: row.revoked_at !== null,
      allowed: rangesOf(row.allowed_ips),
      origins: row.allowed_origins,
    }
  }

  return { readKey, readToken }
}

/** An agent holds its key where nobody sees it. */
function audiencesOf({ allowed_origins }: KeyRow): readonly Audience[] {
  return allowed_origins.length > 0 ? ['v1'] : AUDIENCES
}

interface SecretRow {
  readonly account_id: AccountId
  readonly key_id: KeyId
  readonly expires_at: Date | null
  readonly prefix: string
}

interface TokenRow {
  readonly account_id: AccountId
  readonly client_id: string
  readonly user_id: string | null
  /** JSON text: lists of texts. */
  readonly scopes: string
  readonly resources: string | null
  readonly expires_at: Date
}

function keyById(account: AccountId, id: KeyId): Statement<Found['row']> {
  return sql(
    'key_of_caller',
    `SELECT api_key.*, account.language, account.currency, account.history_days, NULL AS role FROM api_key
     JOIN account ON account.id = api_key.account_id WHERE api_key.account_id = $1 AND api_key.id = $2`,
    [account, id],
  )
}

function keyOfClient(account: AccountId, clientId: string, userId: string | null): Statement<Found['row']> {
  return sql(
    'key_of_client',
    `SELECT api_key.*, account.language, account.currency, account.history_days, member.role FROM api_key
     JOIN account ON account.id = api_key.account_id
     LEFT JOIN member ON member.account_id = api_key.account_id AND member.user_id = $3
     WHERE api_key.account_id = $1 AND api_key.client_id = $2`,
    [account, clientId, userId],
  )
}

function touch(account: AccountId, id: KeyId, at: Date): Statement {
  return sql('key_touch', 'UPDATE api_key SET last_used_at = $3 WHERE account_id = $1 AND id = $2', [account, id, at])
}
