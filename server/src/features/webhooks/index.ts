/** Webhooks: signed events to the servers of an account. */
import type { Feature } from '../../http/feature.ts'
import { webhook } from './jobs.ts'
import { webhookRoutes, webhookSettings } from './routes.ts'

export const webhooks = {
  name: 'webhooks',
  addRoutes: (app, ctx, { routeContext }) => webhookRoutes(app, ctx, routeContext),
  addSettings: webhookSettings,
  jobs: { webhook },
  data: {
    forget: (account, ctx) => ctx.webhooks.forgetting(account),
    export: (member, ctx) => ctx.webhooks.exporting(member),
    async endAccess(tx, { account, userId, known, note }, ctx) {
      for (const { id, url } of await ctx.webhooks.disableCreatedBy(tx, account, userId, known)) {
        await tx.run(note('webhook_disabled', { webhook_id: id, host: new URL(url).host }))
      }
    },
    forgetPerson: (account, person, ctx) => [ctx.webhooks.forgetCreator(account, person)],
    naming: ['webhooks'],
    purge: ({ id }, limit, ctx) => [ctx.webhooks.expiring(id, limit)],
    wake: (account, ctx) => ctx.webhooks.wakingForgotten(account),
  },
} satisfies Feature
