/** Where somebody is signed in. */
import { queryOptions } from '@tanstack/react-query'
import { askSettings } from './settings.ts'

export interface SignInSession {
  readonly id: string
  readonly created_at: string
  readonly expires_at: string
  readonly address: string | null
  readonly browser: string | null
  readonly current: boolean
}

export const sessionsQuery = queryOptions({
  queryKey: ['sign-in sessions'],
  queryFn: async ({ signal }) =>
    (await askSettings<{ sessions: readonly SignInSession[] }>('/settings/me/sessions', { signal })).sessions,
})

export const endSession = (id: string) => askSettings(`/settings/me/sessions/${id}`, { method: 'DELETE' })

export const endOtherSessions = () => askSettings('/settings/me/sessions', { method: 'DELETE' })
