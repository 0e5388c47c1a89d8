/** GET and DELETE /v1/history, for all records or one. */
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { ApiError } from '../../errors.ts'
import { isUuid } from '../../model/id.ts'
import { sessionOf } from '../auth.ts'
import type { RouteContext } from '../route-context.ts'
import { pageOf } from '../page.ts'
import {
  ById,
  ClearQuery,
  HistoryCleared,
  HistoryOne,
  HistoryPage,
  HistoryQuery,
  NoContent,
} from '../../wire/schemas.ts'
import { historyText, successOf } from '../../wire/texts.ts'

export function historyRoutes(app: FastifyInstance, ctx: Context, routeContext: RouteContext): void {
  app.get<{ Querystring: HistoryQuery }>(
    '/v1/history',
    {
      schema: { summary: 'Get generation history', querystring: HistoryQuery, response: { 200: HistoryPage } },
    },
    async (request, reply) => {
      const { caller } = sessionOf(request)
      const { limit, cursor, ...filter } = request.query
      const page = pageOf(routeContext, request, reply, {
        list: 'history',
        account: caller.accountId,
        filter,
        limit,
        cursor,
      })
      const rows = await ctx.history.list(caller, { ...filter, keyId: filter.key_id }, page.window)
      return page.send('history', rows, historyText)
    },
  )

  app.get<{ Params: { id: string } }>(
    '/v1/history/:id',
    {
      schema: { summary: 'Get one history record', params: ById, response: { 200: HistoryOne } },
    },
    async (request, reply) => {
      const { id } = request.params
      const row = isUuid(id) ? await ctx.history.find(sessionOf(request).caller, id) : undefined
      if (!row) throw new ApiError('not_found')
      return reply.send(successOf(`{"record":${historyText(row)}}`))
    },
  )

  app.delete<{ Params: { id: string } }>(
    '/v1/history/:id',
    {
      schema: { summary: 'Delete one history record', params: ById, response: { 204: NoContent } },
    },
    async (request, reply) => {
      const { id } = request.params
      const removed = isUuid(id) && (await ctx.history.remove(sessionOf(request).caller.accountId, id))
      if (!removed) throw new ApiError('not_found')
      return reply.code(204).send()
    },
  )

  app.delete(
    '/v1/history',
    {
      schema: {
        summary: 'Delete all history of the caller',
        querystring: ClearQuery,
        response: { 200: HistoryCleared },
      },
    },
    async (request, reply) => {
      const deleted = await ctx.history.removeAll(sessionOf(request).caller.accountId)
      return reply.send(successOf(JSON.stringify({ deleted })))
    },
  )
}
