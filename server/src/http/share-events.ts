/**
 * GET /shares/{token}/events: a share as it changes. First `share` with all of it, then `change` with what is new.
 *
 * There is nothing to resume: a reader that reconnects, to any node, begins with all of it. A stream ends by itself
 * after some minutes, when the share ends (`gone`), and when the node shuts down.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { ApiError } from '../errors.ts'
import type { ShareRef } from '../library/shares/shares.ts'
import { addressSubject } from '../tenancy/limits/limits.ts'
import { createConcurrencyCap } from './concurrency-cap.ts'
import type { RouteContext } from './route-context.ts'
import { createShareFeed } from './share-feed.ts'
import { openStream } from './stream/writer.ts'

const STREAM_MS = 300_000
// All voters of a share, each with two tabs; and an office with several shares.
const MAX_STREAMS_OF_SHARE = 1_000
const MAX_STREAMS_OF_ADDRESS = 500
const RETRY_SECONDS = 5

export function createShareEvents(ctx: Context, routeContext: RouteContext) {
  const feed = createShareFeed({ shares: ctx.shares, now: ctx.now })
  const [ofShare, ofAddress] = [
    createConcurrencyCap(MAX_STREAMS_OF_SHARE),
    createConcurrencyCap(MAX_STREAMS_OF_ADDRESS),
  ]

  /** Fails with concurrency_limited. */
  function takePlaces(request: FastifyRequest, reply: FastifyReply, { id }: ShareRef): void {
    const release = ofShare.take(id)
    const releaseAddress = release && ofAddress.take(addressSubject(request.ip))
    if (!releaseAddress) {
      release?.()
      throw new ApiError('concurrency_limited', { retryAfter: RETRY_SECONDS })
    }
    reply.raw.once('close', () => {
      release()
      releaseAddress()
    })
  }

  return async (request: FastifyRequest, reply: FastifyReply, ref: ShareRef): Promise<FastifyReply> => {
    // Before the first byte, so that a share that has ended is a 404, which ends an EventSource.
    await ctx.shares.open(ref)
    takePlaces(request, reply, ref)
    const stream = openStream(reply, { format: 'sse', headers: { 'cache-control': 'no-store' } })
    const signal = AbortSignal.any([
      routeContext.disconnectSignalOf(reply),
      routeContext.closing,
      AbortSignal.timeout(STREAM_MS),
    ])
    for (let number = 0; !signal.aborted && !stream.isGone;) {
      const state = await feed.next(ref, number, signal)
      if (state === undefined) {
        if (!signal.aborted) await stream.send({ event: 'gone', data: '{}' })
        break
      }
      const isNext = number > 0 && state.before === number
      await stream.send(isNext ? { event: 'change', data: state.change } : { event: 'share', data: state.whole })
      number = state.number
    }
    stream.end()
    return reply
  }
}
