/** Webhooks: signed events to the servers of an account. */
import type { Feature } from '../../http/feature.ts'
import { sendWebhooks } from './jobs.ts'
import { routes } from './routes.ts'
import { settings } from './settings-routes.ts'

export { openWebhooks, reencryptWebhooks, wakeAll } from './webhooks.ts'

export const webhooks = {
  name: 'webhooks',
  routes,
  settings,
  jobs: { webhook: sendWebhooks },
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
