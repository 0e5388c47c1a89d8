/** Accounts: the tenants, their members, and the deletion and export of what they own. */
import type { Feature } from '../../http/feature.ts'
import { accountRoutes } from './account-routes.ts'
import { invitationRoutes } from './invitation-routes.ts'
import { meRoutes } from './me-routes.ts'
import { memberRoutes } from './member-routes.ts'
import { personalDataRoutes } from './personal-data-routes.ts'
import { securityEventRoutes } from './security-events.ts'

export const accounts = {
  name: 'accounts',
  addSettings(app, ctx, routeContext) {
    meRoutes(app, ctx)
    personalDataRoutes(app, ctx)
    accountRoutes(app, ctx)
    memberRoutes(app, ctx)
    invitationRoutes(app, ctx)
    securityEventRoutes(app, ctx, routeContext)
  },
} satisfies Feature
