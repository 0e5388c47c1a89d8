/**
 * Limits how many large bodies a node reads at the same time. Bodies that wait stay unread, with the sender.
 *
 * A body of 18 MiB makes a node grow by one to two hundred megabytes until it is written, and a key may send twenty at
 * once. Places are shared fairly among accounts, so that the uploads of one account do not block the others.
 */
import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { createFairPlaces } from '../../automation/batches/fair-places.ts'
import { sessionOf } from '../auth.ts'
import type { RouteContext } from '../route-context.ts'

const LARGE_BODIES_AT_ONCE = 2
const LARGE_BYTES = 1024 * 1024

/** For `preParsing`: the body is read once a place is free, and the place is released when the response is over. */
export function createInTurn(routeContext: RouteContext) {
  const places = createFairPlaces(LARGE_BODIES_AT_ONCE)
  return async <Payload>(request: FastifyRequest, reply: FastifyReply, payload: Payload): Promise<Payload> => {
    if (isSmall(request.raw)) return payload
    const { accountId } = sessionOf(request).caller
    const over = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    reply.raw.once('close', over.resolve)
    places
      .runInSlot(accountId, routeContext.disconnectSignalOf(reply), () => {
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
