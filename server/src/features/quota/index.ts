/** Quota: what an account may use, what it has used, and its traffic. */
import type { Feature } from '../../http/feature.ts'
import { exporting } from './exporting.ts'
import { forgetting } from './forgetting.ts'
import { pruning } from './pruning.ts'
import { routes } from './routes.ts'
import { settings } from './settings-routes.ts'

export { BLOCK_NAMES } from './rate.ts'

export const quota = {
  name: 'quota',
  routes,
  settings,
  data: {
    forget: forgetting,
    export: (member, { db, traffic }) => ({ ...exporting(db, member), ...traffic.exporting(member) }),
    purge: ({ id }, limit, { now, traffic }) => [...traffic.expiring(id, limit), ...pruning(id, now(), limit)],
  },
} satisfies Feature
