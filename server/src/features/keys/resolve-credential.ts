/**
 * Verifies the credential of a request: turns the text of an Authorization header into a Caller.
 *
 * A key and an access token both lead to a row of `api_key`, which holds the quota and the expiry. A token only narrows
 * the scopes and names an audience. `model/permissions.ts` computes the permissions on every read, from the person's
 * current role. A token granted by a person is valid only while that person is a member of the account, and never
 * exceeds their role.
 *
 * What was read is cached in this process, so that a request does not read the database to authenticate its caller. A
 * cache of ten seconds alone would keep a revoked key alive for that long. So each change of a key inserts a row into
 * `key_change`, and every process reads the last seconds of that table three times a second and drops the entries it
 * finds there. That is one small read per process, however many keys it serves.
 *
 * **Invariant:** an entry is trusted only while the last successful read of the changes is less than a second old;
 * otherwise it is read again, at most every half second. While the database is unreachable nobody can revoke a key
 * either, so the last value stays valid until changes can be read again. If only this node was cut off, keys may have
 * changed meanwhile; after a gap longer than GAP_MS it drops every entry.
 */
import { hash } from 'node:crypto'
import type { BlockList } from 'node:net'
import { LRUCache } from 'lru-cache'
import { sql, type Db, type Statement } from '../../platform/db/db.ts'
import { ApiError } from '../../model/errors.ts'
import {
  AUDIENCES,
  SCOPES,
  WEB_CLIENT_ID,
  type AccountId,
  type Audience,
  type Caller,
  type CredentialKind,
  type KeyId,
  type Scope,
} from '../../model/caller.ts'
import type { Role } from '../../model/member.ts'
import { isUsableAt, scopesOf } from '../../model/permissions.ts'
import { PLAN_COLUMNS, planOf, type PlanRow } from '../../model/plan.ts'
import { includes, rangesOf } from '../../model/address-ranges.ts'
import { kindOf } from '../../model/credential-text.ts'
import { includesOrigin } from './key.ts'
import type { KeyRow } from './rows.ts'

export interface Verifier {
  /** Whether `verify` must read the database for a credential that this process has not found before. */
  isUnseen(token: string): boolean
  /** Fails with invalid_token, expired_token, account_suspended, ip_not_allowed or origin_not_allowed. */
  verify(token: string, at: { ip: string; audience: Audience; origin?: string | undefined }): Promise<Caller>
  /** The current scopes of a credential; undefined when every endpoint would refuse it. */
  findScopes(token: string): Promise<readonly Scope[] | undefined>
  close(): void
}

export interface VerifierOptions {
  readonly db: Db
  readonly now: () => number
  /** A monotonic clock, for the age of cache entries. */
  readonly steady?: () => number
  /** The resource indicator (RFC 8707) of an audience. */
  readonly resourceOf?: (audience: Audience) => string
}

export function openVerifier({
  db,
  now,
  steady = () => performance.now(),
  resourceOf = (audience) => `/${audience}`,
}: VerifierOptions): Verifier {
  const { readKey, readToken } = createReader({ db, now, resourceOf })
  const cache = createCredentialCache<ResolvedCredential | undefined>({
    db,
    now: steady,
    read: (id) => {
      const [kind, hashHex = ''] = id.split(':')
      return kind === 'nwa' ? readToken(hashHex) : readKey(hashHex)
    },
    keyIdOf: (credential) => credential?.keyId,
  })

  /** Undefined for a text that is no credential of ours, by its form or checksum: only others are ever in the cache. */
  function cacheIdOf(token: string): string | undefined {
    const id = `${token.slice(0, token.indexOf('_'))}:${hash('sha256', token)}`
    if (cache.has(id)) return id
    const kind = kindOf(token)
    return kind === 'nw' || kind === 'nwp' || kind === 'nwa' ? id : undefined
  }

  async function find(token: string): Promise<ResolvedCredential | undefined> {
    const id = cacheIdOf(token)
    return id === undefined ? undefined : cache.get(id)
  }

  return {
    isUnseen(token) {
      const id = cacheIdOf(token)
      return id !== undefined && cache.isUnseen(id)
    },

    async verify(token, { ip, audience, origin = '' }) {
      const credential = await find(token)
      // A token for another audience is not valid here (RFC 8707).
      const caller = credential?.callers[audience]
      if (!credential || credential.revoked || !caller) throw new ApiError('invalid_token')
      if (now() >= credential.expiresAt) throw new ApiError('expired_token')
      if (credential.suspended) throw new ApiError('account_suspended')
      if (credential.allowed && !includes(credential.allowed, ip)) throw new ApiError('ip_not_allowed')
      if (credential.origins.length > 0 && !includesOrigin(credential.origins, origin))
        throw new ApiError('origin_not_allowed')
      return caller
    },

    async findScopes(token) {
      const credential = await find(token)
      if (!credential || credential.revoked || credential.suspended || now() >= credential.expiresAt) return undefined
      const callers = Object.values(credential.callers)
      return callers.length === 0
        ? undefined
        : SCOPES.filter((one) => callers.some(({ scopes }) => scopes.includes(one)))
    },

    close: () => cache.close(),
  }
}

