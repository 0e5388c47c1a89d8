/** Who is asking, and what they may do. */
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

/** All that a key may do which everybody can read. */
export const PUBLISHABLE_SCOPES: readonly Scope[] = ['generate', 'domains:check']

export type AccountId = string & { readonly __accountId: true }
export type KeyId = string & { readonly __keyId: true }

/** A rate (requests, smoothed over a minute) and a budget (suggestions); `null` is unlimited. */
export interface Quota {
  readonly perMinute: number
  readonly burst: number
  readonly perDay: number | null
  readonly perMonth: number | null
}

/** What a key or an application starts with: enough to try everything out, and whoever needs more says how much. */
export const FIRST_QUOTA: Quota = { perMinute: 60, burst: 20, perDay: 1_000, perMonth: null }

/** The account of whoever uses the web app without signing in. Nobody is a member of it, and nothing of it is kept. */
export const VISITORS = '00000000-0000-7000-8000-000000000001' as AccountId

export interface Caller {
  readonly accountId: AccountId
  readonly keyId: KeyId
  readonly scopes: readonly Scope[]
  readonly quota: Quota
  /** Days that history is kept: null is for ever, 0 is not at all. */
  readonly historyDays: number | null
  /** The key stands in a web page, and whoever visits it uses it. */
  readonly isPublishable?: true
  /** The first characters of the secret it came with, where that one has been replaced and is about to end. */
  readonly retiring?: string
  /** The account's own settings; undefined where it has none. */
  readonly language?: string
  readonly currency?: string
}

/** Where a credential may be used: the HTTP API or the Model Context Protocol. Keys may be used at both. */
export const AUDIENCES = ['v1', 'mcp'] as const
export type Audience = (typeof AUDIENCES)[number]
