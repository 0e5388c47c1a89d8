/** Applications that may act for an account, whoever registered them. */
import { queryOptions } from '@tanstack/react-query'
import { askSettings, type Data } from './settings.ts'
import type { Grant } from './settings-types.ts'

/** These very pages: they call the API as an application, too. */
export const WEB_APP = 'namewright-web'

const grantsOf = (account: string) => `/settings/accounts/${account}/grants`

export const grantsQuery = (account: string) =>
  queryOptions({
    queryKey: ['grants', account],
    queryFn: async ({ signal }) => (await askSettings<Data<'listGrants'>>(grantsOf(account), { signal })).grants,
    staleTime: 10_000,
  })

export async function changeGrant(account: string, id: string, body: object): Promise<Grant> {
  return (await askSettings<Data<'changeGrant'>>(`${grantsOf(account)}/${id}`, { method: 'PATCH', body })).grant
}

export async function endGrant(account: string, id: string): Promise<void> {
  await askSettings(`${grantsOf(account)}/${id}`, { method: 'DELETE', body: {} })
}
