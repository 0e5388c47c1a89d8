/** Quota: what an account may use, what it has used, and its traffic. */
import type { Feature } from '../../http/feature.ts'
import { exporting } from './exporting.ts'
import { forgetting } from './forgetting.ts'
import { pruning } from './pruning.ts'
import { usageRoute } from './routes.ts'
import { usageRoutes } from './settings-routes.ts'

export const quota = {
  name: 'quota',
  addRoutes: (app, ctx) => usageRoute(app, ctx),
  addSettings: (app, ctx) => usageRoutes(app, ctx),
  data: {
    forget: forgetting,
    export: (member, { db, traffic }) => ({ ...exporting(db, member), ...traffic.exporting(member) }),
    purge: ({ id }, limit, { now, traffic }) => [...traffic.expiring(id, limit), ...pruning(id, now(), limit)],
  },
} satisfies Feature
