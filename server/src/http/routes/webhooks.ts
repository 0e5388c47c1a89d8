/**
 * /v1/webhooks: the endpoints that receive events, and their deliveries.
 *
 * A secret is only in the response that creates it. In the stored response of a request with an Idempotency-Key it is
 * encrypted, and decrypted when that very request is repeated.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import type { Statement } from '../../platform/db/db.ts'
import { testWebhook } from '../../flows/deliver-webhooks.ts'
import { ApiError } from '../../errors.ts'
import type { StoredAnswer } from '../../platform/idempotency/idempotency.ts'
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  replayDelivery,
  rotateWebhook,
} from '../../flows/manage-webhooks.ts'
import type { Made, Manager } from '../../flows/manage-webhooks.ts'
import { isUuid } from '../../model/id.ts'
import type { UserId } from '../../model/member.ts'
import type { DeliveryRow } from '../../automation/webhooks/webhooks.ts'
import { ById, NoContent } from '../../wire/schemas.ts'
import { successOf } from '../../wire/texts.ts'
import { sessionOf } from '../auth.ts'
import type { RouteContext } from '../route-context.ts'
import { answerOnce, doOnce } from '../once.ts'
import { pageOf } from '../page.ts'
import { requireFewTestDeliveries, requireFewWebhookChanges } from '../within-limits.ts'
import {
  ByDelivery,
  DEFAULT_GRACE_HOURS,
  DeliveryOne,
  DeliveryPage,
  DeliveryQuery,
  deliveryText,
  RotateSecretBody,
  WebhookBody,
  WebhookChangeBody,
  WebhookList,
  WebhookOne,
  webhookText,
} from '../webhook-schemas.ts'

// A change is a few statements; a test waits for the receiver.
const CHANGE_MS = 2_500
const TEST_MS = 20_000

export function webhookRoutes(app: FastifyInstance, ctx: Context, routeContext: RouteContext): void {
  app.post<{ Body: WebhookBody }>(
    '/v1/webhooks',
    { schema: { summary: 'Create a webhook', body: WebhookBody, response: { 201: WebhookOne } } },
    (request, reply) => {
      const { url, events, description = null } = request.body
      return answerSecretly(ctx, request, reply, { status: 201 }, async (along) => {
        await requireFewWebhookChanges(ctx, sessionOf(request).caller.accountId)
        return createWebhook(ctx, managerOf(request), { url, events, description }, along)
      })
    },
  )

  app.get(
    '/v1/webhooks',
    { schema: { summary: 'List webhooks', response: { 200: WebhookList } } },
    async (request, reply) => {
      const rows = await ctx.webhooks.list(sessionOf(request).caller.accountId)
      return reply.send(successOf(`{"webhooks":[${rows.map((row) => webhookText(row)).join()}]}`))
    },
  )

  app.get<{ Params: { id: string } }>(
    '/v1/webhooks/:id',
    { schema: { summary: 'Get one webhook', params: ById, response: { 200: WebhookOne } } },
    async (request, reply) => {
      const row = await ctx.webhooks.find(sessionOf(request).caller.accountId, idOf(request.params.id))
      if (!row) throw new ApiError('not_found')
      return reply.send(successOf(`{"webhook":${webhookText(row)}}`))
    },
  )

  app.patch<{ Params: { id: string }; Body: WebhookChangeBody }>(
    '/v1/webhooks/:id',
    {
      schema: { summary: 'Change one webhook', params: ById, body: WebhookChangeBody, response: { 200: WebhookOne } },
    },
    async (request, reply) => {
      const id = idOf(request.params.id)
      await requireFewWebhookChanges(ctx, sessionOf(request).caller.accountId)
      const row = await changeWebhook(ctx, managerOf(request), id, request.body)
      return reply.send(successOf(`{"webhook":${webhookText(row)}}`))
    },
  )

  app.delete<{ Params: { id: string } }>(
    '/v1/webhooks/:id',
    { schema: { summary: 'Delete one webhook', params: ById, response: { 204: NoContent } } },
    async (request, reply) => {
      const id = idOf(request.params.id)
      await requireFewWebhookChanges(ctx, sessionOf(request).caller.accountId)
      await deleteWebhook(ctx, managerOf(request), id)
      return reply.code(204).send()
    },
  )

  app.post<{ Params: { id: string }; Body: RotateSecretBody }>(
    '/v1/webhooks/:id/rotate-secret',
    {
      schema: {
        summary: 'Rotate the webhook secret',
        params: ById,
        body: RotateSecretBody,
        response: { 200: WebhookOne },
      },
    },
    (request, reply) => {
      const { grace_hours: graceHours = DEFAULT_GRACE_HOURS } = request.body
      const id = idOf(request.params.id)
      return answerSecretly(ctx, request, reply, { status: 200 }, async (along) => {
        await requireFewWebhookChanges(ctx, sessionOf(request).caller.accountId)
        return rotateWebhook(ctx, managerOf(request), { id, graceHours }, along)
      })
    },
  )

  app.post<{ Params: { id: string } }>(
    '/v1/webhooks/:id/test',
    { schema: { summary: 'Send a test event', params: ById, response: { 200: DeliveryOne } } },
    (request, reply) => {
      const id = idOf(request.params.id)
      const { accountId } = sessionOf(request).caller
      return answerDelivery(ctx, request, reply, { maxDurationMs: TEST_MS }, async (along) => {
        if (!(await ctx.webhooks.find(accountId, id))) throw new ApiError('not_found')
        await requireFewTestDeliveries(ctx, accountId)
        return testWebhook(ctx, accountId, id, along, routeContext.disconnectSignalOf(reply))
      })
    },
  )

  app.get<{ Params: { id: string }; Querystring: DeliveryQuery }>(
    '/v1/webhooks/:id/deliveries',
    {
      schema: {
        summary: 'List the deliveries of a webhook',
        params: ById,
        querystring: DeliveryQuery,
        response: { 200: DeliveryPage },
      },
    },
    async (request, reply) => {
      const { accountId: account } = sessionOf(request).caller
      const id = idOf(request.params.id)
      const { limit, cursor } = request.query
      const page = pageOf(routeContext, request, reply, { list: 'deliveries', account, filter: { id }, limit, cursor })
      if (!(await ctx.webhooks.find(account, id))) throw new ApiError('not_found')
      return page.send('deliveries', await ctx.webhooks.listDeliveries(account, id, page.window), deliveryText)
    },
  )

  app.post<{ Params: { id: string; delivery: string } }>(
    '/v1/webhooks/:id/deliveries/:delivery/replay',
    {
      schema: { summary: 'Replay a delivery', params: ByDelivery, response: { 202: DeliveryOne } },
    },
    (request, reply) => {
      const [id, delivery] = [idOf(request.params.id), idOf(request.params.delivery)]
      return answerDelivery(ctx, request, reply, { maxDurationMs: CHANGE_MS, status: 202 }, (along) =>
        replayDelivery(ctx, managerOf(request), { id, delivery }, along),
      )
    },
  )
}

/** A text that is no UUID matches no webhook. */
function idOf(text: string): string {
  if (!isUuid(text)) throw new ApiError('not_found')
  return text
}

