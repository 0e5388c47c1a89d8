/** History: the generate requests of an account, with their responses. */
import type { Feature } from '../../http/feature.ts'
import { HISTORY } from './routes.ts'

export const history = {
  name: 'history',
  routes: HISTORY,
  data: {
    forget: (account, ctx) => ctx.history.forgetting(account),
    export: (member, ctx) => ctx.history.exporting(member),
    purge: ({ id, historyDays, historyBytes }, limit, ctx) => [
      ...(historyDays === null ? [] : [ctx.history.expiring(id, historyDays, limit)]),
      ...(historyBytes === null ? [] : [ctx.history.trimming(id, historyBytes, limit)]),
    ],
  },
} satisfies Feature
