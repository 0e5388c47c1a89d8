/** Check: whether given domains and names can be registered, and what they cost. */
import type { Feature } from '../../http/feature.ts'
import { domainRoutes } from './domains-route.ts'
import { nameRoutes } from './names-route.ts'
import { checkTool } from './tools.ts'

export const check = {
  name: 'check',
  addRoutes(app, ctx, { routeContext }) {
    domainRoutes(app, ctx, routeContext)
    nameRoutes(app, ctx, routeContext)
  },
  tools: [checkTool],
} satisfies Feature
