/**
 * Many Idempotency-Keys, five calls each at once, half of all calls with another body, and a node that dies.
 *
 * Of a key one body wins and has one effect; every call with it gets the same text; every call with the other body is
 * refused because they differ.
 */
import { gatherFacts } from '../check/facts.ts'
import { describe } from '../check/summary.ts'
import type { Operation } from '../load/log.ts'
import { fireVolley, generateOnce } from '../load/volley.ts'
import { safety } from './bars.ts'
import type { Plan } from './plan.ts'

const KEYS = { ci: 200, full: 1_000 }
const CALLS = 5
const CALLERS = 40
const PATIENCE = { budgetMs: 60_000, attemptMs: 15_000 }

export const plan: Plan = {
  id: 'r14',
  title: 'a race for Idempotency-Keys while a node dies',
  async run(stage) {
    const cluster = await stage.cluster()
    const keys = KEYS[stage.length]
    const account = await cluster.makeAccount()
    const key = await cluster.makeKey(account)
    let op = 0
    let killing: Promise<void> | undefined
    const kill = async () => {
      await cluster.nodes[1]?.kill()
      await cluster.nodes[1]?.start()
    }
    const next = () => {
      if (op >= keys * CALLS) return undefined
      const [n, i] = [Math.floor(op / CALLS), op % CALLS]
      if (n === Math.floor(keys / 2)) killing ??= kill()
      const idempotencyKey = `once-${n}`
      const mark = `a bakery number ${n}, ${(n + i) % 2 === 0 ? 'bread' : 'cake'}`
      return generateOnce({ op: op++, account, key, idempotencyKey, mark })
    }
    const log = await fireVolley({ urls: [cluster.url], callers: CALLERS, patience: PATIENCE, next })
    await killing
    const facts = await gatherFacts(cluster.postgres.url(), [account])
    const used = facts.budgets.reduce((sum, budget) => sum + budget.used, 0)
    const wrong = [...Map.groupBy(log, ({ idempotencyKey }) => idempotencyKey).values()].filter(
      (ofKey) => !isRight(ofKey),
    )
    return {
      bars: [
        safety('keys that were answered otherwise than promised', '0', wrong.length, wrong.length === 0),
        safety('effects', String(keys), facts.history.length, facts.history.length === keys),
        safety('stored answers', String(keys), facts.answers.length, facts.answers.length === keys),
        safety('units spent', String(keys), used, used === keys),
      ],
      figures: [`${keys} keys, ${log.length} calls`],
      details: wrong
        .flat()
        .slice(0, 15)
        .map((one) => `${one.idempotencyKey} ${describe(one, log[0]?.intended ?? 0)}`),
    }
  },
}

function isRight(ofKey: readonly Operation[]): boolean {
  const won = ofKey.filter(({ end }) => end?.end === 'done')
  const lost = ofKey.filter(({ end }) => end?.code === 'idempotency_mismatch')
  const [first] = won
  return (
    first !== undefined &&
    won.length + lost.length === ofKey.length &&
    won.every(({ mark, end }) => mark === first.mark && end?.hash === first.end?.hash) &&
    lost.every(({ mark }) => mark !== first.mark)
  )
}
