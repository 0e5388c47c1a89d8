/**
 * GET /v1/batches/{id}/events: a `progress` event whenever more items have ended, and `done` when the batch has ended.
 *
 * The id of an event is the number of items that have ended. A reader that reconnects with it as Last-Event-ID gets
 * only later progress. Only `done` has the total as its id. A reader that sends the total has seen everything and gets
 * 204, which makes an EventSource stop.
 *
 * A stream ends by itself after some minutes, and when the node shuts down. The reader then reconnects and resumes. If
 * the credential is refused, the stream ends with an `error` event that says why.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { finishedOf } from '../../automation/batches/batch.ts'
import type { BatchRow } from '../../automation/batches/batch.ts'
import type { Context } from '../../context.ts'
import { ApiError } from '../../errors.ts'
import { isUuid } from '../../model/id.ts'
import { sessionOf } from '../auth.ts'
import type { RouteContext } from '../route-context.ts'
import { noteFault } from '../faults.ts'
import { checkCredential } from '../stream/credential-check.ts'
import { findFormat } from '../stream/format.ts'
import { openStream } from '../stream/writer.ts'
import type { ProgressPoller } from './progress-poller.ts'
import { batchText } from './texts.ts'

const STREAM_MS = 300_000

export async function sendProgress(
  ctx: Context,
  routeContext: RouteContext,
  request: FastifyRequest<{ Params: { id: string } }>,
  reply: FastifyReply,
  /** `closing` aborts when the node shuts down. */
  { poller, closing }: { poller: ProgressPoller; closing: AbortSignal },
): Promise<FastifyReply> {
  const account = sessionOf(request).caller.accountId
  const { id } = request.params
  const known = isUuid(id) ? await ctx.batches.find(account, id) : undefined
  if (!known) throw new ApiError('not_found')
  let sent = lastSeen(request.headers['last-event-id'])
  if (hasEnded(known) && sent >= known.total) return reply.code(204).send()

  const language = routeContext.languageOf(request)
  const format = findFormat(request.headers.accept) ?? 'sse'
  const stream = openStream(reply, { format, headers: { 'content-language': language, vary: 'Accept' } })
  const refused = new AbortController()
  checkCredential(ctx, request, reply, (error) => refused.abort(error))
  const signal = AbortSignal.any([routeContext.disconnectSignalOf(reply), closing, refused.signal])
  const aborted = new Promise<undefined>((resolve) => {
    if (signal.aborted) resolve(undefined)
    signal.addEventListener('abort', () => resolve(undefined), { once: true })
  })
  const endsAt = ctx.now() + STREAM_MS
  try {
    for (let batch: BatchRow | undefined = known; batch && !stream.isGone;) {
      refused.signal.throwIfAborted()
      const finished = finishedOf(batch)
      const data = `{"batch":${batchText(batch)}}`
      if (hasEnded(batch)) {
        await stream.send({ event: 'done', id: String(batch.total), data })
        break
      }
      if (finished > sent && finished < batch.total) {
        await stream.send({ event: 'progress', id: String(finished), data })
        sent = finished
      }
      if (signal.aborted || ctx.now() >= endsAt) break
      batch = await Promise.race([poller.next(account, known.id), aborted])
    }
    refused.signal.throwIfAborted()
  } catch (error) {
    if (!stream.isOpen) throw error
    const fault = noteFault(ctx.log, error, request, reply)
    const { body } = routeContext.answerOf(fault, { language, requestId: request.id, accept: undefined })
    await stream.send({ event: 'error', data: body })
  } finally {
    stream.end()
  }
  return reply
}

function hasEnded({ state }: BatchRow): boolean {
  return state !== 'running'
}

/** -1: no event, so that progress of 0 items is sent, too. */
function lastSeen(header: string | string[] | undefined): number {
  return typeof header === 'string' && /^\d{1,9}$/.test(header) ? Number(header) : -1
}
