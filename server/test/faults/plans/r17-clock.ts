/**
 * The clock of one node is wrong: an hour ahead, then an hour behind, in the middle of the load, and in the end a day
 * ahead. Keys, budgets and rates go by the database's time or by durations, so nobody gains and nobody is locked out.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { request, WIDE_QUOTA } from '../../world.ts'
import { within } from '../check/summary.ts'
import { openCluster } from '../cluster/cluster.ts'
import type { Cluster } from '../cluster/cluster.ts'
import { openSkew } from '../steps/skew.ts'
import { allDone, figuresOf, kept, rawErrors, safety } from './bars.ts'
import { drive, groundOf } from './drive.ts'
import type { Bar, Plan } from './plan.ts'

const HOUR = 3_600
const PART = { ci: 10, full: 20 }
const WRONG = 1
// Within a second it has read its clock again (`steps/skew.ts`); the rest is for a machine that is busy.
const NOTICED_MS = 3_000

export const plan: Plan = {
  id: 'r17',
  title: 'the clock of one node is wrong',
  async run(stage) {
    await using stack = new AsyncDisposableStack()
    const folder = await mkdtemp(`${tmpdir()}/namewright-clock-`)
    stack.defer(() => rm(folder, { recursive: true, force: true }))
    const skew = openSkew(folder)
    const cluster = stack.use(await openCluster({ apiNodes: 2, nodeEnv: (index) => (index === WRONG ? skew.env : {}) }))
    const part = PART[stage.length]
    const offsets = [0, HOUR, -HOUR, 0]
    const driven = await drive(stage, groundOf(cluster), {
      name: 'r17',
      seconds: part * offsets.length,
      async faults(clock) {
        for (const [index, offset] of offsets.entries()) {
          await clock.at(index * part)
          skew.set(offset)
        }
      },
    })
    const bars: Bar[] = [
      allDone(driven.log),
      rawErrors('attempts that failed', driven.log, 0.001),
      ...kept(driven.findings),
    ]
    for (const [name, offset] of [
      ['an hour ahead', HOUR],
      ['an hour behind', -HOUR],
      ['a day ahead', 24 * HOUR],
    ] as const) {
      skew.set(offset)
      await sleep(NOTICED_MS)
      bars.push(...(await judgeClock(cluster, name)))
    }
    return {
      bars,
      figures: offsets.map((offset, index) =>
        figuresOf(`clock ${offset} s`, within(driven.log, driven.span(index * part, (index + 1) * part))),
      ),
      logFile: driven.logFile,
      details: driven.details(),
    }
  },
}

/** What a node whose clock is wrong says of keys, budgets and rates, asked directly. */
async function judgeClock(cluster: Cluster, name: string): Promise<Bar[]> {
  const [right, wrong] = [cluster.nodes[0], cluster.nodes[WRONG]]
  if (!right || !wrong) throw new Error('a cluster has nodes')
  const account = await cluster.makeAccount()
  const list = async (key: string) => (await request(wrong.url, '/v1/tlds', { key })).status
  const generate = async (url: string, key: string) =>
    (await request(url, '/v1/generate', { key, body: { description: 'a lamp for readers', count: 1 } })).status

  const inHalfAnHour = new Date(Date.now() + HOUR * 500)
  const { secret: living } = await cluster.makeKey(account, { expiresAt: inHalfAnHour })
  const { secret: ended, id: endedId } = await cluster.makeKey(account, { expiresAt: inHalfAnHour })
  await endKey(cluster.postgres.url(), endedId)
  const limit = 3
  const { secret: poor } = await cluster.makeKey(account, { quota: { ...WIDE_QUOTA, perDay: limit } })
  const granted: number[] = []
  for (let turn = 0; turn < 2 * limit; turn += 1)
    granted.push(await generate(right.url, poor), await generate(wrong.url, poor))
  const spent = granted.filter((status) => status === 200).length
  const burst = 4
  const { secret: slow } = await cluster.makeKey(account, { quota: { ...WIDE_QUOTA, perMinute: 1, burst } })
  const admitted: number[] = []
  for (let turn = 0; turn < 2 * burst; turn += 1) admitted.push(await list(slow))
  const passed = admitted.filter((status) => status === 200).length
  const [livingStatus, endedStatus] = [await list(living), await list(ended)]
  return [
    safety(`${name}: a key that ends in half an hour`, '200', livingStatus, livingStatus === 200),
    safety(`${name}: a key that ended half an hour ago`, '401', endedStatus, endedStatus === 401),
    safety(`${name}: units of a budget of ${limit}`, String(limit), spent, spent === limit),
    safety(`${name}: requests of a burst of ${burst}`, `${burst}`, passed, passed === burst),
  ]
}

/** Half an hour ago, by the database's clock. */
async function endKey(url: string, id: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(`UPDATE api_key SET expires_at = now() - interval '30 minutes' WHERE id = $1`, [id])
  await client.end()
}
