/** Which applications may act for an account: all but blocked ones, or only allowed ones. */
import { queryOptions } from '@tanstack/react-query'
import { askSettings } from './settings.ts'
import type { ApplicationDecision, ApplicationPolicy, ApplicationRules } from './settings-types.ts'

const applicationsOf = (account: string) => `/settings/accounts/${account}/applications`

export const applicationRulesQuery = (account: string) =>
  queryOptions({
    queryKey: ['application-rules', account],
    queryFn: ({ signal }) => askSettings<ApplicationRules>(applicationsOf(account), { signal }),
    staleTime: 10_000,
  })

export function changePolicy(account: string, policy: ApplicationPolicy): Promise<ApplicationRules> {
  return askSettings<ApplicationRules>(applicationsOf(account), { method: 'PATCH', body: { policy } })
}

/** `null` takes the rule away. */
export function changeRule(
  account: string,
  client: string,
  decision: ApplicationDecision | null,
): Promise<ApplicationRules> {
  const body = { client_id: client, decision }
  return askSettings<ApplicationRules>(`${applicationsOf(account)}/rules`, { method: 'PUT', body })
}
