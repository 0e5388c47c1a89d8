/** Signs out on this device, and forgets what this browser kept about the person. */
import { useNavigate } from '@tanstack/react-router'
import { setPreferences } from '../preferences.ts'
import { forgetSearches } from '../search/before/recent-store.ts'
import { askAuth } from '../api/auth.ts'
import { useRefreshSession } from '../api/session.ts'

/** What this browser keeps about a person who is signed in. */
export function forgetPerson(): void {
  setPreferences({ account: '' })
  forgetSearches()
}

export function useSignOut(): () => Promise<void> {
  const navigate = useNavigate()
  const refresh = useRefreshSession()
  return async () => {
    // Whatever it answers, what is shown next is what the service then says of us.
    await askAuth('/sign-out', {}).catch(() => undefined)
    forgetPerson()
    await refresh()
    await navigate({ to: '/' })
  }
}
