/**
 * A response as a stream: updates while the work goes on, then `done` with the body of the same response unstreamed.
 *
 *   Last-Event-ID? → stored events → is another node working on it? then poll its log → the work, with updates → done
 *
 * An error before the first byte is a response with its status; a later one is an `error` event with the same content.
 * The reader is the client of the stream. If it disconnects, the work ends; the names that were sent are charged and
 * the rest of the reservation is returned. If it reconnects within five minutes, it gets the rest of the stored events,
 * and the work is repeated only if it had not finished. Until the work has finished only sent events are stored: a
 * resumed stream must never contain names that nobody has paid for.
 */
import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { ApiError } from '../../errors.ts'
import type { StreamReader } from '../../model/stream-reader.ts'
import type { StoredAnswer } from '../../platform/idempotency/idempotency.ts'
import type { KeptEvent, StreamLog, Subject } from '../../automation/streams/streams.ts'
import { sessionOf } from '../auth.ts'
import type { RouteContext } from '../route-context.ts'
import { noteFault } from '../faults.ts'
import { doOnce } from '../once.ts'
import type { IdempotentWork } from '../once.ts'
import { cutWhenRefused } from './credential-check.ts'
import type { StreamFormat } from './format.ts'
import type { StreamEncoder } from './stream-encoder.ts'
import { openStream } from './writer.ts'

export interface StreamedAnswer<Updates extends readonly unknown[]> {
  readonly format: StreamFormat
  /** How long the work may take. */
  readonly maxDurationMs: number
  /** A read that needs a POST: its Idempotency-Key is ignored, and no answer is stored. */
  readonly isRead?: true
  /** Headers of the response, in addition to those of the stream format. */
  readonly headers: Readonly<Record<string, string>>
  readonly encoder: StreamEncoder<Updates>
}

// How often to poll the log of a stream that another node works on.
const POLL_INTERVAL_MS = 100

export async function answerStream<Updates extends readonly unknown[]>(
  ctx: Context,
  routeContext: RouteContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { format, maxDurationMs, isRead, headers, encoder }: StreamedAnswer<Updates>,
  work: IdempotentWork<Updates>,
): Promise<FastifyReply> {
  const disconnectSignal = routeContext.disconnectSignalOf(reply)
  await using places = new AsyncDisposableStack()
  places.use(await takePlace(ctx, request, maxDurationMs))
  const found = await findLog(ctx, request, maxDurationMs)
  const { received, kept } = found
  await using log = found.log
  if (kept.length > 0 && kept.length === received && isOver(kept))
    return reply.code(204).removeHeader('content-type').send()
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
  /** Whether the work has been committed, and with it the charge for all names. */
  let isPaid = false
  /** The number of the last event, which is part of its id. */
  let number = 0
  /** Events that wait to be written to the connection, and are not stored before that. */
  const unsavedEvents: KeptEvent[] = []

  try {
    if (received === undefined || !(await replay(received))) {
      const streamed: IdempotentWork = (storing, _reader, ids = []) =>
        work(storing, reader, [streamChargeId(request, log.token), ...ids])
      await doOnce(ctx, request, { maxDurationMs, isRead }, streamed, deliver)
    }
  } catch (error) {
    if (!stream.isOpen) throw error
    const { body } = routeContext.answerOf(noteFault(ctx.log, error, request, reply), {
      requestId: request.id,
      accept: request.headers.accept,
      language: routeContext.languageOf(request),
    })
    // Not stored and without an id, so that a reader that reconnects tries again.
    await stream.send({ event: 'error', data: body })
  } finally {
    stream.end()
  }
  return reply

  async function deliver(answer: StoredAnswer, isReplay: boolean): Promise<void> {
    if (!stream.isOpen) reply.headers(answer.headers)
    if (!stream.isOpen && isReplay) reply.header('Idempotent-Replayed', 'true')
    if (!isReplay) encoder.settle()
    isPaid = true
    for (const event of unsavedEvents.splice(0)) log.keep(event)
    await sending
    await sendChanges()
    // Not awaited: while a slow reader receives it, nothing but its text stays in memory.
    void emit({ event: 'done', data: answer.body })
  }

  function emit(event: KeptEvent): Promise<void> {
    number += 1
    if (isPaid) log.keep(event)
    else unsavedEvents.push(event)
    return stream.send({ ...event, id: `${log.token}.${number}` }, () => onSent(event))
  }

  function onSent(event: KeptEvent): void {
    noteName(event)
    if (unsavedEvents[0] === event) log.keep(unsavedEvents.shift() ?? event)
  }

  /** Every name that the reader has seen is charged, whatever its verdict, unless it was withdrawn. */
  function noteName({ event, data }: KeptEvent): void {
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

  /**
   * Sends stored events after number `last` and, while another node does the work, the events that it adds. Returns
   * false if this node must do the work.
   */
  async function replay(last: number): Promise<boolean> {
    let events = kept
    for (let isOurs = false; ;) {
      for (const event of events) {
        number += 1
        encoder.restore(event)
        noteName(event)
        if (number > last) await stream.send({ ...event, id: `${log.token}.${number}` })
      }
      if (isOver(events)) return true
      if (isOurs) return false
      disconnectSignal.throwIfAborted()
      isOurs = await log.claim()
      if (!isOurs) await sleep(POLL_INTERVAL_MS, undefined, { signal: disconnectSignal })
      events = await log.listen()
    }
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
  const place = await ctx.streams.places.take(accountId, limit, maxDurationMs)
  if (place) return place
  throw new ApiError('concurrency_limited', { params: { what: 'open_streams', limit }, retryAfter: RETRY_SECONDS })
}

interface FoundLog {
  readonly log: StreamLog
  readonly kept: readonly KeptEvent[]
  /** How many events the reader already has; undefined for a new stream. */
  readonly received: number | undefined
}

/** The same on all connections of a stream. */
function streamChargeId(request: FastifyRequest, token: string): string {
  const { account, request: asked } = subjectOf(request)
  return hash('sha256', JSON.stringify([account, asked, 'token', token]))
}

const EVENT_ID = /^([\w-]{22})\.(\d{1,6})$/

/** Finds the log that Last-Event-ID refers to. Without one, or with an unknown token, it begins a new log. */
async function findLog(ctx: Context, request: FastifyRequest, maxDurationMs: number): Promise<FoundLog> {
  const subject = subjectOf(request)
  const [, token, number] = EVENT_ID.exec(String(request.headers['last-event-id'] ?? '')) ?? []
  if (token !== undefined) {
    const log = ctx.streams.resume(subject, token, maxDurationMs)
    const received = Number(number)
    const kept = [...(await log.listen())]
    if (kept.length < Math.max(1, received)) {
      // A reader that reconnects at once may be ahead of events that are still being stored.
      await sleep(POLL_INTERVAL_MS)
      kept.push(...(await log.listen()))
    }
    if (kept.length >= Math.max(1, received)) return { log, kept, received }
  }
  return { log: ctx.streams.begin(subject, maxDurationMs), kept: [], received: undefined }
}

function subjectOf(request: FastifyRequest): Subject {
  const { method, routeOptions, headers, body } = request
  const parts = [method, routeOptions.url, headers['accept-language'] ?? '', body]
  return { account: sessionOf(request).caller.accountId, request: JSON.stringify(parts) }
}

function isOver(events: readonly KeptEvent[]): boolean {
  return events.at(-1)?.event === 'done'
}
