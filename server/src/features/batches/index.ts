/** Batches: many generate requests in one call, answered later. */
import type { Feature } from '../../http/feature.ts'
import { batch } from './jobs.ts'
import { addResults } from './results.ts'
import { addCreateBatch, routes } from './routes.ts'

export const batches = {
  name: 'batches',
  routes,
  addRoutes(app, ctx, { routeContext }) {
    addCreateBatch(app, ctx, routeContext)
    addResults(app, ctx, routeContext)
  },
  jobs: { batch },
  data: {
    forget: (account, ctx) => ctx.batches.forgetting(account),
    export: (member, ctx) => ctx.batches.exporting(member),
    purge: ({ id }, limit, ctx) => ctx.batches.expiring(id, limit),
  },
} satisfies Feature
