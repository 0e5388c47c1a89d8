/**
 * Resolves the hash of a credential to its stored data. A key and an access token both lead to a row of `api_key`,
 * which holds the quota and the expiry. A token only narrows the scopes and names an audience.
 *
 * `model/permissions.ts` computes the permissions on every read, from the person's current role. A token granted by a
 * person is valid only while that person is a member of the account, and never exceeds their role.
 */
import type { BlockList } from 'node:net'
import { sql } from '../../platform/db/db.ts'
import type { Db, Statement } from '../../platform/db/db.ts'
import { AUDIENCES, SCOPES, WEB_CLIENT_ID } from '../../model/caller.ts'
import type { AccountId, Audience, Caller, CredentialKind, KeyId, Scope } from '../../model/caller.ts'
import type { Role } from '../../model/member.ts'
import { isUsableAt, scopesOf } from '../../model/permissions.ts'
import { PLAN_COLUMNS, planOf } from '../../model/plan.ts'
import type { PlanRow } from '../../model/plan.ts'
import { rangesOf } from './addresses.ts'
import type { KeyRow } from './rows.ts'

export interface ResolvedCredential {
  readonly keyId: KeyId
  /** The audiences where it is valid, and the caller for each. */
  readonly callers: Readonly<Partial<Record<Audience, Caller>>>
  readonly expiresAt: number
  readonly revoked: boolean
  readonly suspended: boolean
  readonly allowed: BlockList | undefined
  /** Empty: not usable from web pages. */
  readonly origins: readonly string[]
}

/** The prefix separates the plan's columns from the key's own. */
type PlanOfAccount = { readonly [Column in keyof PlanRow as `plan_${Column}`]: number | null }

interface FoundCredential {
  readonly row: KeyRow & {
    language: string | null
    currency: string | null
    history_days: number | null
    role: Role | null
    plan_suspended_at: Date | null
  } & PlanOfAccount
  readonly account: AccountId
  readonly expiresAt: Date | null
  readonly kindAt: (audience: Audience) => CredentialKind
  readonly userId: string | null
  readonly retiring?: string
}

// People read "last used": one minute is precise enough and avoids a write per request.
const TOUCH_EVERY_MS = 60_000

export function createReader(options: {
  db: Db
  now: () => number
  /** The resource indicator (RFC 8707) of an audience. */
  resourceOf: (audience: Audience) => string
}) {
  const { db, now, resourceOf } = options

  async function readKey(hashHex: string): Promise<ResolvedCredential | undefined> {
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
    // Only a rotation sets an expiry on a secret; the key's own expiry is in its row.
    const { expires_at: expiresAt, prefix } = secret
    if (!row) return undefined
    const kind = row.allowed_origins.length > 0 ? 'publishable_key' : 'key'
    const found = { account, expiresAt, kindAt: () => kind, userId: row.created_by } as const
    return resolveCredential(
      { row, ...found, ...(expiresAt === null ? {} : { retiring: prefix }) },
      row.scopes,
      AUDIENCES,
    )
  }

  async function readToken(hashHex: string): Promise<ResolvedCredential | undefined> {
    const { rows } = await db.find<TokenRow>(sql('token_find', 'SELECT * FROM people.find_token($1)', [hashHex]))
    const [token] = rows
    if (!token) return undefined
    const account = token.account_id
    const [read] = await db.read(account, [keyOfClient(account, token.client_id, token.user_id)])
    const [row] = read.rows
    if (!row || (token.user_id !== null && row.role === null)) return undefined
    const given = new Set(JSON.parse(token.scopes) as string[])
    const scopes = row.scopes.filter((scope) => given.has(scope))
    // A client that named no resource gets the default one, `/v1`.
    const resources = new Set(token.resources === null ? [resourceOf('v1')] : (JSON.parse(token.resources) as string[]))
    return resolveCredential(
      {
        row,
        account,
        expiresAt: token.expires_at,
        kindAt: (audience) => kindOfToken(token, audience),
        userId: token.user_id ?? row.created_by,
      },
      scopes,
      AUDIENCES.filter((audience) => resources.has(resourceOf(audience))),
    )
  }

  function resolveCredential(
    found: FoundCredential,
    given: readonly Scope[],
    audiences: readonly Audience[],
  ): ResolvedCredential {
    const { row, account, expiresAt } = found
    const scopes = given.filter((scope) => SCOPES.includes(scope))
    if (now() - (row.last_used_at?.getTime() ?? 0) > TOUCH_EVERY_MS) {
      // Not awaited: the response does not depend on it.
      db.as(account, [touch(account, row.id, new Date(now()))]).catch(() => {})
    }
    return {
      keyId: row.id,
      callers: callersOf(found, scopes, audiences),
      expiresAt: Math.min(expiresAt?.getTime() ?? Infinity, row.expires_at?.getTime() ?? Infinity),
      revoked: row.revoked_at !== null,
      suspended: (row.plan_suspended_at ?? null) !== null,
      allowed: rangesOf(row.allowed_ips),
      origins: row.allowed_origins,
    }
  }

  return { readKey, readToken }
}

