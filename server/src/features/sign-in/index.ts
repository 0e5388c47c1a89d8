/** Sign-in: people, their sessions and second factors, and the applications that act for them. */
import type { Feature } from '../../http/feature.ts'
import type { PeoplePool } from '../../platform/db/people-pool.ts'
import { applicationSettings } from './application-routes.ts'
import { authRoutes } from './auth-routes.ts'
import { discoveryRoutes } from './discovery.ts'
import { addPages } from '../../http/pages/add-pages.ts'
import { PAGES } from './pages/routes.ts'
import { ownSettings } from './settings-routes.ts'

export { openPeopleForOperator, type PeopleForOperator, removeSecondFactor } from './for-operator.ts'
export { openSessions } from './sessions.ts'
export { askPeople } from './pages/asking.ts'
export { type Faults, faultsOf, newPersonOf } from './pages/new-person.ts'
export { pathWith } from './pages/onward.ts'
export { type NewPerson, type NewUser, openPeople, type People, type PersonEvent, type Watcher } from './people.ts'

/** Loads what it needs when it is called: cryptography that no other command uses. */
export async function reencryptPeople(pool: PeoplePool, secrets: readonly string[]) {
  return (await import('./stored-secrets.ts')).reencryptPeople(pool, secrets)
}

export const signIn = {
  name: 'sign-in',
  settings: [...ownSettings, ...applicationSettings],
  addRoutes(app, ctx, { routeContext }) {
    discoveryRoutes(app, ctx)
    authRoutes(app, ctx, routeContext)
    addPages(app, ctx, routeContext, PAGES)
  },
} satisfies Feature
