/**
 * Many callers race for the budget of one key while nodes die: never more than the limit, and in the end exactly it.
 *
 * What a dead node had in hand is hidden until its block is closed. That takes eleven minutes; here the test
 * moves the block's times into the past.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { WIDE_QUOTA } from '../../../world.ts'
import { blockName, type Caller, openCache, periodsOf } from '../../../source.ts'
import { gatherFacts } from '../check/facts.ts'
import { judge } from '../check/judge.ts'
import { describe, summarize } from '../check/summary.ts'
import type { Cluster } from '../cluster/cluster.ts'
import type { Operation } from '../load/log.ts'
import { fireVolley, generateOnce } from '../load/volley.ts'
import { kept, safety } from './bars.ts'
import type { Plan } from './plan.ts'
import { REDIS_TIMEOUT_MS } from '../../../redis.ts'

const CALLERS = 64
const LIMIT = { ci: 400, full: 1_000 }
const CALLS = { ci: 1_500, full: 5_000 }
const KILLS = { ci: 2, full: 3 }
// A caller waits for a node to come back, not for ever.
const PATIENCE = { budgetMs: 60_000, attemptMs: 15_000 }

export const plan: Plan = {
  id: 'r13',
  title: 'a race for the budget of one key while nodes die',
  async run(stage) {
    const cluster = await stage.cluster()
    const [limit, calls, kills] = [LIMIT[stage.length], CALLS[stage.length], KILLS[stage.length]]
    const account = await cluster.makeAccount()
    const key = await cluster.makeKey(account, { quota: { ...WIDE_QUOTA, perDay: limit } })
    let op = 0
    const next = (upTo: number) => () => {
      if (op >= upTo) return undefined
      const idempotencyKey = `race-${op}`
      const mark = `a tea house on wheels, order ${op}`
      return generateOnce({ op: op++, account, key, idempotencyKey, mark })
    }
    const alone = { urls: [cluster.url], callers: 1, patience: PATIENCE }
    const racing = fireVolley({ ...alone, callers: CALLERS, next: next(calls) })
    await Promise.all([racing, killWhileSpending(cluster, key.id, { limit, kills })])
    const raced = await racing
    await endLeases(cluster, { accountId: account, keyId: key.id })
    const rest = await spendTheRest(() => fireVolley({ ...alone, next: next(op + 1) }), limit)
    const log = [...raced, ...rest]
    const facts = await gatherFacts(cluster.postgres.url(), [account])
    const [inRace, inAll] = [unitsOf(raced), unitsOf(log)]
    const all = summarize(log)
    const least = limit - kills * CALLERS
    return {
      bars: [
        safety('units granted in the race', `${least} … ${limit}`, inRace, inRace <= limit && inRace >= least),
        safety('units granted when the leases are over', String(limit), inAll, inAll === limit),
        safety('calls that failed after retries', '0', all.failed, all.failed === 0),
        ...kept(judge(log, facts)),
      ],
      figures: [`${calls} calls by ${CALLERS} callers, ${kills} kills, ${summarize(raced).rawErrors} raw errors`],
      details: log
        .filter(({ end }) => end?.end !== 'done' && end?.code !== 'quota_exceeded')
        .slice(0, 10)
        .map((one) => describe(one, raced[0]?.intended ?? 0)),
    }
  },
}

/** A request that found no name in time is a success that costs nothing. */
function unitsOf(log: readonly Operation[]): number {
  return log.reduce((sum, { end }) => sum + (end?.suggestions ?? 0), 0)
}

// Longer than a node remembers that nothing was left.
const NOTHING_LEFT_MS = 2_000

async function spendTheRest(spendOne: () => Promise<Operation[]>, most: number): Promise<Operation[]> {
  const spent: Operation[] = []
  let grantedAt = Date.now()
  while (Date.now() < grantedAt + NOTHING_LEFT_MS && spent.length < 2 * most) {
    const one = await spendOne()
    spent.push(...one)
    if (one[0]?.end?.end === 'done') grantedAt = Date.now()
    else await sleep(100)
  }
  return spent
}

/** Each kill falls between two parts of the budget, so that there is something in hand. */
async function killWhileSpending(cluster: Cluster, key: string, { limit, kills }: { limit: number; kills: number }) {
  const client = new pg.Client(cluster.postgres.url())
  await client.connect()
  try {
    for (let kill = 0; kill < kills; kill++) {
      const wanted = (limit * (kill + 1)) / (kills + 2)
      const giveUpAt = Date.now() + 60_000
      while ((await usedBy(client, key)) < wanted && Date.now() < giveUpAt) {
        await sleep(20)
      }
      const node = cluster.nodes[kill % cluster.nodes.length]
      await node?.kill()
      await node?.start()
    }
  } finally {
    await client.end()
  }
}

async function usedBy(client: pg.Client, key: string): Promise<number> {
  const text = 'SELECT coalesce(sum(used), 0)::int AS used FROM quota_block WHERE key_id = $1'
  return (await client.query<{ used: number }>(text, [key])).rows[0]?.used ?? 0
}

async function endLeases(cluster: Cluster, credential: Pick<Caller, 'accountId' | 'keyId'>): Promise<void> {
  const client = new pg.Client(cluster.postgres.url())
  await client.connect()
  await client.query(
    `UPDATE quota_block SET lease_until = now() - interval '2 seconds', settle_by = now() - interval '1 second'
     WHERE key_id = $1`,
    [credential.keyId],
  )
  await client.end()
  const cache = await openCache({ urls: [cluster.redis.url], timeoutMs: REDIS_TIMEOUT_MS })
  await cache.run(`redis.call('DEL', KEYS[1]) return {}`, [blockName(credential, periodsOf(Date.now()).day)], [])
  await cache.close()
}
