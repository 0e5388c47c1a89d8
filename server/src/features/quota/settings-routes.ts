/** GET …/usage: the usage of an account by day, in total, through each key and application, and by endpoint. */
import { role, settingsRoute } from '../../http/settings-route.ts'
import { DEFAULT_DAYS, shownUse } from './routes.ts'
import { AccountUsageAnswer, UsageQuery } from './schemas.ts'
import type { EndpointUse } from './traffic.ts'

const getAccountUsage = settingsRoute({
  method: 'GET',
  path: '/settings/accounts/{account}/usage',
  id: 'getAccountUsage',
  summary: 'Get the usage of an account',
  access: role('viewer'),
  query: UsageQuery,
  replies: { 200: AccountUsageAnswer },
  async run({ member, query: { days = DEFAULT_DAYS } }, { quota, keys, traffic }) {
    const [{ account }, byKey, rows, uses] = await Promise.all([
      quota.usage(member, { days }),
      quota.usageByKey(member, days),
      keys.list(member),
      traffic.byEndpoint(member, days),
    ])
    const ofKeys = rows.flatMap(({ id, name, client_id }) => {
      const use = byKey.get(id)
      return use ? [{ id, name, client_id, ...shownUse(use) }] : []
    })
    return { usage: { account: shownUse(account), keys: ofKeys, endpoints: endpointsOf(uses) } }
  },
})

export const settings = [getAccountUsage]

/** Days without a request are omitted. */
function endpointsOf(traffic: readonly EndpointUse[]) {
  const groups = Map.groupBy(traffic, ({ key_id, endpoint }) => `${key_id} ${endpoint}`)
  return [...groups.values()].flatMap((uses) => {
    const days = uses.map(({ day, requests, failed }) => ({ day, requests, failed }))
    return uses.slice(0, 1).map(({ key_id, endpoint }) => ({ key_id, endpoint, days }))
  })
}
