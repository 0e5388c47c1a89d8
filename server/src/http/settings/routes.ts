/** All routes under /settings: for people, with the cookie of their session. */
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import type { RouteContext } from '../route-context.ts'
import { enforceStepUp } from '../step-up.ts'
import { accountRoutes } from './accounts.ts'
import { applicationRoutes } from './applications.ts'
import { changeEmailRoute } from './change-email.ts'
import { clientRoutes } from './clients.ts'
import { authorize, personOf } from './session-auth.ts'
import { personalDataRoutes } from './personal-data.ts'
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
import { stepUpRoutes } from './step-up.ts'
import { usageRoutes } from './usage.ts'
import { webhookSettings } from '../routes/webhooks.ts'

export function settingsRoutes(app: FastifyInstance, ctx: Context, routeContext: RouteContext): void {
  void app.register(async (inside) => {
    inside.addHook('onRequest', async (request, reply) => {
      reply.header('Cache-Control', 'no-store')
      await authorize(ctx, request)
    })
    enforceStepUp(inside, ctx, personOf)
    meRoutes(inside, ctx)
    changeEmailRoute(inside, ctx)
    stepUpRoutes(inside, ctx)
    sessionRoutes(inside, ctx)
    personalDataRoutes(inside, ctx)
    accountRoutes(inside, ctx)
    memberRoutes(inside, ctx)
    invitationRoutes(inside, ctx)
    keyRoutes(inside, ctx)
    usageRoutes(inside, ctx)
    clientRoutes(inside, ctx)
    applicationRoutes(inside, ctx)
    grantRoutes(inside, ctx)
    passRoute(inside, ctx)
    securityEventRoutes(inside, ctx, routeContext)
    webhookSettings(inside, ctx, routeContext)
    shareSettings(inside, ctx, routeContext)
    operatorRoutes(inside, ctx, routeContext)
  })
}
