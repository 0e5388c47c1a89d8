/** Applications that may act for an account, whoever registered them. */
import { queryOptions } from '@tanstack/react-query'
import type { Credential } from './keys.ts'
import { askSettings } from './settings.ts'

export interface Grant extends Credential {
  readonly client_id: string
  /** Its own page. */
  readonly uri: string | null
  /** This account registered it. */
  readonly own: boolean
}

/** These very pages: they call the API as an application, too. */
export const WEB_APP = 'namewright-web'

const grantsOf = (account: string) => `/settings/accounts/${account}/grants`

export const grantsQuery = (account: string) =>
  queryOptions({
    queryKey: ['grants', account],
    queryFn: async ({ signal }) =>
      (await askSettings<{ grants: readonly Grant[] }>(grantsOf(account), { signal })).grants,
    staleTime: 10_000,
  })

export async function changeGrant(account: string, id: string, body: object): Promise<Grant> {
  return (await askSettings<{ grant: Grant }>(`${grantsOf(account)}/${id}`, { method: 'PATCH', body })).grant
}

export async function endGrant(account: string, id: string): Promise<void> {
  await askSettings(`${grantsOf(account)}/${id}`, { method: 'DELETE', body: {} })
}
