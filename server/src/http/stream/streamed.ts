/**
 * A declared route as a stream: what its encoder makes of the updates while it runs, then `done` with the body of the
 * same answer in one piece.
 *
 * An error before the first byte is a response with its status; a later one is an `error` event with the same content. A
 * reader that disconnects ends the work, and is charged for the names that were sent (`commit.ts`). It may send the
 * request again with the same Idempotency-Key: an answer that was completed is sent as the one event `done`.
 */
import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import type { Caller } from '../../model/caller.ts'
import { ApiError } from '../../model/errors.ts'
import { sessionOf } from '../auth.ts'
import type { Call, Sink } from '../ask.ts'
import { perform } from '../commit.ts'
import { noteFault } from '../faults.ts'
import type { Route } from '../route.ts'
import type { RouteContext } from '../route-context.ts'
import { cutWhenRefused } from './credential-check.ts'
import type { StreamFormat } from './format.ts'
import type { StreamEvent } from './frames.ts'
import type { StreamEncoder } from './stream-encoder.ts'
import { openStream, type EventStream } from './writer.ts'

interface Streamed {
  readonly routeContext: RouteContext
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly format: StreamFormat
}

const VARY = 'Accept, Accept-Language'

export async function performStreamed(
  route: Route,
  call: Call,
  ctx: Context,
  { routeContext, request, reply, format }: Streamed,
): Promise<FastifyReply> {
  await using places = new AsyncDisposableStack()
  places.use(await takePlace(ctx, call.caller))
  // From now on whoever disconnects ends the work, even if the route never asks for the signal.
  const { signal } = call
  if (route.localized) reply.header('content-language', call.language)
  const stream = openStream(reply, { format, headers: { vary: VARY } })
  cutWhenRefused(ctx, request, reply)
  const sender = createSender(stream)
  try {
    const done = await perform(route, { ...call, signal, sink: sender.sink }, ctx)
    sessionOf(request).spent = done.cost
    if (!stream.isOpen) reply.headers(done.headers)
    if (!stream.isOpen && done.isReplay) reply.header('Idempotent-Replayed', 'true')
    await sender.rest()
    // Not awaited: while a slow reader receives it, nothing but its text stays in memory.
    void sender.emit({ event: 'done', data: done.body })
  } catch (error) {
    if (!stream.isOpen) throw error
    const { body } = routeContext.answerOf(noteFault(ctx.log, error, request, reply), {
      requestId: request.id,
      accept: request.headers.accept,
      language: call.language,
    })
    await stream.send({ event: 'error', data: body })
  } finally {
    stream.end()
  }
  return reply
}

/** Sends events in their order, each with its id, and notes which names the reader has seen. */
function createSender(stream: EventStream) {
  const streamId = randomBytes(16).toString('base64url')
  let eventCount = 0
  const shown = new Set<string>()
  const withdrawn = new Set<string>()
  let encoder: Pick<StreamEncoder<never>, 'changes'> | undefined
  let isSending = false
  let sending: Promise<void> | undefined

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
      for (const event of encoder?.changes() ?? []) await emit(event)
    } finally {
      isSending = false
    }
  }

  const sink: Sink = {
    isGone: () => stream.isGone,
    sentNames: () => ({ shown: [...shown], withdrawn: [...withdrawn] }),
    show(shownBy) {
      encoder = shownBy
      return (...updates) => {
        shownBy.update(...updates)
        if (isSending) return
        sending = sendChanges()
        // Prevents an unhandled rejection. The error, which is always a bug, is thrown where `sending` is awaited.
        sending.catch(() => {})
      }
    },
  }

  return {
    sink,
    emit,
    /** What the reader does not have yet. */
    async rest() {
      await sending
      await sendChanges()
    },
  }
}

// The longest deadline of any request. The place of a stream whose node has died is free a little later.
const MAX_MS = 30_000
const RETRY_SECONDS = 5

/** Counts an open stream of the account. Fails with concurrency_limited if its plan allows no more. */
async function takePlace(ctx: Context, { accountId, plan }: Caller): Promise<AsyncDisposable | undefined> {
  const limit = plan?.openStreams ?? null
  if (limit === null) return undefined
  const place = await ctx.streamPlaces.take(accountId, limit, MAX_MS)
  if (place) return place
  throw new ApiError('concurrency_limited', { params: { what: 'open_streams', limit }, retryAfter: RETRY_SECONDS })
}
