/** Shares: names behind a link, with votes of those who have it. */
import type { Feature } from '../../http/feature.ts'
import { shareRoutes } from './routes.ts'
import { settings } from './settings-routes.ts'

export { openShares } from './shares.ts'

export const shares = {
  name: 'shares',
  addRoutes: (app, ctx, { routeContext }) => shareRoutes(app, ctx, routeContext),
  settings,
  data: {
    forget: (account, ctx) => ctx.shares.forgetting(account),
    export: (member, ctx) => ctx.shares.exporting(member),
    forgetPerson: (account, person, ctx) => [ctx.shares.forgetMaker(account, person)],
    naming: true,
    purge: ({ id }, limit, ctx) => ctx.shares.expiring(id, limit),
  },
} satisfies Feature
