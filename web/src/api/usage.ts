/** What an account has used by day, through each key and application, and by endpoint. Days are those of UTC. */
import { queryOptions } from '@tanstack/react-query'
import { askSettings } from './settings.ts'

export interface Use {
  /** The newest first, also those without use. */
  readonly days: readonly { readonly day: string; readonly suggestions: number }[]
  readonly today: number
  readonly this_month: number
}

export interface KeyUse extends Use {
  readonly id: string
  readonly name: string
  readonly client_id: string | null
}

export interface EndpointUse {
  readonly key_id: string
  /** `POST /v1/generate`. */
  readonly endpoint: string
  /** Without those on which nothing was asked. */
  readonly days: readonly { readonly day: string; readonly requests: number; readonly failed: number }[]
}

export interface Usage {
  readonly account: Use
  readonly keys: readonly KeyUse[]
  readonly endpoints: readonly EndpointUse[]
}

export const usageQuery = (account: string, days: number) =>
  queryOptions({
    queryKey: ['usage', account, days],
    queryFn: async ({ signal }) => {
      const path = `/settings/accounts/${account}/usage?days=${days}`
      return (await askSettings<{ usage: Usage }>(path, { signal })).usage
    },
    staleTime: 10_000,
  })
