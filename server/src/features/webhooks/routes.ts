/**
 * The endpoints that receive events, and their deliveries: under /v1 for programs, and in the settings for the admins of
 * an account. Both are the same handlers, because a URL may hold a secret of its own and the responses of a receiver are
 * confidential, wherever they are read.
 *
 * A secret is only in the response that creates it. In the stored response of a request with an Idempotency-Key it is
 * encrypted, and decrypted when that very request is repeated.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Static, TSchema } from 'typebox'
import { DELIVERY_STATES, OFF_REASONS, URL_MAX } from './webhooks.ts'
import type { DeliveryRow, WebhookRow } from './webhooks.ts'
import type { Context } from '../../context.ts'
import { ApiError } from '../../model/errors.ts'
import { testWebhook } from './deliver.ts'
import { changeWebhook, createWebhook, deleteWebhook, replayDelivery, rotateWebhook } from './manage.ts'
import type { Made, Manager } from './manage.ts'
import { EVENT_TYPES } from '../../model/event.ts'
import { isUuid } from '../../model/id.ts'
import type { UserId } from '../../model/member.ts'
import { accountOf } from '../../platform/db/db.ts'
import type { Acting, Statement } from '../../platform/db/db.ts'
import type { StoredAnswer } from '../../platform/idempotency/idempotency.ts'
import { closed, Instant, NoContent, success } from '../../http/wire/schemas.ts'
import { successOf } from '../../http/wire/texts.ts'
import { answerOnce, doOnce } from '../../http/once.ts'
import { pageOf } from '../../http/page.ts'
import type { RouteContext } from '../../http/route-context.ts'
import { credentialOf } from '../../http/settings/noting.ts'
import { applyRateLimit } from '../../http/settings/rate-limit.ts'
import { signedInMemberOf } from '../../http/settings/session-auth.ts'
import { requireFewTestDeliveries, requireFewWebhookChanges } from '../../http/within-limits.ts'

const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

const wish = {
  url: Type.String({
    minLength: 1,
    maxLength: URL_MAX,
    description: 'The URL that receives events: https, port 443 or 8443, a public host.',
  }),
  events: Type.Array(Type.Enum([...EVENT_TYPES]), {
    minItems: 1,
    uniqueItems: true,
    description: 'The event types to send.',
  }),
  description: nullable(Type.String({ maxLength: 200 })),
}

const WebhookBody = Type.Object(
  { url: wish.url, events: wish.events, description: Type.Optional(wish.description) },
  { ...closed, $id: 'WebhookRequest', examples: [{ url: 'https://example.com/hooks', events: ['batch.completed'] }] },
)

const WebhookChangeBody = Type.Object(
  {
    url: Type.Optional(wish.url),
    events: Type.Optional(wish.events),
    description: Type.Optional(wish.description),
    enabled: Type.Optional(
      Type.Boolean({ description: 'true also sends the events that were missed while the webhook was disabled.' }),
    ),
  },
  { ...closed, minProperties: 1, $id: 'WebhookChange', examples: [{ enabled: false }] },
)
type WebhookChangeBody = Static<typeof WebhookChangeBody>

const WEEK_HOURS = 168
// Long enough to deploy a new secret to every machine on the next working day.
const DEFAULT_GRACE_HOURS = 24
const RotateSecretBody = Type.Object(
  {
    grace_hours: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: WEEK_HOURS,
        description: 'How many hours both secrets sign. Default 24; 0 revokes the old one now.',
      }),
    ),
  },
  { ...closed, $id: 'RotateSecretRequest', examples: [{ grace_hours: 24 }] },
)

const DeliveryQuery = Type.Object(
  {
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'Default 20.' })),
    cursor: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: '`next_cursor` of the previous page.' }),
    ),
  },
  closed,
)

// Open: in the settings the path also names the account.
const ById = Type.Object({ id: Type.String() })
const ByDelivery = Type.Object({ id: Type.String(), delivery: Type.String() })
interface Id {
  Params: Static<typeof ById>
}

const Webhook = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    created_at: Instant,
    url: Type.String(),
    events: Type.Array(Type.String()),
    description: nullable(Type.String()),
    enabled: Type.Boolean(),
    off_reason: nullable(Type.Enum([...OFF_REASONS])),
    off_at: nullable(Instant),
    failing_since: nullable(Instant),
    old_secret_until: nullable(Instant),
    secret: Type.Optional(
      Type.String({ description: 'The signing secret (whsec_…). Only in the response that creates it.' }),
    ),
  },
  { ...closed, $id: 'Webhook' },
)
const WebhookOne = success(Type.Object({ webhook: Webhook }, closed), 'WebhookAnswer')
const WebhookList = success(Type.Object({ webhooks: Type.Array(Webhook) }, closed), 'WebhookList')

const Delivery = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'The id of the event, sent as the webhook-id header.' }),
    type: Type.String(),
    created_at: Instant,
    state: Type.Enum([...DELIVERY_STATES]),
    attempts: Type.Integer(),
    next_at: nullable(Instant),
    last_at: nullable(Instant),
    last_status: nullable(Type.Integer()),
    last_error: nullable(Type.String()),
    last_answer: nullable(Type.String({ description: 'The first 1024 bytes of the last response.' })),
  },
  { ...closed, $id: 'Delivery' },
)
const DeliveryOne = success(Type.Object({ delivery: Delivery }, closed), 'DeliveryAnswer')
const DeliveryPage = success(
  Type.Object({ deliveries: Type.Array(Delivery), next_cursor: nullable(Type.String()) }, closed),
  'DeliveryPage',
)

// A change is a few statements; a test waits for the receiver.
const CHANGE_MS = 2_500
const TEST_MS = 20_000

export function webhookRoutes(app: FastifyInstance, ctx: Context, routeContext: RouteContext): void {
  addRoutes(app, ctx, routeContext, '/v1/webhooks')

  app.get<Id>(
    '/v1/webhooks/:id',
    { schema: { summary: 'Get one webhook', params: ById, response: { 200: WebhookOne } } },
    async (request, reply) => {
      const row = await ctx.webhooks.find(actingOf(request), idOf(request.params.id))
      if (!row) throw new ApiError('not_found')
      return reply.send(successOf(webhookText(row)))
    },
  )
}

export function webhookSettings(app: FastifyInstance, ctx: Context, routeContext: RouteContext): void {
  addRoutes(app, ctx, routeContext, '/settings/accounts/:account/webhooks')
}

/** `stepUp` is for people only: programs have no session that somebody could steal. */
function addRoutes(app: FastifyInstance, ctx: Context, routeContext: RouteContext, path: string): void {
  app.post<{ Body: Static<typeof WebhookBody> }>(
    path,
    {
      schema: { summary: 'Create a webhook', body: WebhookBody, response: { 201: WebhookOne } },
      config: { stepUp: true },
    },
    (request, reply) =>
      answerSecretly(ctx, request, reply, { status: 201 }, async (along) => {
        const { url, events, description = null } = request.body
        return createWebhook(ctx, await changerOf(ctx, request), { url, events, description }, along)
      }),
  )

  app.get(path, { schema: { summary: 'List webhooks', response: { 200: WebhookList } } }, async (request, reply) => {
    const rows = await ctx.webhooks.list(actingOf(request))
    return reply.send(successOf(JSON.stringify({ webhooks: rows })))
  })

  app.patch<Id & { Body: WebhookChangeBody }>(
    `${path}/:id`,
    {
      schema: { summary: 'Change one webhook', params: ById, body: WebhookChangeBody, response: { 200: WebhookOne } },
      config: { stepUp: ({ url }: WebhookChangeBody) => url !== undefined },
    },
    async (request, reply) => {
      const id = idOf(request.params.id)
      const row = await changeWebhook(ctx, await changerOf(ctx, request), id, request.body)
      return reply.send(successOf(webhookText(row)))
    },
  )

  app.delete<Id>(
    `${path}/:id`,
    { schema: { summary: 'Delete one webhook', params: ById, response: { 204: NoContent } } },
    async (request, reply) => {
      const id = idOf(request.params.id)
      await deleteWebhook(ctx, await changerOf(ctx, request), id)
      return reply.code(204).send()
    },
  )

  app.post<Id & { Body: Static<typeof RotateSecretBody> }>(
    `${path}/:id/rotate-secret`,
    {
      schema: {
        summary: 'Rotate the webhook secret',
        params: ById,
        body: RotateSecretBody,
        response: { 200: WebhookOne },
      },
      config: { stepUp: true },
    },
    (request, reply) => {
      const { grace_hours: graceHours = DEFAULT_GRACE_HOURS } = request.body
      const id = idOf(request.params.id)
      return answerSecretly(ctx, request, reply, { status: 200 }, async (along) =>
        rotateWebhook(ctx, await changerOf(ctx, request), { id, graceHours }, along),
      )
    },
  )

  app.post<Id>(
    `${path}/:id/test`,
    { schema: { summary: 'Send a test event', params: ById, response: { 200: DeliveryOne } } },
    (request, reply) => {
      const id = idOf(request.params.id)
      return answerDelivery(ctx, request, reply, { maxDurationMs: TEST_MS, status: 200 }, async (along) => {
        const { acting } = await managerOf(ctx, request)
        if (!(await ctx.webhooks.find(acting, id))) throw new ApiError('not_found')
        await requireFewTestDeliveries(ctx, accountOf(acting))
        return testWebhook(ctx, acting, id, along, routeContext.disconnectSignalOf(reply))
      })
    },
  )

  app.get<Id & { Querystring: Static<typeof DeliveryQuery> }>(
    `${path}/:id/deliveries`,
    {
      schema: {
        summary: 'List the deliveries of a webhook',
        params: ById,
        querystring: DeliveryQuery,
        response: { 200: DeliveryPage },
      },
    },
    async (request, reply) => {
      const acting = actingOf(request)
      const id = idOf(request.params.id)
      const ask = { list: 'deliveries', account: accountOf(acting), filter: { id }, ...request.query }
      const page = pageOf(routeContext, request, reply, { limit: undefined, cursor: undefined, ...ask })
      if (!(await ctx.webhooks.find(acting, id))) throw new ApiError('not_found')
      const rows = await ctx.webhooks.listDeliveries(acting, id, page.window)
      return page.send('deliveries', rows, (row) => JSON.stringify(row))
    },
  )

  app.post<{ Params: Static<typeof ByDelivery> }>(
    `${path}/:id/deliveries/:delivery/replay`,
    { schema: { summary: 'Replay a delivery', params: ByDelivery, response: { 202: DeliveryOne } } },
    (request, reply) => {
      const [id, delivery] = [idOf(request.params.id), idOf(request.params.delivery)]
      return answerDelivery(ctx, request, reply, { maxDurationMs: CHANGE_MS, status: 202 }, async (along) =>
        replayDelivery(ctx, await managerOf(ctx, request), { id, delivery }, along),
      )
    },
  )
}

