/** The keys of an account: permissions, usage and creator of each. */
import { queryOptions } from '@tanstack/react-query'
import { askSettings } from './settings.ts'

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

/** All that a key may do which stands in a web page. */
export const PUBLISHABLE_SCOPES: readonly Scope[] = ['generate', 'domains:check']

/** Requests a minute, and suggestions a day and a month; null is unlimited. */
export interface Quota {
  readonly per_minute: number
  readonly burst: number
  readonly per_day: number | null
  readonly per_month: number | null
}

/** The same of a key and of an application. */
export interface Credential {
  readonly id: string
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly quota: Quota
  readonly allowed_ips: readonly string[]
  readonly created_at: string
  readonly created_by: { readonly id: string; readonly name: string } | null
  readonly last_used_at: string | null
  readonly revoked_at: string | null
  readonly used: { readonly today: number; readonly this_month: number }
}

export interface Key extends Credential {
  readonly prefix: string
  /** Of the pages that it may stand in; none for a key that is secret. */
  readonly origins: readonly string[]
  readonly expires_at: string | null
  /** Its creator may no longer manage the account, and nobody has decided about it yet. */
  readonly review: { readonly since: string; readonly reason: string } | null
}

export type KeyWithSecret = Key & { readonly secret: string }

/** A rotated secret that still works, and the programs that use it. */
export interface Retiring {
  readonly prefix: string
  readonly expires_at: string
  readonly last_used_at: string | null
  readonly uses: readonly {
    readonly address: string
    readonly user_agent: string
    readonly requests: number
    readonly last_used_at: string
  }[]
}

const keysOf = (account: string) => `/settings/accounts/${account}/keys`

export const keysQuery = (account: string) =>
  queryOptions({
    queryKey: ['keys', account],
    queryFn: async ({ signal }) => (await askSettings<{ keys: readonly Key[] }>(keysOf(account), { signal })).keys,
    staleTime: 10_000,
  })

export const retiringQuery = (account: string, id: string) =>
  queryOptions({
    queryKey: ['keys', account, id, 'retiring'],
    queryFn: async ({ signal }) => {
      const path = `${keysOf(account)}/${id}/retiring`
      return (await askSettings<{ retiring: readonly Retiring[] }>(path, { signal })).retiring
    },
    staleTime: 4_000,
  })

export async function createKey(account: string, body: object): Promise<KeyWithSecret> {
  return (await askSettings<{ key: KeyWithSecret }>(keysOf(account), { method: 'POST', body })).key
}

export async function changeKey(account: string, id: string, body: object): Promise<Key> {
  return (await askSettings<{ key: Key }>(`${keysOf(account)}/${id}`, { method: 'PATCH', body })).key
}

export async function rotateKey(account: string, id: string, graceSeconds: number): Promise<KeyWithSecret> {
  const body = { grace_seconds: graceSeconds }
  return (await askSettings<{ key: KeyWithSecret }>(`${keysOf(account)}/${id}/rotate`, { method: 'POST', body })).key
}

/** Of a key that is to be reviewed. */
export async function keepKey(account: string, id: string): Promise<Key> {
  return (await askSettings<{ key: Key }>(`${keysOf(account)}/${id}/keep`, { method: 'POST', body: {} })).key
}

export async function revokeKey(account: string, id: string): Promise<void> {
  await askSettings(`${keysOf(account)}/${id}`, { method: 'DELETE', body: {} })
}
