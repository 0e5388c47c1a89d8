/**
 * A response as a stream: updates while the work goes on, then `done` with the body of the same response unstreamed.
 *
 * An error before the first byte is a response with its status; a later one is an `error` event with the same content.
 * The reader is the client of the stream. If it disconnects, the work ends; the names that were sent are charged and
 * the rest of the reservation is returned. It may send the request again with the same Idempotency-Key: names that were
 * charged before are not charged again, and a response that was completed is sent as the one event `done`.
 */
import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { ApiError } from '../../model/errors.ts'
import type { StreamReader } from '../../model/stream-reader.ts'
import type { StoredAnswer } from '../../platform/idempotency/idempotency.ts'
import { sessionOf } from '../auth.ts'
import type { RouteContext } from '../route-context.ts'
import { noteFault } from '../faults.ts'
import { doOnce } from '../once.ts'
import type { IdempotentWork } from '../once.ts'
import { cutWhenRefused } from './credential-check.ts'
import type { StreamFormat } from './format.ts'
import type { StreamEvent } from './frames.ts'
import type { StreamEncoder } from './stream-encoder.ts'
import { openStream } from './writer.ts'

export interface StreamedAnswer<Updates extends readonly unknown[]> {
  readonly format: StreamFormat
  /** How long the work may take. */
  readonly maxDurationMs: number
  /** Headers of the response, in addition to those of the stream format. */
  readonly headers: Readonly<Record<string, string>>
  readonly encoder: StreamEncoder<Updates>
}

export async function answerStream<Updates extends readonly unknown[]>(
  ctx: Context,
  routeContext: RouteContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { format, maxDurationMs, headers, encoder }: StreamedAnswer<Updates>,
  work: IdempotentWork<Updates>,
): Promise<FastifyReply> {
  await using places = new AsyncDisposableStack()
  places.use(await takePlace(ctx, request, maxDurationMs))
  const stream = openStream(reply.headers(headers), { format, headers: { vary: 'Accept, Accept-Language' } })
  cutWhenRefused(ctx, request, reply)
  const shown = new Set<string>()
  const withdrawn = new Set<string>()
  const reader: StreamReader<Updates> = {
    onUpdate,
    isGone: () => stream.isGone,
    sentNames: () => ({ shown: [...shown], withdrawn: [...withdrawn] }),
  }
  let isSending = false
  let sending: Promise<void> | undefined
  const streamId = randomBytes(16).toString('base64url')
  let eventCount = 0

  try {
    const streamed: IdempotentWork = (storing, _reader, chargeId) => work(storing, reader, chargeId)
    await doOnce(ctx, request, { maxDurationMs }, streamed, deliver)
  } catch (error) {
    if (!stream.isOpen) throw error
    const { body } = routeContext.answerOf(noteFault(ctx.log, error, request, reply), {
      requestId: request.id,
      accept: request.headers.accept,
      language: routeContext.languageOf(request),
    })
    await stream.send({ event: 'error', data: body })
  } finally {
    stream.end()
  }
  return reply

  async function deliver(answer: StoredAnswer, isReplay: boolean): Promise<void> {
    if (!stream.isOpen) reply.headers(answer.headers)
    if (!stream.isOpen && isReplay) reply.header('Idempotent-Replayed', 'true')
    await sending
    await sendChanges()
    // Not awaited: while a slow reader receives it, nothing but its text stays in memory.
    void emit({ event: 'done', data: answer.body })
  }

  function emit(event: StreamEvent): Promise<void> {
    eventCount += 1
    return stream.send({ ...event, id: `${streamId}.${eventCount}` }, () => noteName(event))
  }

  /** Every name that the reader has seen is charged, whatever its verdict, unless it was withdrawn. */
  function noteName({ event, data }: StreamEvent): void {
    if (event !== 'suggestion' && event !== 'withdrawn') return
    const { name } = JSON.parse(data) as { readonly name: string }
    const [now, before] = event === 'suggestion' ? [shown, withdrawn] : [withdrawn, shown]
    now.add(name)
    before.delete(name)
  }

  async function sendChanges(): Promise<void> {
    isSending = true
    try {
      for (const event of encoder.changes()) await emit(event)
    } finally {
      isSending = false
    }
  }

  function onUpdate(...updates: Updates): void {
    encoder.update(...updates)
    if (isSending) return
    sending = sendChanges()
    // Prevents an unhandled rejection. The error, which is always a bug, is thrown where `sending` is awaited.
    sending.catch(() => {})
  }
}

const RETRY_SECONDS = 5

/** Counts an open stream of the account. Fails with concurrency_limited if its plan allows no more. */
async function takePlace(
  ctx: Context,
  request: FastifyRequest,
  maxDurationMs: number,
): Promise<AsyncDisposable | undefined> {
  const { accountId, plan } = sessionOf(request).caller
  const limit = plan?.openStreams ?? null
  if (limit === null) return undefined
  const place = await ctx.streamPlaces.take(accountId, limit, maxDurationMs)
  if (place) return place
  throw new ApiError('concurrency_limited', { params: { what: 'open_streams', limit }, retryAfter: RETRY_SECONDS })
}