interface ResolvedCredential {
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

function createReader(options: {
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

const READ_EVERY_MS = 300
const TRUST_MS = 1_000
const REMEMBER_MS = 10_000
// Each read must cover every transaction that was open at the previous read; statements time out after five seconds.
const READ_BACK_SECONDS = 10
// The longest gap between two reads in which no change can be missed.
const GAP_MS = 5_000
// About 1 KB each. Reloading an evicted entry costs one read.
const MAX_ENTRIES = 50_000

interface CacheEntry<T> {
  readonly value: Promise<T>
  readonly readAt: number
  keyId?: string
  /** The last value read successfully; used while the database is unreachable. */
  last?: { readonly value: T }
}

interface CredentialCache<T> {
  /** `id`: the kind and the hash of a credential. */
  get(id: string): Promise<T>
  /** Whether `get` reads the database for a credential that it has not found before. */
  isUnseen(id: string): boolean
  has(id: string): boolean
  close(): void
}

export function createCredentialCache<T>(options: {
  db: Db
  now: () => number
  read: (id: string) => Promise<T>
  keyIdOf: (value: T) => string | undefined
}): CredentialCache<T> {
  const { db, now, read, keyIdOf } = options
  const entries = new LRUCache<string, CacheEntry<T>>({ max: MAX_ENTRIES })
  let changesReadAt = now()
  let closed = false

  async function readChanges(): Promise<void> {
    const startedAt = now()
    const { rows } = await db.find<{ key_id: string }>({
      name: 'key_change_recent',
      text: `SELECT DISTINCT key_id FROM key_change WHERE changed_at > now() - $1 * interval '1 second'`,
      values: [READ_BACK_SECONDS],
    })
    if (startedAt - changesReadAt > GAP_MS) entries.clear()
    if (rows.length > 0) {
      const changed = new Set(rows.map((row) => row.key_id))
      // The key of an entry that is still loading is unknown, and the entry may predate the change.
      const isChanged = ([, { keyId }]: [string, CacheEntry<T>]) => !keyId || changed.has(keyId)
      // Found first: an iterator of the cache does not bear deletions.
      for (const [id] of Array.from(entries.entries()).filter(isChanged)) entries.delete(id)
    }
    changesReadAt = startedAt
  }

  let timer = setTimeout(function again() {
    readChanges()
      .catch(() => {})
      .finally(() => {
        if (!closed) timer = setTimeout(again, READ_EVERY_MS).unref()
      })
  }, READ_EVERY_MS).unref()

  const isFresh = ({ readAt }: CacheEntry<T>, at: number) =>
    at - readAt < (at - changesReadAt < TRUST_MS ? REMEMBER_MS : TRUST_MS / 2)

  return {
    has: (id) => entries.has(id),

    isUnseen(id) {
      const cached = entries.peek(id)
      if (!cached) return true
      return cached.last?.value === undefined && !isFresh(cached, now())
    },

    async get(id) {
      const cached = entries.get(id)
      const at = now()
      if (cached && isFresh(cached, at)) return cached.value
      const entry: CacheEntry<T> = { ...cached, value: read(id).then(keep, hold), readAt: at }
      entries.set(id, entry)
      return entry.value

      function keep(value: T): T {
        const keyId = keyIdOf(value)
        if (keyId) entry.keyId = keyId
        entry.last = { value }
        return value
      }

      /**
       * After a failed read: while the database is unreachable, returns the last value, unless `readChanges` has
       * dropped the entry meanwhile, because then the key may have changed.
       */
      function hold(error: unknown): T {
        const current = entries.get(id)
        if (current?.last && error instanceof ApiError && error.code === 'unavailable') return current.last.value
        if (current === entry) entries.delete(id)
        throw error
      }
    },

    close() {
      closed = true
      clearTimeout(timer)
    },
  }
}
