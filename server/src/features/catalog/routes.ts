/** GET /v1/tlds */
import { answer, route, token } from '../../http/route.ts'
import { TldAnswer, TldQuery, tldsOf } from './tlds.ts'

export const listTlds = route({
  method: 'GET',
  path: '/v1/tlds',
  id: 'listTlds',
  summary: 'Get the suffix catalogue',
  description: 'Lists every supported suffix with its price, term, eligibility and popularity.',
  access: token('domains:check'),
  query: TldQuery,
  replies: { 200: TldAnswer },
  run: async (ask, { prices, now }) => answer(200, tldsOf(prices, ask.query, now())),
})
