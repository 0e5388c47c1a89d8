/** The current session, and what this service offers: one request at the start, repeated after signing in or out. */
import { queryOptions, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import { getPreferences, usePreferences } from '../preferences.ts'
import { askSettings } from './settings.ts'
import { type Person, ROLES, type Role, type Suspension } from './settings-types.ts'
import { notifyTabs } from './tabs.ts'

export type PersonOfSession = Person & { readonly is_operator: boolean }

export interface Account {
  readonly id: string
  readonly name: string
  readonly role: Role
  /** The person's own, which lives and ends with them. */
  readonly own: boolean
  readonly language: string | null
  readonly currency: string | null
  /** By the operator, possibly with a reason. */
  readonly suspended: Suspension | null
}

export interface Session {
  readonly person: PersonOfSession | null
  readonly accounts: readonly Account[]
  readonly visitor: { readonly key: string } | null
  readonly sign_up: boolean
  readonly providers: readonly string[]
  readonly mail: boolean
  readonly register_url: string | null
  /** The operator earns a commission behind that address. */
  readonly register_affiliate: boolean
  /** Others, each with the address of its search, in which `{domain}` stands for the domain. */
  readonly registrars: readonly { readonly id: string; readonly name: string; readonly search: string }[]
  /** Domains and prices are made up. */
  readonly sandbox: boolean
  readonly version: string
}

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => askSettings<Session>('/web/session', { signal }),
  staleTime: 60_000,
})

export function useSession(): Session {
  return useSuspenseQuery(sessionQuery).data
}

/** The account that is shown: the one chosen, else the first one they came to. Undefined when nobody is signed in. */
export function useAccount(): Account | undefined {
  const { accounts } = useSession()
  const { account } = usePreferences()
  return shownOf(accounts, account)
}

/** The same at this moment, for what follows from a press: there are hundreds of buttons, which need not watch for it. */
export function findAccount(queries: QueryClient): Account | undefined {
  const session = queries.getQueryData(sessionQuery.queryKey)
  return session && shownOf(session.accounts, getPreferences().account)
}

export function shownOf(accounts: readonly Account[], chosen: string): Account | undefined {
  return accounts.find(({ id }) => id === chosen) ?? accounts[0]
}

export function isAtLeast(role: Role | undefined, least: Role): boolean {
  return role !== undefined && ROLES.indexOf(role) >= ROLES.indexOf(least)
}

/** After signing in, out, or joining: everything that was known belongs to somebody else. */
export async function renewSession(queries: QueryClient): Promise<void> {
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
  await queries.invalidateQueries({ queryKey: ['session'] })
}

export function useRefreshSession(): () => Promise<void> {
  const queries = useQueryClient()
  return async () => {
    notifyTabs('session')
    await renewSession(queries)
  }
}