function callersOf(
  { row, account, kindAt, userId, retiring }: FoundCredential,
  scopes: readonly Scope[],
  audiences: readonly Audience[],
): ResolvedCredential['callers'] {
  const callers = audiences.flatMap((audience): (readonly [Audience, Caller])[] => {
    const kind = kindAt(audience)
    if (!isUsableAt(kind, audience)) return []
    const caller: Caller = {
      accountId: account,
      keyId: row.id,
      identity: { credential: kind, userId, clientId: row.client_id },
      scopes: scopesOf({ kind, audience, role: row.role }, scopes),
      quota: { perMinute: row.per_minute, burst: row.burst, perDay: row.per_day, perMonth: row.per_month },
      plan: planOf(Object.fromEntries(PLAN_COLUMNS.map((column) => [column, row[`plan_${column}`]]))),
      historyDays: row.history_days,
      ...(kind === 'publishable_key' ? { isPublishable: true } : {}),
      // A publishable key is used by visitors of somebody's page, whose addresses must not be stored.
      ...(retiring === undefined || kind === 'publishable_key' ? {} : { retiring }),
      ...(row.language === null ? {} : { language: row.language }),
      ...(row.currency === null ? {} : { currency: row.currency }),
    }
    return [[audience, caller]]
  })
  return Object.fromEntries(callers)
}

function kindOfToken({ user_id, client_id }: TokenRow, audience: Audience): CredentialKind {
  if (user_id === null) return 'client_token'
  if (client_id === WEB_CLIENT_ID) return 'app_session'
  return audience === 'mcp' ? 'mcp_token' : 'oauth_token'
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
  /** JSON text: arrays of strings. */
  readonly scopes: string
  readonly resources: string | null
  readonly expires_at: Date
}

const PLAN = `account_plan.suspended_at AS plan_suspended_at,
  ${PLAN_COLUMNS.map((column) => `account_plan.${column} AS plan_${column}`).join(', ')}`

function keyById(account: AccountId, id: KeyId): Statement<FoundCredential['row']> {
  return sql(
    'key_of_caller',
    `SELECT api_key.*, account.language, account.currency, account.history_days, NULL AS role, ${PLAN}
     FROM api_key JOIN account ON account.id = api_key.account_id
     LEFT JOIN account_plan ON account_plan.account_id = api_key.account_id
     WHERE api_key.account_id = $1 AND api_key.id = $2`,
    [account, id],
  )
}

function keyOfClient(account: AccountId, clientId: string, userId: string | null): Statement<FoundCredential['row']> {
  return sql(
    'key_of_client',
    `SELECT api_key.*, account.language, account.currency, account.history_days, member.role, ${PLAN}
     FROM api_key JOIN account ON account.id = api_key.account_id
     LEFT JOIN account_plan ON account_plan.account_id = api_key.account_id
     LEFT JOIN member ON member.account_id = api_key.account_id AND member.user_id = $3
     WHERE api_key.account_id = $1 AND api_key.client_id = $2`,
    [account, clientId, userId],
  )
}

function touch(account: AccountId, id: KeyId, at: Date): Statement {
  return sql('key_touch', 'UPDATE api_key SET last_used_at = $3 WHERE account_id = $1 AND id = $2', [account, id, at])
}
