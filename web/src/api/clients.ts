/** Applications that an account has registered itself. */
import { queryOptions } from '@tanstack/react-query'
import { askSettings, type Data } from './settings.ts'
import type { ClientWithSecret, OwnClient } from './settings-types.ts'

const clientsOf = (account: string) => `/settings/accounts/${account}/clients`
const clientOf = (account: string, id: string) => `${clientsOf(account)}/${encodeURIComponent(id)}`

export const clientsQuery = (account: string) =>
  queryOptions({
    queryKey: ['clients', account],
    queryFn: async ({ signal }) => (await askSettings<Data<'listClients'>>(clientsOf(account), { signal })).clients,
    staleTime: 10_000,
  })

export async function createClient(account: string, body: object): Promise<ClientWithSecret> {
  return (await askSettings<Data<'registerClient'>>(clientsOf(account), { method: 'POST', body })).client
}

export async function changeClient(account: string, id: string, body: object): Promise<OwnClient> {
  return (await askSettings<Data<'changeClient'>>(clientOf(account, id), { method: 'PATCH', body })).client
}

export async function rotateClient(account: string, id: string): Promise<ClientWithSecret> {
  const path = `${clientOf(account, id)}/rotate`
  return (await askSettings<Data<'rotateClientSecret'>>(path, { method: 'POST', body: {} })).client
}

export async function deleteClient(account: string, id: string): Promise<void> {
  await askSettings(clientOf(account, id), { method: 'DELETE', body: {} })
}
