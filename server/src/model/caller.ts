/** The caller of a request, and its permissions. */
import type { Plan } from './plan.ts'

export const SCOPES = [
  'generate',
  'domains:check',
  'history:read',
  'history:write',
  'favorites:read',
  'favorites:write',
  'batches:read',
  'batches:write',
  'webhooks',
  'usage:read',
] as const
export type Scope = (typeof SCOPES)[number]

/** All scopes of a key that is publicly readable. */
export const PUBLISHABLE_SCOPES: readonly Scope[] = ['generate', 'domains:check']

export type AccountId = string & { readonly __accountId: true }
export type KeyId = string & { readonly __keyId: true }

/** A rate limit (requests, smoothed over a minute) and quotas (suggestions); `null` is unlimited. */
export interface QuotaLimits {
  readonly perMinute: number
  readonly burst: number
  readonly perDay: number | null
  readonly perMonth: number | null
}

/** The defaults of a new key or application: enough to try everything. */
export const FIRST_QUOTA: QuotaLimits = { perMinute: 60, burst: 20, perDay: 1_000, perMonth: null }

/** The account for visitors of the web app who are not signed in. It has no members, and stores only shares. */
export const VISITORS = '00000000-0000-7000-8000-000000000001' as AccountId

/** The kinds of credential of a request; `permissions.ts` defines the permissions of each. */
export type CredentialKind = 'key' | 'publishable_key' | 'app_session' | 'oauth_token' | 'mcp_token' | 'client_token'

/** What the audit log records: the credential, the person and the application. */
export interface CallerIdentity {
  readonly credential: CredentialKind
  /** The person who granted the token or created the key; null if unknown. */
  readonly userId: string | null
  /** The application that the token was issued to; null for a key. */
  readonly clientId: string | null
}

export interface Caller {
  readonly accountId: AccountId
  readonly keyId: KeyId
  /** Absent when the service itself continues earlier work of a caller. */
  readonly identity?: CallerIdentity
  readonly scopes: readonly Scope[]
  readonly quota: QuotaLimits
  /** The account's plan: what all its keys may use together. Absent if nothing is limited. */
  readonly plan?: Plan
  /** Days that history is kept: null is for ever, 0 is not at all. */
  readonly historyDays: number | null
  /** The key is embedded in a web page and used by its visitors. */
  readonly isPublishable?: true
  /** The prefix of the caller's secret, if that secret has been rotated and is about to expire. */
  readonly retiring?: string
  /** The account's own settings; undefined if it has none. */
  readonly language?: string
  readonly currency?: string
}

/** Where a credential may be used: the HTTP API or the Model Context Protocol. Keys may be used at both. */
export const AUDIENCES = ['v1', 'mcp'] as const
export type Audience = (typeof AUDIENCES)[number]

/** The built-in application of our own pages, created by `migrations/0008_web.sql`. */
export const WEB_CLIENT_ID = 'namewright-web'
