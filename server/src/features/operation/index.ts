/** Operation: health and status of the node, and what only the operator may see and change. */
import type { Feature } from '../../http/feature.ts'
import { upkeep } from './jobs.ts'
import { healthRoutes, routes, securityTxtRoute } from './routes.ts'
import { settings } from './settings-routes.ts'

export { healthRoutes } from './routes.ts'

export const operation = {
  name: 'operation',
  routes,
  addRoutes(app, ctx, { readiness }) {
    securityTxtRoute(app, ctx)
    healthRoutes(app, ctx, readiness)
  },
  settings,
  jobs: { upkeep },
} satisfies Feature
