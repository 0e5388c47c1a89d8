/** The suffixes on offer, most popular first, and the currencies that prices can be had in. */
import { useQuery } from '@tanstack/react-query'
import { useClient } from './client.ts'

export function useTlds(currency?: string) {
  const client = useClient()
  return useQuery({
    queryKey: ['tlds', currency ?? '', client === undefined],
    queryFn: async ({ signal }) => client?.tlds(currency === undefined ? {} : { currency }, { signal }) ?? null,
    staleTime: 3_600_000,
  })
}
