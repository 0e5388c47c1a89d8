/**
 * Caps how many event streams of batches a key and an account may have open at this node.
 *
 * This protects the node. It applies to every account, also to one without a plan and while Redis is unreachable, and
 * needs no round trip. The generate and check streams that an account may have open on all nodes together are a limit
 * of its plan, counted in Redis (`automation/streams/places.ts`). Neither can replace the other.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../platform/config/config.ts'
import { ApiError } from '../../errors.ts'
import { sessionOf } from '../auth.ts'
import { createConcurrencyCap } from '../concurrency-cap.ts'

// A stream ends after some minutes at the latest. One that is closed frees its place at once.
const RETRY_SECONDS = 5

/** For `onRequest`, once the caller is known. Fails with concurrency_limited. */
export function createStreamCap({ streamsPerKey, streamsPerAccount }: Config['caps']) {
  const [perKey, perAccount] = [createConcurrencyCap(streamsPerKey), createConcurrencyCap(streamsPerAccount)]
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { keyId, accountId } = sessionOf(request).caller
    const releaseKey = perKey.take(keyId)
    const releaseAccount = releaseKey && perAccount.take(accountId)
    if (!releaseAccount) {
      releaseKey?.()
      throw new ApiError('concurrency_limited', { retryAfter: RETRY_SECONDS })
    }
    reply.raw.once('close', () => {
      releaseKey()
      releaseAccount()
    })
  }
}
