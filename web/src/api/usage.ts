/** What an account has used by day, through each key and application, and by endpoint. Days are those of UTC. */
import { queryOptions } from '@tanstack/react-query'
import { askSettings, type Data } from './settings.ts'

export const usageQuery = (account: string, days: number) =>
  queryOptions({
    queryKey: ['usage', account, days],
    queryFn: async ({ signal }) => {
      const path = `/settings/accounts/${account}/usage?days=${days}`
      return (await askSettings<Data<'getAccountUsage'>>(path, { signal })).usage
    },
    staleTime: 10_000,
  })
