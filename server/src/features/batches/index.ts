/** Batches: many generate requests in one call, answered later. */
import type { Feature } from '../../http/feature.ts'
import { batch } from './jobs.ts'
import { batchRoutes } from './routes.ts'

export const batches = {
  name: 'batches',
  addRoutes: (app, ctx, { routeContext }) => batchRoutes(app, ctx, routeContext),
  jobs: { batch },
  data: {
    forget: (account, ctx) => ctx.batches.forgetting(account),
    export: (member, ctx) => ctx.batches.exporting(member),
    purge: ({ id }, limit, ctx) => ctx.batches.expiring(id, limit),
  },
} satisfies Feature
