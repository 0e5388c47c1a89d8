/** The keys of an account: permissions, usage and creator of each. */
import { queryOptions } from '@tanstack/react-query'
import { askSettings, type Data } from './settings.ts'
import type { Key, KeyWithSecret, Scope } from './settings-types.ts'

/** All that a key may do which stands in a web page. */
export const PUBLISHABLE_SCOPES: readonly Scope[] = ['generate', 'domains:check']

const keysOf = (account: string) => `/settings/accounts/${account}/keys`

export const keysQuery = (account: string) =>
  queryOptions({
    queryKey: ['keys', account],
    queryFn: async ({ signal }) => (await askSettings<Data<'listKeys'>>(keysOf(account), { signal })).keys,
    staleTime: 10_000,
  })

export const retiringQuery = (account: string, id: string) =>
  queryOptions({
    queryKey: ['keys', account, id, 'retiring'],
    queryFn: async ({ signal }) => {
      const path = `${keysOf(account)}/${id}/retiring`
      return (await askSettings<Data<'listRetiring'>>(path, { signal })).retiring
    },
    staleTime: 4_000,
  })

/** `body` has what was typed, and the service says which field is wrong. */
export async function createKey(account: string, body: object): Promise<KeyWithSecret> {
  return (await askSettings<Data<'createKey'>>(keysOf(account), { method: 'POST', body })).key
}

export async function changeKey(account: string, id: string, body: object): Promise<Key> {
  return (await askSettings<Data<'changeKey'>>(`${keysOf(account)}/${id}`, { method: 'PATCH', body })).key
}

export async function rotateKey(account: string, id: string, graceSeconds: number): Promise<KeyWithSecret> {
  const body = { grace_seconds: graceSeconds }
  return (await askSettings<Data<'rotateKey'>>(`${keysOf(account)}/${id}/rotate`, { method: 'POST', body })).key
}

/** Of a key that is to be reviewed. */
export async function keepKey(account: string, id: string): Promise<Key> {
  return (await askSettings<Data<'keepKey'>>(`${keysOf(account)}/${id}/keep`, { method: 'POST', body: {} })).key
}

export async function revokeKey(account: string, id: string): Promise<void> {
  await askSettings(`${keysOf(account)}/${id}`, { method: 'DELETE', body: {} })
}
