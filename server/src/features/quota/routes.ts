/** GET /v1/usage: the usage of this key and this account by day, what remains, and their limits. */
import type { QuotaLimits } from '../../model/caller.ts'
import { leftOf, rowOf, UNLIMITED, type Plan } from '../../model/plan.ts'
import { answer, route, token } from '../../http/route.ts'
import type { Use } from './quota.ts'
import { UsageAnswer, UsageQuery } from './schemas.ts'

export const DEFAULT_DAYS = 31

const getUsage = route({
  method: 'GET',
  path: '/v1/usage',
  id: 'getUsage',
  summary: 'Get usage and remaining quota',
  description: 'Returns the exact daily usage of this key and its account, and the remaining quota.',
  access: token('usage:read'),
  query: UsageQuery,
  replies: { 200: UsageAnswer },
  async run({ caller, query: { days = DEFAULT_DAYS } }, { quota }) {
    const { plan = UNLIMITED } = caller
    const [{ key, account }, today] = await Promise.all([
      quota.usage(caller.accountId, { keyId: caller.keyId, days }),
      quota.checksToday(caller.accountId),
    ])
    const checks = { today, left: plan.checksPerDay === null ? null : Math.max(0, plan.checksPerDay - today) }
    return answer(200, {
      usage: {
        key: { id: caller.keyId, ...shownUse(key), left: leftOf(caller.quota, key), limits: limitsOf(caller.quota) },
        account: { ...shownUse(account), left: leftOf(budgetOf(plan), account), checks, limits: rowOf(plan) },
      },
    })
  },
})

export const routes = [getUsage]

export function shownUse({ days, today, thisMonth }: Use) {
  return { days, today, this_month: thisMonth }
}

function limitsOf({ perMinute, burst, perDay, perMonth }: QuotaLimits) {
  return { per_minute: perMinute, burst, per_day: perDay, per_month: perMonth }
}

function budgetOf({ namesPerDay, namesPerMonth }: Plan) {
  return { perDay: namesPerDay, perMonth: namesPerMonth }
}
