/** Where somebody is signed in. */
import { queryOptions } from '@tanstack/react-query'
import { askSettings, type Data } from './settings.ts'

export const sessionsQuery = queryOptions({
  queryKey: ['sign-in sessions'],
  queryFn: async ({ signal }) =>
    (await askSettings<Data<'listSessions'>>('/settings/me/sessions', { signal })).sessions,
})

export const endSession = (id: string) => askSettings(`/settings/me/sessions/${id}`, { method: 'DELETE' })

export const endOtherSessions = () => askSettings('/settings/me/sessions', { method: 'DELETE' })