function managerOf(request: FastifyRequest): Manager {
  const { accountId, keyId, identity } = sessionOf(request).caller
  if (!identity) throw new Error('the request has a caller without a credential')
  const { credential: kind, userId, clientId } = identity
  const credential = { kind, id: keyId, clientId: clientId ?? undefined }
  return { acting: accountId, actor: userId as UserId | null, ip: request.ip, credential }
}

function answerDelivery(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  { maxDurationMs, status = 200 }: { maxDurationMs: number; status?: number },
  work: (along: (row: DeliveryRow) => readonly Statement[]) => Promise<DeliveryRow>,
): Promise<FastifyReply> {
  const answerOf = (row: DeliveryRow): StoredAnswer => ({
    status,
    headers: {},
    body: successOf(`{"delivery":${deliveryText(row)}}`),
  })
  return answerOnce(ctx, request, reply, { maxDurationMs }, async (storing) =>
    answerOf(await work((row) => storing(answerOf(row)))),
  )
}

function answerSecretly(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  { status }: { status: number },
  work: (along: (made: Made) => readonly Statement[]) => Promise<Made>,
): Promise<FastifyReply> {
  const place = `answer ${sessionOf(request).caller.accountId}`
  const answerOf = ({ row, secret }: Made): StoredAnswer => ({
    status,
    headers: { location: `/v1/webhooks/${row.id}` },
    body: successOf(`{"webhook":${webhookText(row, secret)}}`),
  })
  const sealed = ({ row, secret }: Made) =>
    answerOf({ row, secret: ctx.webhooks.seal.close(secret, place).toString('base64') })
  const opened = (body: string) =>
    body.replace(/"secret":"([^"]*)"/, (_all, text: string) => {
      const secret = ctx.webhooks.seal.open(Buffer.from(text, 'base64'), place)
      return `"secret":${JSON.stringify(secret ?? '')}`
    })
  return doOnce(
    ctx,
    request,
    { maxDurationMs: CHANGE_MS },
    async (storing) => answerOf(await work((made) => storing(sealed(made)))),
    ({ headers, body }, isReplay) => {
      if (isReplay) reply.header('Idempotent-Replayed', 'true')
      return reply
        .code(status)
        .headers(headers)
        .send(isReplay ? opened(body) : body)
    },
  )
}
