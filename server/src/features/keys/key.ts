/** What a key is: out of a request, of which it reports every wrong field, and as the settings show it. */
import type { Context } from '../../context.ts'
import { isAddressRange } from '../../platform/config/parse.ts'
import { ApiError, type FieldError } from '../../model/errors.ts'
import type { KeyChange, KeyRow, KeySpec } from './keys.ts'
import { FIRST_QUOTA, PUBLISHABLE_SCOPES, type QuotaLimits, type Scope } from '../../model/caller.ts'
import type { Member, UserId } from '../../model/member.ts'
import type { GrantChangeBody, KeyBody, KeyChangeBody, QuotaRequest } from './schemas.ts'
import { getPublicSuffix } from 'tldts'
import { isWithin } from '../../model/address-ranges.ts'

/** Fails with invalid_request. */
export function parseKeySpec(body: KeyBody, createdBy: UserId, now: number): KeySpec {
  const { name, scopes, quota, allowed_ips = [], origins = [], expires_at } = body
  refuse([...faultsOf(body, now), ...faultsOfPages(origins, scopes)])
  return {
    name,
    scopes,
    quota: quotaFrom(quota, FIRST_QUOTA),
    allowedIps: allowed_ips,
    allowedOrigins: origins,
    createdBy,
    ...(expires_at ? { expiresAt: new Date(expires_at) } : {}),
  }
}

/** Fails with invalid_request. Omitted fields of a quota stay unchanged. */
export function parseKeyChange(body: KeyChangeBody | GrantChangeBody, row: KeyRow, now: number): KeyChange {
  const { name, scopes, quota, allowed_ips, origins, expires_at }: KeyChangeBody = body
  refuse([
    ...faultsOf(body, now),
    ...faultsOfKind(origins, row),
    ...faultsOfPages(origins ?? row.allowed_origins, scopes),
  ])
  return {
    name,
    scopes,
    quota: quota && quotaFrom(quota, quotaOf(row)),
    allowedIps: allowed_ips,
    allowedOrigins: origins,
    expiresAt: typeof expires_at === 'string' ? new Date(expires_at) : expires_at,
  }
}

/** Whether the key may do anything afterwards that it could not do before. A stolen session must not widen a key. */
export function isWidened(row: KeyRow, change: KeyChange): boolean {
  const { scopes = [], quota, allowedIps, allowedOrigins = [], expiresAt } = change
  return (
    scopes.some((scope) => !row.scopes.includes(scope)) ||
    (allowedIps !== undefined && !isWithin(allowedIps, row.allowed_ips)) ||
    allowedOrigins.some((origin) => !row.allowed_origins.includes(origin)) ||
    (expiresAt !== undefined && isMore(expiresAt?.getTime() ?? null, row.expires_at?.getTime() ?? null)) ||
    (quota !== undefined && isLarger(quota, quotaOf(row)))
  )
}

function isLarger(quota: QuotaLimits, before: QuotaLimits): boolean {
  return (['perMinute', 'burst', 'perDay', 'perMonth'] as const).some((limit) => isMore(quota[limit], before[limit]))
}

/** `null` is without a limit. */
function isMore(value: number | null, before: number | null): boolean {
  return before !== null && (value === null || value > before)
}

export function quotaOf({ per_minute, burst, per_day, per_month }: KeyRow): QuotaLimits {
  return { perMinute: per_minute, burst, perDay: per_day, perMonth: per_month }
}

function quotaFrom(request: QuotaRequest | undefined, otherwise: QuotaLimits): QuotaLimits {
  const { per_minute, burst, per_day, per_month } = request ?? {}
  return {
    perMinute: per_minute ?? otherwise.perMinute,
    burst: burst ?? otherwise.burst,
    perDay: per_day === undefined ? otherwise.perDay : per_day,
    perMonth: per_month === undefined ? otherwise.perMonth : per_month,
  }
}

/** Oldest first, including revoked ones. `wire`: the fields that keys and applications have in common. */
export async function listCredentials(ctx: Context, member: Member) {
  const [rows, used] = await Promise.all([ctx.keys.list(member), ctx.quota.usageByKey(member, 1)])
  const makers = new Set(rows.flatMap(({ created_by }) => created_by ?? []))
  const names = await ctx.people.namesOf([...makers])
  return rows.map((row) => {
    const { today = 0, thisMonth = 0 } = used.get(row.id) ?? {}
    const maker = names.get(row.created_by ?? '')
    return {
      row,
      wire: {
        scopes: row.scopes,
        quota: { per_minute: row.per_minute, burst: row.burst, per_day: row.per_day, per_month: row.per_month },
        allowed_ips: row.allowed_ips,
        created_at: row.created_at,
        created_by: maker && row.created_by !== null ? { id: row.created_by, name: maker.name } : null,
        last_used_at: row.last_used_at,
        revoked_at: row.revoked_at,
        used: { today, this_month: thisMonth },
      },
    }
  })
}

