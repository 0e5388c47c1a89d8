/** All routes under /settings: for people, with the cookie of their session. */
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import type { Feature } from '../feature.ts'
import type { RouteContext } from '../route-context.ts'
import { enforceStepUp } from '../step-up.ts'
import { authorize, personOf } from './session-auth.ts'

export function settingsRoutes(
  app: FastifyInstance,
  ctx: Context,
  { features, routeContext }: { readonly features: readonly Feature[]; readonly routeContext: RouteContext },
): void {
  void app.register(async (inside) => {
    inside.addHook('onRequest', async (request, reply) => {
      reply.header('Cache-Control', 'no-store')
      await authorize(ctx, request)
    })
    enforceStepUp(inside, ctx, personOf)
    for (const { addSettings } of features) addSettings?.(inside, ctx, routeContext)
  })
}
