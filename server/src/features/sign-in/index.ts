/** Sign-in: people, their sessions and second factors, and the applications that act for them. */
import type { Feature } from '../../http/feature.ts'
import { authRoutes } from './auth-routes.ts'
import { changeEmailRoute } from './change-email.ts'
import { clientRoutes } from './client-routes.ts'
import { discoveryRoutes } from './discovery.ts'
import { grantRoutes } from './grant-routes.ts'
import { pageRoutes } from './pages/routes.ts'
import { passRoute } from './pass.ts'
import { sessionRoutes } from './session-routes.ts'
import { stepUpRoutes } from './step-up-routes.ts'

export const signIn = {
  name: 'sign-in',
  addRoutes(app, ctx, { routeContext }) {
    discoveryRoutes(app, ctx)
    authRoutes(app, ctx, routeContext)
    pageRoutes(app, ctx, routeContext)
  },
  settings: sessionRoutes,
  addSettings(app, ctx) {
    changeEmailRoute(app, ctx)
    stepUpRoutes(app, ctx)
    clientRoutes(app, ctx)
    grantRoutes(app, ctx)
    passRoute(app, ctx)
  },
} satisfies Feature
