/**
 * The webhooks of an account, for its admins only: a URL may hold a secret of its own, and the responses of a receiver
 * are confidential.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { accountOf } from '../../platform/db/db.ts'
import { testWebhook } from '../../flows/deliver-webhooks.ts'
import { ApiError } from '../../errors.ts'
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  replayDelivery,
  rotateWebhook,
} from '../../flows/manage-webhooks.ts'
import type { Manager } from '../../flows/manage-webhooks.ts'
import { isUuid } from '../../model/id.ts'
import { successOf } from '../../wire/texts.ts'
import type { RouteContext } from '../route-context.ts'
import { pageOf } from '../page.ts'
import {
  DEFAULT_GRACE_HOURS,
  DeliveryQuery,
  deliveryText,
  RotateSecretBody,
  WebhookBody,
  WebhookChangeBody,
  webhookText,
} from '../webhook-schemas.ts'
import { requireFewTestDeliveries, requireFewWebhookChanges } from '../within-limits.ts'
import { signedInMemberOf } from './session-auth.ts'
import { credentialOf } from './noting.ts'
import { applyRateLimit } from './rate-limit.ts'

const WEBHOOKS = '/settings/accounts/:account/webhooks'

interface ById {
  Params: { id: string }
}

export function webhookSettings(app: FastifyInstance, ctx: Context, routeContext: RouteContext): void {
  app.get(WEBHOOKS, async (request, reply) => {
    const { member } = signedInMemberOf(request)
    const rows = await ctx.webhooks.list(member)
    return reply.send(successOf(`{"webhooks":[${rows.map((row) => webhookText(row)).join()}]}`))
  })

  app.post<{ Body: WebhookBody }>(
    WEBHOOKS,
    { schema: { body: WebhookBody }, config: { stepUp: true } },
    async (request, reply) => {
      const { url, events, description = null } = request.body
      const made = await createWebhook(ctx, await changer(ctx, request), { url, events, description })
      return reply.code(201).send(successOf(`{"webhook":${webhookText(made.row, made.secret)}}`))
    },
  )

  app.patch<ById & { Body: WebhookChangeBody }>(
    `${WEBHOOKS}/:id`,
    { schema: { body: WebhookChangeBody }, config: { stepUp: ({ url }: WebhookChangeBody) => url !== undefined } },
    async (request, reply) => {
      const by = await changer(ctx, request)
      const row = await changeWebhook(ctx, by, idOf(request.params.id), request.body)
      return reply.send(successOf(`{"webhook":${webhookText(row)}}`))
    },
  )

  app.delete<ById>(`${WEBHOOKS}/:id`, async (request, reply) => {
    await deleteWebhook(ctx, await changer(ctx, request), idOf(request.params.id))
    return reply.send(successOf('{}'))
  })

  app.post<ById & { Body: RotateSecretBody }>(
    `${WEBHOOKS}/:id/rotate-secret`,
    { schema: { body: RotateSecretBody }, config: { stepUp: true } },
    async (request, reply) => {
      const by = await changer(ctx, request)
      const { grace_hours: graceHours = DEFAULT_GRACE_HOURS } = request.body
      const made = await rotateWebhook(ctx, by, { id: idOf(request.params.id), graceHours })
      return reply.send(successOf(`{"webhook":${webhookText(made.row, made.secret)}}`))
    },
  )

  app.post<ById>(`${WEBHOOKS}/:id/test`, async (request, reply) => {
    const { acting } = await manager(ctx, request)
    const id = idOf(request.params.id)
    if (!(await ctx.webhooks.find(acting, id))) throw new ApiError('not_found')
    await requireFewTestDeliveries(ctx, accountOf(acting))
    const disconnectSignal = routeContext.disconnectSignalOf(reply)
    const row = await testWebhook(ctx, acting, id, () => [], disconnectSignal)
    return reply.send(successOf(`{"delivery":${deliveryText(row)}}`))
  })

  app.get<ById & { Querystring: DeliveryQuery }>(
    `${WEBHOOKS}/:id/deliveries`,
    { schema: { querystring: DeliveryQuery } },
    async (request, reply) => {
      const { member } = signedInMemberOf(request)
      const id = idOf(request.params.id)
      const { limit, cursor } = request.query
      const ask = { list: 'deliveries', account: member.accountId, filter: { id }, limit, cursor }
      const page = pageOf(routeContext, request, reply, ask)
      if (!(await ctx.webhooks.find(member, id))) throw new ApiError('not_found')
      return page.send('deliveries', await ctx.webhooks.listDeliveries(member, id, page.window), deliveryText)
    },
  )

  app.post<{ Params: { id: string; delivery: string } }>(
    `${WEBHOOKS}/:id/deliveries/:delivery/replay`,
    async (request, reply) => {
      const by = await manager(ctx, request)
      const [id, delivery] = [idOf(request.params.id), idOf(request.params.delivery)]
      const row = await replayDelivery(ctx, by, { id, delivery })
      return reply.code(202).send(successOf(`{"delivery":${deliveryText(row)}}`))
    },
  )
}

async function manager(ctx: Context, request: FastifyRequest): Promise<Manager> {
  const { member, person } = signedInMemberOf(request)
  await applyRateLimit(ctx, request, person)
  return { acting: member, actor: person.userId, ip: request.ip, credential: credentialOf(person) }
}

/** A manager whose account may still change webhooks in this hour. */
async function changer(ctx: Context, request: FastifyRequest): Promise<Manager> {
  const by = await manager(ctx, request)
  await requireFewWebhookChanges(ctx, accountOf(by.acting))
  return by
}

function idOf(text: string): string {
  if (!isUuid(text)) throw new ApiError('not_found')
  return text
}
