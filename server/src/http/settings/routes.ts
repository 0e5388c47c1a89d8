/** Everything under /settings: for people at their own pages, with the cookie of their session. */
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import type { Doors } from '../doors.ts'
import { accountRoutes } from './accounts.ts'
import { clientRoutes } from './clients.ts'
import { recognize } from './door.ts'
import { farewellRoutes } from './farewell.ts'
import { grantRoutes } from './grants.ts'
import { invitationRoutes } from './invitations.ts'
import { keyRoutes } from './keys.ts'
import { meRoutes } from './me.ts'
import { memberRoutes } from './members.ts'
import { operatorRoutes } from './operator.ts'
import { passRoute } from './pass.ts'
import { securityEventRoutes } from './security-events.ts'
import { sessionRoutes } from './sessions.ts'
import { shareSettings } from './shares.ts'
import { usageRoutes } from './usage.ts'
import { webhookSettings } from './webhooks.ts'

export function settingsRoutes(app: FastifyInstance, ctx: Context, doors: Doors): void {
  void app.register(async (inside) => {
    inside.addHook('onRequest', async (request, reply) => {
      reply.header('Cache-Control', 'no-store')
      await recognize(ctx, request)
    })
    meRoutes(inside, ctx)
    sessionRoutes(inside, ctx)
    farewellRoutes(inside, ctx)
    accountRoutes(inside, ctx)
    memberRoutes(inside, ctx)
    invitationRoutes(inside, ctx)
    keyRoutes(inside, ctx)
    usageRoutes(inside, ctx)
    clientRoutes(inside, ctx)
    grantRoutes(inside, ctx)
    passRoute(inside, ctx)
    securityEventRoutes(inside, ctx, doors)
    webhookSettings(inside, ctx, doors)
    shareSettings(inside, ctx, doors)
    operatorRoutes(inside, ctx, doors)
  })
}
