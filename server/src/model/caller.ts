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

export type AccountId = string & { readonly __accountId: true }
export type KeyId = string & { readonly __keyId: true }

/** A rate (requests, smoothed over a minute) and a budget (suggestions); `null` is unlimited. */
export interface Quota {
  readonly perMinute: number
  readonly burst: number
  readonly perDay: number | null
  readonly perMonth: number | null
}

export interface Caller {
  readonly accountId: AccountId
  readonly keyId: KeyId
  readonly scopes: readonly Scope[]
  readonly quota: Quota
  /** Days that history is kept: null is for ever, 0 is not at all. */
  readonly historyDays: number | null
  /** The account's own language setting; undefined when it has none. */
  readonly language?: string
}
