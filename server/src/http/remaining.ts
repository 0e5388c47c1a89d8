/**
 * The remaining budgets of a key and its account, for keys without a recent lease in Redis. They are read from the
 * ledger, after the work, and cached for a short time, so that a key that only reads does not cost a statement with
 * every response.
 *
 * Must never fail and never delay a response because of the database: then the headers omit the budgets.
 */
import { LRUCache } from 'lru-cache'
import type { Context } from '../context.ts'
import type { KeyId } from '../model/caller.ts'
import type { Pass } from '../features/quota/quota.ts'
import { leftOf } from '../features/quota/quota.ts'
import type { Session } from './auth.ts'

const KEPT_MS = 10_000
const MAX_KEPT = 10_000

type Budgets = Pick<Pass, 'budget' | 'account'>

export function createRemaining(ctx: Pick<Context, 'quota' | 'db' | 'now'>): (session: Session) => Promise<void> {
  const kept = new LRUCache<KeyId, { readonly budgets: Budgets; readonly until: number }>({ max: MAX_KEPT })

  async function read({ caller, pass, spent }: Session): Promise<Budgets> {
    const { accountId, keyId, quota, plan } = caller
    const known = kept.get(keyId)
    if (known && spent === 0 && ctx.now() < known.until) return known.budgets
    const used = await ctx.quota.usage(accountId, { keyId, days: 1 })
    const ofPlan = { perDay: plan?.namesPerDay ?? null, perMonth: plan?.namesPerMonth ?? null }
    // The ledger already includes what this request has used, and writing the headers subtracts it once more.
    const budgetOf = ({ day, month }: ReturnType<typeof leftOf>) => ({
      ...(day === null ? {} : { day: day + spent }),
      ...(month === null ? {} : { month: month + spent }),
    })
    const account = { ...pass.account, budget: budgetOf(leftOf(ofPlan, used.account)) }
    const budgets = { budget: budgetOf(leftOf(quota, used.key)), account }
    if (spent === 0) kept.set(keyId, { budgets, until: ctx.now() + KEPT_MS })
    return budgets
  }

  return async (session) => {
    const { caller, pass } = session
    const { perDay, perMonth } = caller.quota
    const limits = [perDay, perMonth, caller.plan?.namesPerDay ?? null, caller.plan?.namesPerMonth ?? null]
    if (pass.budget || limits.every((limit) => limit === null) || ctx.db.isPrimaryDown()) return
    const budgets = await read(session).catch(() => undefined)
    if (budgets) session.pass = { ...pass, ...budgets }
  }
}
