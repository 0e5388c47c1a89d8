/**
 * The proof of the checker: a cluster that is set up to lose writes must be seen to lose them.
 *
 * Replication is asynchronous, the member that follows has stopped listening, and the primary crashes: what it had
 * acknowledged meanwhile is nowhere else. What the kernel still holds for the one that follows is thrown away with its
 * receiver, as it would be with the network.
 */
import pg from 'pg'
import { openCluster } from '../cluster/cluster.ts'
import { figuresOf, safety } from './bars.ts'
import { drive, groundOf } from './drive.ts'
import type { Plan } from './plan.ts'

// Few enough that Patroni still takes the one that follows for recent enough to promote.
const PER_SECOND = 10
const STALL_AT = 8
const CRASH_AT = 11
const SECONDS = 20

export const plan: Plan = {
  id: 'r6',
  title: 'asynchronous replication loses acknowledged writes, and the checker sees it',
  async run(stage) {
    await using cluster = await openCluster({ apiNodes: 2, replication: 'asynchronous' })
    await cluster.postgres.healthy()
    const crashed = { index: 0 }
    const driven = await drive(stage, groundOf(cluster), {
      name: 'r6',
      seconds: SECONDS,
      perSecond: PER_SECOND,
      mix: { generate: 20, favorite: 80, read: 0 },
      settleSeconds: 90,
      async faults(clock) {
        await clock.at(STALL_AT)
        crashed.index = await cluster.postgres.primary()
        const receiver = await receiverOf(cluster.postgres.memberUrl(1 - crashed.index))
        cluster.postgres.stallReceiver()
        await clock.at(CRASH_AT)
        await cluster.postgres.crash(crashed.index)
        process.kill(receiver, 'SIGKILL')
      },
    })
    const lost = driven.findings.filter(({ kind }) => kind === 'lost')
    return {
      bars: [
        safety('lost writes that the checker found', '≥ 1', lost.length, lost.length >= 1),
        safety(
          'of them acknowledged while nobody followed',
          'all',
          lost.filter(({ operation }) => isBetween(operation?.end?.ended ?? 0, driven.span(STALL_AT - 1, CRASH_AT + 2)))
            .length,
          lost.every(({ operation }) => isBetween(operation?.end?.ended ?? 0, driven.span(STALL_AT - 1, CRASH_AT + 2))),
        ),
      ],
      figures: [
        figuresOf('all', driven.log),
        `findings: ${[...Map.groupBy(driven.findings, ({ kind }) => kind)].map(([kind, list]) => `${kind} ${list.length}`).join(', ')}`,
      ],
      logFile: driven.logFile,
      details: driven.details(),
    }
  },
}

function isBetween(at: number, { from, until }: { from: number; until: number }): boolean {
  return at >= from && at < until
}

async function receiverOf(memberUrl: string): Promise<number> {
  const client = new pg.Client(memberUrl)
  await client.connect()
  const { rows } = await client.query<{ pid: number }>('SELECT pid FROM pg_stat_wal_receiver')
  await client.end()
  const [row] = rows
  if (!row) throw new Error('nobody receives')
  return row.pid
}
