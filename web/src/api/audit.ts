/** What happened to the security of an account, newest first. */
import { infiniteQueryOptions } from '@tanstack/react-query'
import { askSettings, type Data } from './settings.ts'

export const auditQuery = (account: string) =>
  infiniteQueryOptions({
    queryKey: ['audit', account],
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams({ limit: '100', ...(pageParam === '' ? {} : { cursor: pageParam }) })
      return askSettings<Data<'listSecurityEvents'>>(
        `/settings/accounts/${account}/security-events?${query.toString()}`,
        { signal },
      )
    },
    initialPageParam: '',
    getNextPageParam: ({ next_cursor: next }) => next,
  })
