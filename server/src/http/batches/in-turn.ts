/**
 * Large bodies come in a few at a time, however many are sent at once: what is not read yet waits with who sends it.
 *
 * A body of 18 MiB makes a node grow by one to two hundred megabytes until it is written, and a key may send twenty at
 * once. The places go by account, so that nobody's uploads keep out everybody else's.
 */
import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { createFairPlaces } from '../../batches/fair-places.ts'
import { sessionOf } from '../auth.ts'
import type { Doors } from '../doors.ts'

const LARGE_BODIES_AT_ONCE = 2
const LARGE_BYTES = 1024 * 1024

/** For `preParsing`: the body is read from then on, and the place is given back when the answer is over. */
export function createInTurn(doors: Doors) {
  const places = createFairPlaces(LARGE_BODIES_AT_ONCE)
  return async <Payload>(request: FastifyRequest, reply: FastifyReply, payload: Payload): Promise<Payload> => {
    if (isSmall(request.raw)) return payload
    const { accountId } = sessionOf(request).caller
    const over = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    reply.raw.once('close', over.resolve)
    places
      .hold(accountId, doors.hangUpOf(reply), () => {
        begun.resolve()
        return over.promise
      })
      .catch(begun.reject)
    await begun.promise
    return payload
  }
}

function isSmall({ headers }: IncomingMessage): boolean {
  return Number(headers['content-length'] ?? Infinity) <= LARGE_BYTES
}
