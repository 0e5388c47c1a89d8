/** One page of a list, newest first: where it begins, and how it says where the next one does. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AccountId } from '../model/caller.ts'
import type { Doors } from './doors.ts'
import { successOf } from './wire.ts'

const DEFAULT_LIMIT = 20

export function pageOf(
  doors: Doors,
  request: FastifyRequest,
  reply: FastifyReply,
  ask: {
    list: string
    account: AccountId
    filter: Readonly<Record<string, unknown>>
    limit: number | undefined
    cursor: string | undefined
  },
) {
  const { list, account, filter, limit = DEFAULT_LIMIT, cursor } = ask
  const bound = { account, list, filters: Object.entries(filter).toSorted(([a], [b]) => (a < b ? -1 : 1)) }
  const before = cursor === undefined ? undefined : doors.cursors.parse(bound, cursor)
  return {
    window: before === undefined ? { limit } : { limit, before },

    /** `rows` may hold one more than the limit, which only says that there is a next page. */
    send<Row extends { id: string }>(name: string, rows: readonly Row[], textOf: (row: Row) => string): FastifyReply {
      const shown = rows.slice(0, limit)
      const last = shown.at(-1)
      const next = rows.length > limit && last ? doors.cursors.make(bound, last.id) : null
      if (next !== null) {
        const [path = ''] = request.url.split('?')
        const query = new URLSearchParams(request.query as Record<string, string>)
        query.set('cursor', next)
        reply.header('link', `<${doors.publicUrl}${path}?${query.toString()}>; rel="next"`)
      }
      return reply.send(successOf(`{"${name}":[${shown.map(textOf).join()}],"next_cursor":${JSON.stringify(next)}}`))
    },
  }
}
