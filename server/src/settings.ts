/** All routes under /settings: for people, with the cookie of their session. */
import type { FastifyInstance } from 'fastify'
import type { Context } from './context.ts'
import type { RouteContext } from './http/route-context.ts'
import { enforceStepUp } from './http/step-up.ts'
import { accountRoutes } from './features/accounts/account-routes.ts'
import { applicationRoutes } from './features/keys/application-rules-routes.ts'
import { changeEmailRoute } from './features/sign-in/change-email.ts'
import { clientRoutes } from './features/sign-in/client-routes.ts'
import { authorize, personOf } from './http/settings/session-auth.ts'
import { personalDataRoutes } from './features/accounts/personal-data-routes.ts'
import { grantRoutes } from './features/sign-in/grant-routes.ts'
import { invitationRoutes } from './features/accounts/invitation-routes.ts'
import { keyRoutes } from './features/keys/settings-routes.ts'
import { meRoutes } from './features/accounts/me-routes.ts'
import { memberRoutes } from './features/accounts/member-routes.ts'
import { operatorRoutes } from './features/operation/settings-routes.ts'
import { passRoute } from './features/sign-in/pass.ts'
import { securityEventRoutes } from './features/accounts/security-events.ts'
import { sessionRoutes } from './features/sign-in/session-routes.ts'
import { shareSettings } from './features/shares/settings-routes.ts'
import { stepUpRoutes } from './features/sign-in/step-up-routes.ts'
import { usageRoutes } from './features/quota/settings-routes.ts'
import { webhookSettings } from './features/webhooks/routes.ts'

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