/** A text that is no UUID matches no webhook. */
function idOf(text: string): string {
  if (!isUuid(text)) throw new ApiError('not_found')
  return text
}

/** The account of the token, or the person of the session in the account of the path. */
function actingOf(request: FastifyRequest): Acting {
  return request.session ? request.session.caller.accountId : signedInMemberOf(request).member
}

async function managerOf(ctx: Context, request: FastifyRequest): Promise<Manager> {
  const acting = actingOf(request)
  if (!request.session) {
    const { person } = signedInMemberOf(request)
    await applyRateLimit(ctx, request, person)
    return { acting, actor: person.userId, ip: request.ip, credential: credentialOf(person) }
  }
  const { keyId, identity } = request.session.caller
  if (!identity) throw new Error('the request has a caller without a credential')
  const { credential: kind, userId, clientId } = identity
  const credential = { kind, id: keyId, clientId: clientId ?? undefined }
  return { acting, actor: userId as UserId | null, ip: request.ip, credential }
}

/** A manager whose account may still change webhooks in this hour. */
async function changerOf(ctx: Context, request: FastifyRequest): Promise<Manager> {
  const by = await managerOf(ctx, request)
  await requireFewWebhookChanges(ctx, accountOf(by.acting))
  return by
}

function webhookText(row: WebhookRow, secret?: string): string {
  return JSON.stringify({ webhook: { ...row, ...(secret === undefined ? {} : { secret }) } })
}

function answerDelivery(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  { maxDurationMs, status }: { maxDurationMs: number; status: number },
  work: (along: (row: DeliveryRow) => readonly Statement[]) => Promise<DeliveryRow>,
): Promise<FastifyReply> {
  const answerOf = (delivery: DeliveryRow): StoredAnswer => ({
    status,
    headers: {},
    body: successOf(JSON.stringify({ delivery })),
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
  const place = `answer ${accountOf(actingOf(request))}`
  const answerOf = ({ row, secret }: Made): StoredAnswer => ({
    status,
    headers: { location: `/v1/webhooks/${row.id}` },
    body: successOf(webhookText(row, secret)),
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
