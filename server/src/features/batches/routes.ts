/** /v1/batches: many generate requests in one. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Compile } from 'typebox/compile'
import { acceptBatch } from './accept.ts'
import type { BatchRow } from './batch.ts'
import { cancelBatch } from './cancel.ts'
import { costOf } from '../generate/index.ts'
import type { Context } from '../../context.ts'
import { ApiError } from '../../model/errors.ts'
import { isUuid } from '../../model/id.ts'
import { ById, GenerateBody, NoContent } from '../../http/wire/schemas.ts'
import { successOf } from '../../http/wire/texts.ts'
import { requireScope, sessionOf } from '../../http/auth.ts'
import { readRequests } from './read-requests.ts'
import { createResults } from './results.ts'
import { BatchEnvelope, BatchOne, BatchPage, BatchQuery, BatchRequest, ResultEvent, ResultsPage } from './schemas.ts'
import { batchText } from './texts.ts'
import type { RouteContext } from '../../http/route-context.ts'
import { answerOnce } from '../../http/once.ts'
import { pageOf } from '../../http/page.ts'
import { findFormat } from '../../http/stream/format.ts'
import { createCheck } from '../../http/validate.ts'

// A thousand requests, each a little longer than the longest description.
const BODY_LIMIT = 4 * 1024 * 1024
// A body of that size is written in well under a second. The rest is for a busy database.
const ACCEPT_MS = 15_000

const one = (batch: BatchRow) => successOf(`{"batch":${batchText(batch)}}`)

export function batchRoutes(app: FastifyInstance, ctx: Context, routeContext: RouteContext): void {
  app.get<{ Querystring: BatchQuery }>(
    '/v1/batches',
    {
      config: { priority: 'bulk' },
      schema: { summary: 'List batches', querystring: BatchQuery, response: { 200: BatchPage } },
    },
    async (request, reply) => {
      const { accountId: account } = sessionOf(request).caller
      const page = pageOf(routeContext, request, reply, {
        list: 'batches',
        account,
        filter: {},
        ...wishesOf(request.query),
      })
      return page.send('batches', await ctx.batches.list(account, page.window), batchText)
    },
  )

  app.get<{ Params: { id: string } }>(
    '/v1/batches/:id',
    {
      config: { priority: 'bulk' },
      schema: { summary: 'Get one batch', params: ById, response: { 200: BatchOne } },
    },
    async (request, reply) => {
      const { id } = request.params
      const batch = isUuid(id) ? await ctx.batches.find(sessionOf(request).caller.accountId, id) : undefined
      if (!batch) throw new ApiError('not_found')
      return reply.send(one(batch))
    },
  )

  app.get<{ Params: { id: string }; Querystring: BatchQuery }>(
    '/v1/batches/:id/results',
    {
      config: { priority: 'bulk', events: ResultEvent },
      schema: {
        summary: 'List the results of a batch',
        params: ById,
        querystring: BatchQuery,
        response: { 200: ResultsPage },
      },
    },
    (request, reply) => {
      const results = createResults(ctx, routeContext, request)
      const format = findFormat(request.headers.accept)
      return format ? results.stream(reply, format) : results.page(reply)
    },
  )

  app.post<{ Params: { id: string } }>(
    '/v1/batches/:id/cancel',
    {
      config: { priority: 'bulk', idempotencyKey: 'ignored' },
      schema: { summary: 'Cancel a batch', params: ById, response: { 200: BatchOne } },
    },
    async (request, reply) => {
      const { id } = request.params
      const batch = isUuid(id) ? await cancelBatch(ctx, sessionOf(request).caller.accountId, id) : undefined
      if (!batch) throw new ApiError('not_found')
      return reply.send(one(batch))
    },
  )

  app.delete<{ Params: { id: string } }>(
    '/v1/batches/:id',
    {
      config: { priority: 'bulk' },
      schema: { summary: 'Delete a batch', params: ById, response: { 204: NoContent } },
    },
    async (request, reply) => {
      const { id } = request.params
      const removed = isUuid(id) ? await ctx.batches.remove(sessionOf(request).caller.accountId, id) : undefined
      if (removed === undefined) throw new ApiError('not_found')
      if (!removed) throw new ApiError('batch_running')
      return reply.code(204).removeHeader('content-type').send()
    },
  )

  acceptRoute(app, ctx, routeContext)
}

function acceptRoute(app: FastifyInstance, ctx: Context, routeContext: RouteContext): void {
  const checkEnvelope = createCheck(BatchEnvelope, { query: false })
  const check = createCheck(GenerateBody, { query: false })
  const fits = Compile(GenerateBody)
  const costOfItem = (request: FastifyRequest, body: unknown, isExplained: boolean) => {
    if (!isExplained && !fits.Check(body)) throw new ApiError('invalid_request')
    return costOf(check(body) as GenerateBody, sessionOf(request).caller, ctx)
  }

  app.post(
    '/v1/batches',
    {
      bodyLimit: BODY_LIMIT,
      config: { priority: 'bulk' },
      // Before the body is read: its items also need the scope `generate`.
      onRequest: async (request) => requireScope(sessionOf(request).caller, 'generate'),
      schema: { summary: 'Create a batch of generate requests', body: BatchRequest, response: { 202: BatchOne } },
      // Below: each request by itself, so that a wrong one does not refuse the others.
      validatorCompiler: () => (value: unknown) => ({ value }),
    },
    async (request, reply) => {
      const { requests, webhook_id: webhookId = null } = checkEnvelope(request.body) as BatchEnvelope
      const { caller } = sessionOf(request)
      const language = routeContext.languageOf(request)
      const read = await readRequests(requests, (...item) => costOfItem(request, ...item))
      return answerOnce(ctx, request, reply, { maxDurationMs: ACCEPT_MS }, async (storing) => {
        if (webhookId !== null && !(await ctx.webhooks.find(caller.accountId, webhookId))) {
          throw new ApiError('invalid_request', { fields: [{ pointer: '/webhook_id', code: 'unknown_webhook' }] })
        }
        let answer = { status: 202, headers: {}, body: '' }
        await acceptBatch(ctx, caller, { ...read, webhookId, language }, (row) => {
          answer = { status: 202, headers: { location: `/v1/batches/${row.id}` }, body: one(row) }
          return storing(answer)
        })
        return answer
      })
    },
  )
}

function wishesOf({ limit, cursor }: BatchQuery) {
  return { limit, cursor }
}
