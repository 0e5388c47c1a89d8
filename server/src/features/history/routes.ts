/** GET and DELETE /v1/history, for all records or one. */
import { removeHistory, removeRecord, type HistoryRow } from './history.ts'
import { isUuid } from '../../model/id.ts'
import {
  ById,
  ClearQuery,
  HistoryCleared,
  HistoryOne,
  HistoryPage,
  HistoryQuery,
  NoContent,
} from '../../http/wire/schemas.ts'
import { correctStoredSuggestions } from '../../model/stored-suggestions.ts'
import { answer, found, JsonText, noContent, route, token, type Route } from '../../http/route.ts'

const listHistory = route({
  method: 'GET',
  path: '/v1/history',
  id: 'listHistory',
  summary: 'Get generation history',
  description: 'Lists the earlier requests of the account and their suggestions, newest first, with pagination.',
  access: token('history:read'),
  query: HistoryQuery,
  replies: { 200: HistoryPage },
  async run(ask, { history }) {
    const rows = await ask.list('history', (window) => history.listing(ask.caller, ask.query, window))
    const next = JSON.stringify(ask.next)
    return answer(200, new JsonText(`{"history":[${rows.map(historyText).join()}],"next_cursor":${next}}`))
  },
})

const getRecord = route({
  method: 'GET',
  path: '/v1/history/{id}',
  id: 'getHistoryRecord',
  summary: 'Get one history record',
  description: 'Returns one history record with its suggestions as they were returned at the time.',
  access: token('history:read'),
  params: ById,
  replies: { 200: HistoryOne },
  async run(ask, { history }) {
    const { id } = ask.params
    const row = found(isUuid(id) ? await ask.find(history.finding(ask.caller, id)) : undefined)
    return answer(200, new JsonText(`{"record":${historyText(row)}}`))
  },
})

const deleteRecord = route({
  method: 'DELETE',
  path: '/v1/history/{id}',
  id: 'deleteHistoryRecord',
  summary: 'Delete one history record',
  description: 'Deletes one history record. This cannot be undone.',
  access: token('history:write'),
  params: ById,
  replies: { 204: NoContent },
  async run(ask) {
    const { id } = ask.params
    found(isUuid(id) ? await ask.write(removeRecord(id)) : undefined)
    return noContent
  },
})

const clearHistory = route({
  method: 'DELETE',
  path: '/v1/history',
  id: 'clearHistory',
  summary: 'Delete all history of the caller',
  description:
    'Deletes every history record of the account, and returns how many there were. Needs `all=true`. This cannot be undone.',
  access: token('history:write'),
  query: ClearQuery,
  replies: { 200: HistoryCleared },
  run: async (ask) => answer(200, { deleted: found(await ask.write(removeHistory())).deleted }),
})

/** The two jsonb columns are read as text and written as text. */
function historyText(row: HistoryRow): string {
  const { id, created_at, description, count, language, key_id, options, suggestions } = row
  const head = JSON.stringify({ id, created_at, description, count, language, key_id })
  return `${head.slice(0, -1)},"options":${options},"suggestions":${correctStoredSuggestions(suggestions)}}`
}

export const HISTORY: readonly Route[] = [listHistory, getRecord, deleteRecord, clearHistory]
