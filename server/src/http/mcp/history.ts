/**
 * get_history: GET /v1/history for agents.
 *
 * A record can hold a hundred names with fifty domains each. The list shows the first names of each record, and only
 * the domains that were available. With its id, one record is returned in full.
 */
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { ApiError } from '../../errors.ts'
import type { HistoryRow } from '../../library/history/history.ts'
import { isUuid } from '../../model/id.ts'
import { cutPage } from '../page.ts'
import { closed, HistoryPage, HistoryQuery } from '../../wire/schemas.ts'
import { countFitting, shorten } from './output-limit.ts'
import { defineTool } from './tool.ts'

const DEFAULT_LIMIT = 5
const SHOWN_NAMES = 10
const SHOWN_DESCRIPTION = 200

const { next_cursor, history } = HistoryPage.properties.data.properties
const { id, created_at, description, suggestions } = history.items.properties
const HistoryText = Type.Object(
  {
    id,
    created_at,
    description,
    suggestions,
    left_out: Type.Integer({ description: 'Number of suggestions that are not shown. Use `id` to get all.' }),
  },
  closed,
)
type HistoryText = Static<typeof HistoryText>

export const getHistoryTool = defineTool({
  name: 'get_history',
  title: 'Look at earlier suggestions',
  description:
    'Recalls earlier requests of this account and the names suggested then, last one first. ' +
    'Use it when somebody asks what was asked for or suggested before, wants to go back to names from yesterday or last week, ' +
    'to see the last request once more, previous or past searches, or to bring back a lost list without paying again. ' +
    'Prices and `available` are from that time (`created_at`); for the current state use check_domains. ' +
    `The list shows ${SHOWN_NAMES} names per request and the domains that were available; use \`id\` to get one request in full. ` +
    'Pass `next_cursor` as `cursor` to get the next page; null means the last page. Uses no quota.',
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  scope: 'history:read',
  input: Type.Object(
    {
      id: Type.Optional(Type.String({ format: 'uuid' })),
      ...Type.Omit(HistoryQuery, ['key_id']).properties,
    },
    closed,
  ),
  about: {
    id: 'Returns one request in full, by its `id` from the list. Other arguments are ignored.',
    limit: `Maximum number of requests. Default: as many as fit a short response, at most ${DEFAULT_LIMIT}.`,
    cursor: '`next_cursor` of the previous page. Keep the other arguments the same.',
    q: 'Only requests whose description contains this text.',
    since: 'Only requests from this time on: 2026-07-01T00:00:00Z.',
    until: 'Only requests before this time: 2026-08-01T00:00:00Z.',
  },
  output: Type.Object({ history: Type.Array(HistoryText), next_cursor }, closed),
  async answer({ id: one, limit, cursor, ...filter }, { ctx, routeContext, session: { caller } }) {
    if (one !== undefined) {
      const row = isUuid(one) ? await ctx.history.find(caller, one) : undefined
      if (!row) throw new ApiError('not_found')
      const { data, line } = itemOf(wholeOf(row))
      return { data: { history: [data], next_cursor: null }, text: line }
    }
    const ask = { list: 'mcp history', account: caller.accountId, filter, limit: limit ?? DEFAULT_LIMIT, cursor }
    const page = cutPage(routeContext, ask)
    const rows = await ctx.history.list(caller, filter, page.window)
    const items = rows.map((row) => itemOf(beginningOf(wholeOf(row))))
    const { shown, next } = page.cut(rows, limit ?? Math.min(DEFAULT_LIMIT, countFitting(items)))
    const found = items.slice(0, shown.length)
    const lines = found.length === 0 ? ['none'] : found.map(({ line }) => line)
    return {
      data: { history: found.map(({ data }) => data), next_cursor: next },
      text: [...lines, ...(next === null ? [] : [`next_cursor: ${next}`])].join('\n'),
    }
  },
})

function wholeOf(row: HistoryRow): HistoryText {
  return {
    id: row.id,
    created_at: row.created_at.toISOString(),
    description: row.description,
    suggestions: JSON.parse(row.suggestions) as HistoryText['suggestions'],
    left_out: 0,
  }
}

function beginningOf({ suggestions: all, ...entry }: HistoryText): HistoryText {
  const shown = all.slice(0, SHOWN_NAMES).map(({ name, domains }) => ({
    name,
    domains: domains.flatMap(({ domain, available, price }) => (available ? [{ domain, available, price }] : [])),
  }))
  const short = shorten(entry.description, SHOWN_DESCRIPTION)
  return { ...entry, description: short, suggestions: shown, left_out: all.length - shown.length }
}

function itemOf(data: HistoryText): { data: HistoryText; line: string } {
  const names = data.suggestions.map(({ name, domains }) => {
    const free = domains.flatMap(({ domain, available }) => (available ? [domain] : []))
    return `${name} (${free.join(', ') || 'none available'})`
  })
  const rest = data.left_out === 0 ? [] : [`and ${data.left_out} more`]
  const line = `${data.created_at} ${JSON.stringify(data.description)}: ${[...names, ...rest].join('; ')} [id ${data.id}]`
  return { data, line }
}
