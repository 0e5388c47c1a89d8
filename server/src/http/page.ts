/** One page of a list, newest first: parses the cursor and writes the link to the next page. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AccountId } from '../model/caller.ts'
import { successOf } from './wire/texts.ts'
import type { RouteContext } from './route-context.ts'

export interface PageAsk {
  readonly list: string
  readonly account: AccountId
  readonly filter: Readonly<Record<string, unknown>>
  readonly limit: number | undefined
  readonly cursor: string | undefined
}

const DEFAULT_LIMIT = 20

/** For callers that write the response themselves. */
export function cutPage(
  { cursors }: Pick<RouteContext, 'cursors'>,
  { list, account, filter, limit = DEFAULT_LIMIT, cursor }: PageAsk,
) {
  const bound = { account, list, filters: Object.entries(filter).toSorted(([a], [b]) => (a < b ? -1 : 1)) }
  const before = cursor === undefined ? undefined : cursors.parse(bound, cursor)
  return {
    window: before === undefined ? { limit } : { limit, before },

    /** `rows` may hold more than are shown (`most`, else the limit). Then there is a next page. */
    cut<Row extends { id: string }>(rows: readonly Row[], most = limit): { shown: Row[]; next: string | null } {
      const shown = rows.slice(0, most)
      const last = shown.at(-1)
      return { shown, next: rows.length > shown.length && last ? cursors.make(bound, last.id) : null }
    },
  }
}

/** The Link header of a page that is not the last. */
export function linkTo(next: string, { publicUrl }: Pick<RouteContext, 'publicUrl'>, request: FastifyRequest): string {
  const [path = ''] = request.url.split('?')
  const query = new URLSearchParams(request.query as Record<string, string>)
  query.set('cursor', next)
  return `<${publicUrl}${path}?${query.toString()}>; rel="next"`
}

export function pageOf(routeContext: RouteContext, request: FastifyRequest, reply: FastifyReply, ask: PageAsk) {
  const page = cutPage(routeContext, ask)
  return {
    window: page.window,

    send<Row extends { id: string }>(name: string, rows: readonly Row[], textOf: (row: Row) => string): FastifyReply {
      const { shown, next } = page.cut(rows)
      if (next !== null) reply.header('link', linkTo(next, routeContext, request))
      return reply.send(successOf(`{"${name}":[${shown.map(textOf).join()}],"next_cursor":${JSON.stringify(next)}}`))
    },
  }
}
