/**
 * Cables are cut, one at a time: between one node and PostgreSQL, between it and Redis, in one direction only, and
 * between the member that accepts writes and etcd. Packets vanish without an error.
 *
 * The cluster is one of the plan's own, whose nodes and first member have network namespaces. Needs root.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { request } from '../../../world.ts'
import { within } from '../check/summary.ts'
import { openCluster } from '../cluster/cluster.ts'
import type { Cluster } from '../cluster/cluster.ts'
import { allDone, figuresOf, kept, rawErrors, safety, timing } from './bars.ts'
import { drive, groundOf } from './drive.ts'
import type { Plan } from './plan.ts'

const CALM = 10
const CUT = { ci: 8, full: 15 }
// Longer than a primary's lease, so that another takes over meanwhile.
const CUT_FROM_ETCD = 30
const REST = 8
const MAX_PER_SECOND = 60
// A node that is cut off must be whole again soon after; the rest is for a machine that is busy.
const WHOLE_WITHIN_MS = 5_000
// Each attempt at a node that has lost its database costs its caller a moment, until the node has noticed and HAProxy routes
// elsewhere. By then it must have.
const LEFT_AFTER = 6
const RAW_ERRORS = 0.02

export const plan: Plan = {
  id: 'r15',
  title: 'partition: node and PostgreSQL, node and Redis, one way, primary and etcd',
  async run(stage) {
    await using cluster = await openCluster({ apiNodes: 2, apart: true })
    if ((await cluster.postgres.primary()) !== 0) await cluster.postgres.switchover()
    const [node, place, member] = [cluster.nodes[0], cluster.places.nodes[0], cluster.places.members[0]]
    if (!node || !place || !member) throw new Error('a cluster has nodes and members')
    const { primary, standby, redis, etcd } = cluster.ports
    const cut = CUT[stage.length]
    const steps = [
      { name: 'PostgreSQL', ports: [primary, standby], way: 'both' },
      { name: 'Redis', ports: redis, way: 'both' },
      { name: 'PostgreSQL, answers only', ports: [primary, standby], way: 'in' },
    ] as const
    const each = cut + REST
    const etcdAt = CALM + steps.length * each
    const seconds = etcdAt + CUT_FROM_ETCD + REST
    const wholeAfter: { name: string; ms: number }[] = []
    const { secret } = await cluster.makeKey(await cluster.makeAccount())
    let writers = { rounds: 0, both: 0, other: 0 }

    const driven = await drive(stage, groundOf(cluster), {
      name: 'r15',
      seconds,
      // Half of the nodes carry it.
      perSecond: Math.min(stage.perSecond, MAX_PER_SECOND),
      async faults(clock) {
        for (const [index, { name, ports, way }] of steps.entries()) {
          await clock.at(CALM + index * each)
          stage.say(`node 0 is cut from ${name}`)
          await place.cut(ports, way)
          await clock.at(CALM + index * each + cut)
          await place.heal()
          wholeAfter.push({ name, ms: await wholeAgain(node.url, secret) })
        }
        await clock.at(etcdAt)
        stage.say('the primary is cut from etcd')
        await member.cut([etcd], 'both')
        writers = await watchWriters(cluster, CUT_FROM_ETCD)
        await member.heal()
      },
      afterwards: () => cluster.postgres.healthy(),
    })
    const slowest = Math.max(...wholeAfter.map(({ ms }) => ms))
    const left = steps.flatMap((_, index) => {
      const cutAt = CALM + index * each
      return within(driven.log, driven.span(cutAt + LEFT_AFTER, cutAt + cut))
    })
    return {
      bars: [
        allDone(driven.log),
        ...kept(driven.findings),
        safety('moments at which both members took a write', '0', writers.both, writers.both === 0),
        safety('moments at which the other had taken over', '> 0', writers.other, writers.other > 0),
        rawErrors(`attempts that failed from ${LEFT_AFTER} s after a cut`, left, RAW_ERRORS),
        timing(
          'a node whole again after the cut',
          `≤ ${WHOLE_WITHIN_MS} ms`,
          `${slowest} ms`,
          slowest <= WHOLE_WITHIN_MS,
        ),
      ],
      figures: [
        ...wholeAfter.map(({ name, ms }) => `whole again after ${name}: ${ms} ms`),
        figuresOf('calm', within(driven.log, driven.span(3, CALM))),
        ...steps.map(({ name }, index) =>
          figuresOf(
            `cut from ${name}`,
            within(driven.log, driven.span(CALM + index * each, CALM + index * each + cut)),
          ),
        ),
        figuresOf('primary cut from etcd', within(driven.log, driven.span(etcdAt, etcdAt + CUT_FROM_ETCD))),
        `writers looked at ${writers.rounds} times`,
      ],
      logFile: driven.logFile,
      details: driven.details(),
    }
  },
}

/** Until the node finds its database and Redis again and answers for both, asked directly. */
async function wholeAgain(url: string, key: string): Promise<number> {
  const began = performance.now()
  while (performance.now() - began < 60_000) {
    try {
      const ready = await request(url, '/readyz', {})
      const { database, redis } = ready.json.checks as { database: string; redis: string }
      const history = await request(url, '/v1/history', { key })
      if (database === 'ok' && redis === 'ok' && history.status === 200) break
    } catch {
      // Not yet.
    }
    await sleep(100)
  }
  return Math.round(performance.now() - began)
}

/** Which members take a write, asked of both at the same moment and again and again. */
async function watchWriters(cluster: Cluster, seconds: number) {
  const found = { rounds: 0, both: 0, other: 0 }
  const end = performance.now() + seconds * 1000
  while (performance.now() < end) {
    const [first, second] = await Promise.all([0, 1].map((index) => takesWrite(cluster.postgres.memberUrl(index))))
    found.rounds += 1
    if (first && second) found.both += 1
    if (!first && second) found.other += 1
    await sleep(200)
  }
  return found
}

async function takesWrite(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1_000, query_timeout: 1_500 })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('CREATE TABLE IF NOT EXISTS public.written (at timestamptz)')
    await client.query('INSERT INTO public.written VALUES (clock_timestamp())')
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}
