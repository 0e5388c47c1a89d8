/** Applications that an account has registered itself. */
import { queryOptions } from '@tanstack/react-query'
import type { Scope } from './keys.ts'
import { askSettings } from './settings.ts'

export interface OwnClient {
  readonly client_id: string
  readonly name: string
  /** A public one runs where others can read it, so it has no secret. */
  readonly kind: 'public' | 'confidential'
  readonly redirect_uris: readonly string[]
  /** What it may do for this account by itself, without a person. */
  readonly own_scopes: readonly Scope[]
  readonly created_at: string
  readonly enabled: boolean
  readonly off_reason: 'by_hand' | 'creator_lost_access' | null
}

export type ClientWithSecret = OwnClient & { readonly client_secret?: string }

const clientsOf = (account: string) => `/settings/accounts/${account}/clients`
const clientOf = (account: string, id: string) => `${clientsOf(account)}/${encodeURIComponent(id)}`

export const clientsQuery = (account: string) =>
  queryOptions({
    queryKey: ['clients', account],
    queryFn: async ({ signal }) =>
      (await askSettings<{ clients: readonly OwnClient[] }>(clientsOf(account), { signal })).clients,
    staleTime: 10_000,
  })

export async function createClient(account: string, body: object): Promise<ClientWithSecret> {
  return (await askSettings<{ client: ClientWithSecret }>(clientsOf(account), { method: 'POST', body })).client
}

export async function changeClient(account: string, id: string, body: object): Promise<OwnClient> {
  return (await askSettings<{ client: OwnClient }>(clientOf(account, id), { method: 'PATCH', body })).client
}

export async function rotateClient(account: string, id: string): Promise<ClientWithSecret> {
  const path = `${clientOf(account, id)}/rotate`
  return (await askSettings<{ client: ClientWithSecret }>(path, { method: 'POST', body: {} })).client
}

export async function deleteClient(account: string, id: string): Promise<void> {
  await askSettings(clientOf(account, id), { method: 'DELETE', body: {} })
}
