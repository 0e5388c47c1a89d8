/**
 * GET /v1/batches/{id}/events: how far a batch is, told whenever it is further, and `done` when it has ended.
 *
 * The id of an event is the number of items that have ended, so whoever was cut off and sends it back as Last-Event-ID
 * is told only what is more than that. `done` alone has the total as its id: who sends that has seen everything, and is
 * answered 204, which tells an EventSource to stop.
 *
 * A stream ends by itself after some minutes, and when the node goes; the reader comes back, and is known again.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { finishedOf } from '../../batches/batch.ts'
import type { BatchRow } from '../../batches/batch.ts'
import type { Context } from '../../context.ts'
import { ApiError } from '../../errors.ts'
import { isUuid } from '../../model/id.ts'
import { sessionOf } from '../auth.ts'
import type { Doors } from '../doors.ts'
import { noteFault } from '../faults.ts'
import { findFormat } from '../stream/format.ts'
import { openStream } from '../stream/writer.ts'
import { batchText } from './texts.ts'

// One small question to the database; nobody sees a bar move more often.
const LOOK_MS = 500
// A key that is revoked meanwhile sees the counts for no longer than this.
const STREAM_MS = 300_000

export async function tellProgress(
  ctx: Context,
  doors: Doors,
  request: FastifyRequest<{ Params: { id: string } }>,
  reply: FastifyReply,
  /** Fires when the node is to go. */
  closing: AbortSignal,
): Promise<FastifyReply> {
  const account = sessionOf(request).caller.accountId
  const { id } = request.params
  const find = async () => (isUuid(id) ? await ctx.batches.find(account, id) : undefined)
  const known = await find()
  if (!known) throw new ApiError('not_found')
  let told = lastSeen(request.headers['last-event-id'])
  if (hasEnded(known) && told >= known.total) return reply.code(204).send()

  const language = doors.languageOf(request)
  const format = findFormat(request.headers.accept) ?? 'sse'
  const stream = openStream(reply, { format, headers: { 'content-language': language, vary: 'Accept' } })
  const signal = AbortSignal.any([doors.hangUpOf(reply), closing])
  const endsAt = ctx.now() + STREAM_MS
  try {
    for (let batch: BatchRow | undefined = known; batch && !stream.isGone; batch = await find()) {
      const finished = finishedOf(batch)
      const data = `{"batch":${batchText(batch)}}`
      if (hasEnded(batch)) {
        await stream.send({ event: 'done', id: String(batch.total), data })
        break
      }
      if (finished > told && finished < batch.total) {
        await stream.send({ event: 'progress', id: String(finished), data })
        told = finished
      }
      if (signal.aborted || ctx.now() >= endsAt) break
      await sleep(LOOK_MS, undefined, { signal }).catch(() => {})
    }
  } catch (error) {
    if (!stream.isOpen) throw error
    const fault = noteFault(ctx.log, error, request, reply)
    const { body } = doors.answerOf(fault, { language, requestId: request.id, accept: undefined })
    await stream.send({ event: 'error', data: body })
  } finally {
    stream.end()
  }
  return reply
}

function hasEnded({ state }: BatchRow): boolean {
  return state !== 'running'
}

/** -1: nothing, so that also "none yet" is told. */
function lastSeen(header: string | string[] | undefined): number {
  return typeof header === 'string' && /^\d{1,9}$/.test(header) ? Number(header) : -1
}