export function shown({ row, wire }: Awaited<ReturnType<typeof listCredentials>>[number]) {
  const { id, name, prefix, allowed_origins, expires_at, review_since } = row
  const review = review_since && { since: review_since, reason: 'creator_lost_access' as const }
  return { id, name, prefix, ...wire, origins: allowed_origins, expires_at, review }
}

function faultsOf({ allowed_ips = [], expires_at }: KeyChangeBody, now: number): FieldError[] {
  const fields: FieldError[] = []
  for (const [i, range] of allowed_ips.entries()) {
    if (isAddressRange(range)) continue
    fields.push({ pointer: `/allowed_ips/${i}`, code: 'bad_format', params: { expected: '192.0.2.7, 2001:db8::/32' } })
  }
  if (expires_at) {
    const pointer = '/expires_at'
    const ms = Date.parse(expires_at)
    // RFC 3339 has leap seconds; Date does not.
    if (Number.isNaN(ms)) fields.push({ pointer, code: 'bad_format', params: { expected: 'date-time' } })
    // To end a key now, revoke it, which cannot happen by accident.
    else if (ms <= now) fields.push({ pointer, code: 'too_small', params: { limit: new Date(now).toISOString() } })
  }
  return fields
}

/** Anybody can read a key in a page, so it may only have the scopes of publishable keys. */
function faultsOfPages(origins: readonly string[], scopes: readonly Scope[] = []): FieldError[] {
  const fields: FieldError[] = []
  for (const [i, origin] of origins.entries()) {
    if (isOriginPattern(origin)) continue
    const expected = 'https://shop.example, https://*.shop.example'
    fields.push({ pointer: `/origins/${i}`, code: 'bad_format', params: { expected } })
  }
  for (const [i, scope] of scopes.entries()) {
    if (origins.length === 0 || PUBLISHABLE_SCOPES.includes(scope)) continue
    const allowed = PUBLISHABLE_SCOPES.join(', ')
    fields.push({ pointer: `/scopes/${i}`, code: 'not_allowed', params: { allowed } })
  }
  return fields
}

/** The text of a key shows its kind, so the kind cannot change: a secret key must not become a public one. */
function faultsOfKind(origins: readonly string[] | undefined, row: KeyRow): FieldError[] {
  if (origins === undefined || origins.length > 0 === row.allowed_origins.length > 0) return []
  return row.allowed_origins.length > 0
    ? [{ pointer: '/origins', code: 'too_few', params: { limit: 1 } }]
    : [{ pointer: '/origins', code: 'too_many', params: { limit: 0 } }]
}

function refuse(fields: readonly FieldError[]): void {
  if (fields.length > 0) throw new ApiError('invalid_request', { fields })
}

const SHAPE = /^(https?):\/\/(\*\.)?([^*/]+)$/

/** Accepts only the spelling that browsers send: lower case, no default port, no path, other scripts as `xn--`. */
export function isOriginPattern(text: string): boolean {
  const [, scheme, star, host = ''] = SHAPE.exec(text) ?? []
  if (scheme === undefined || URL.parse(`${scheme}://${host}`)?.origin !== `${scheme}://${host}`) return false
  // Without TLS a host name proves nothing.
  return star === undefined || (scheme === 'https' && /^[^.]+\.[^.]*[a-z]/.test(host) && !isOverPublicSuffix(host))
}

// Not a name of which the list has an exception, such as `!city.kawasaki.jp`.
const ANY_LABEL = 'any-label'

function isOverPublicSuffix(host: string): boolean {
  const hostname = host.replace(/:\d+$/, '')
  return [hostname, `${ANY_LABEL}.${hostname}`].some(
    (name) => getPublicSuffix(name, { allowPrivateDomains: true }) === name,
  )
}

export function includesOrigin(patterns: readonly string[], origin: string): boolean {
  return patterns.some((pattern) => {
    if (!pattern.includes('*')) return pattern === origin
    // Stored before wildcards over a public suffix were refused.
    if (!isOriginPattern(pattern)) return false
    const [before = '', after = ''] = pattern.split('*')
    const label = origin.slice(before.length, origin.length - after.length)
    return origin.startsWith(before) && origin.endsWith(after) && /^[a-z0-9_-]+$/.test(label)
  })
}
