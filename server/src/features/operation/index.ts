/** Operation: health and status of the node, and what only the operator may see and change. */
import type { Feature } from '../../http/feature.ts'
import { healthRoutes } from './health.ts'
import { upkeep } from './jobs.ts'
import { securityTxtRoute } from './security-txt.ts'
import { operatorRoutes } from './settings-routes.ts'
import { statusRoute } from './status.ts'

export { healthRoutes } from './health.ts'

export const operation = {
  name: 'operation',
  addRoutes(app, ctx, { readiness }) {
    statusRoute(app, ctx)
    securityTxtRoute(app, ctx)
    healthRoutes(app, ctx, readiness)
  },
  addSettings: operatorRoutes,
  jobs: { upkeep },
} satisfies Feature
