/**
 * GET /v1/batches/{id}/results: the results of the items in the order they were sent, one page of them, or all of them as
 * a stream. Not declared: its stream walks pages, as fast as the reader reads, and ends with another body than a page.
 *
 * Both stop before the first item that has not ended, report it (`waiting_for`) and return where to continue
 * (`next_cursor`). So a reader of a running batch misses nothing and gets nothing twice.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { sessionOf } from '../../http/auth.ts'
import { noteFault } from '../../http/faults.ts'
import type { RouteContext } from '../../http/route-context.ts'
import { token } from '../../http/route.ts'
import { cutWhenRefused } from '../../http/stream/credential-check.ts'
import { findFormat, type StreamFormat } from '../../http/stream/format.ts'
import { openStream } from '../../http/stream/writer.ts'
import { ById } from '../../http/wire/schemas.ts'
import { successOf } from '../../http/wire/texts.ts'
import { ApiError } from '../../model/errors.ts'
import { isUuid } from '../../model/id.ts'
import { requestIdOf, type BatchRow } from './batch.ts'
import { BatchQuery, ResultEvent, ResultsPage } from './schemas.ts'
import { itemText } from './shown.ts'

export function addResults(app: FastifyInstance, ctx: Context, routeContext: RouteContext): void {
  app.get<{ Params: { id: string }; Querystring: BatchQuery }>(
    '/v1/batches/:id/results',
    {
      config: {
        access: token('batches:read'),
        priority: 'bulk',
        events: ResultEvent,
        words: {
          id: 'listBatchResults',
          description:
            'Lists the items of a batch in request order, each with a result or an error, with pagination or as NDJSON.',
        },
      },
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
}

const DEFAULT_LIMIT = 20
// The items of one database query. A slow reader makes the node hold no more than this.
const STREAMED_AT_ONCE = 100

interface Items {
  readonly batch: BatchRow
  readonly texts: readonly string[]
  /** The item to continue with. */
  readonly next: number
  readonly isWaiting: boolean
}

function createResults(
  ctx: Context,
  routeContext: RouteContext,
  request: FastifyRequest<{ Params: { id: string }; Querystring: BatchQuery }>,
) {
  const account = sessionOf(request).caller.accountId
  const { id } = request.params
  const { limit = DEFAULT_LIMIT, cursor } = request.query
  const language = routeContext.languageOf(request)
  const headers = { 'content-language': language, vary: 'Accept, Accept-Language' }
  const bound = { account, list: `batches/${id}/results`, filters: [] }
  const first = cursor === undefined ? 0 : numberOf(routeContext.cursors.parse(bound, cursor))
  const word = (error: ApiError, requestId: string) =>
    routeContext.answerOf(error, { language, requestId, accept: undefined }).body

  /** Fails with not_found. */
  async function read(from: number, most: number): Promise<Items> {
    const found = isUuid(id) ? await ctx.batches.readItems(account, id, { from, limit: most }) : undefined
    if (!found) throw new ApiError('not_found')
    const { batch, items } = found
    const ended = new Map(items.map((item) => [item.n, item]))
    const texts: string[] = []
    let next = from
    for (; next < Math.min(from + most, batch.total); next++) {
      const item = ended.get(next)
      if (item?.cut) return { batch, texts, next, isWaiting: false }
      if (!item && batch.state !== 'canceled') return { batch, texts, next, isWaiting: true }
      texts.push(itemText(next, item, (error) => word(error, requestIdOf(batch.id, next))))
    }
    return { batch, texts, next, isWaiting: false }
  }

  function endOf({ batch, next, isWaiting }: Items) {
    return {
      waiting_for: isWaiting ? next : null,
      next_cursor: next < batch.total ? routeContext.cursors.make(bound, idOf(next)) : null,
    }
  }

  return {
    async page(reply: FastifyReply): Promise<FastifyReply> {
      const items = await read(first, limit)
      const end = endOf(items)
      if (end.next_cursor !== null) {
        const query = new URLSearchParams({ limit: String(limit), cursor: end.next_cursor })
        reply.header('link', `<${routeContext.publicUrl}/v1/batches/${id}/results?${query.toString()}>; rel="next"`)
      }
      const tail = JSON.stringify(end).slice(1)
      return reply.headers(headers).send(successOf(`{"results":[${items.texts.join()}],${tail}`))
    },

    /** Sends all results and ignores `limit`. The id of an event is the index of its item. */
    async stream(reply: FastifyReply, format: StreamFormat): Promise<FastifyReply> {
      let from = first
      let items = await read(from, STREAMED_AT_ONCE)
      const stream = openStream(reply, { format, headers })
      cutWhenRefused(ctx, request, reply)
      try {
        for (;;) {
          for (const data of items.texts) await stream.send({ event: 'result', id: String(from++), data })
          if (stream.isGone || items.isWaiting || items.next >= items.batch.total) break
          items = await read(items.next, STREAMED_AT_ONCE)
        }
        await stream.send({ event: 'done', data: JSON.stringify({ state: items.batch.state, ...endOf(items) }) })
      } catch (error) {
        if (!stream.isOpen) throw error
        await stream.send({ event: 'error', data: word(noteFault(ctx.log, error, request, reply), request.id) })
      } finally {
        stream.end()
      }
      return reply
    },
  }
}

/** A cursor carries sixteen bytes. The index of an item fits in the last of them. */
function idOf(item: number): string {
  return item.toString(16).padStart(32, '0')
}

function numberOf(id: string): number {
  return Number.parseInt(id.replaceAll('-', ''), 16)
}
