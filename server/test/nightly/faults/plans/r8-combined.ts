/**
 * Everything at once, for ten minutes: an API node dies every 20 seconds, the primary of PostgreSQL crashes, Redis is
 * emptied and killed, and every node is replaced, while callers go on.
 */
import { allDone, doneWithin, figuresOf, kept, percent, rawErrors, safety, timing } from './bars.ts'
import { drive, groundOf } from './drive.ts'
import type { Clock } from './drive.ts'
import type { Plan } from './plan.ts'
import { isFailed, ofKinds, summarize, within } from '../check/summary.ts'
import type { Cluster } from '../cluster/cluster.ts'

/** Of the whole, so that a shorter run has everything too. */
const CRASH_AT = 0.3
const REVIVE_AT = 0.45
const FLUSH_AT = 0.5
const REDIS_KILL_AT = 0.7
const ROLLING_AT = 500 / 600
const SECONDS = { ci: 120, full: 600 }
const KILL_EVERY = 20
// A crash of the primary is noticed after ten to twenty seconds.
const FAILOVER = 30
const WARM = 5
const PATIENCE_MS = 30_000

export const plan: Plan = {
  id: 'r8',
  title: 'all faults together',
  async run(stage) {
    const cluster = await stage.cluster()
    const seconds = SECONDS[stage.length]
    const driven = await drive(stage, groundOf(cluster), {
      name: 'r8',
      seconds,
      // Roughly what a key gets in that time, so that some run out.
      keys: { accounts: 8, keysEach: 2, budget: seconds * 8 },
      faults: async (clock) => {
        await Promise.all([killNodes(cluster, clock, seconds), breakStores(cluster, clock, seconds)])
      },
      afterwards: () => cluster.postgres.healthy(),
    })
    const outside = [
      ...within(driven.log, driven.span(WARM, seconds * CRASH_AT)),
      ...within(driven.log, driven.span(seconds * CRASH_AT + FAILOVER, seconds)),
    ]
    const serving = ofKinds(driven.log, 'generate', 'read')
    const failedShare = serving.filter(isFailed).length / Math.max(1, serving.length)
    const calm = within(driven.log, driven.span(WARM, KILL_EVERY))
    const most = Math.round(summarize(calm).p99Ms * 2.5 + 100)
    const { p99Ms } = summarize(outside)
    return {
      bars: [
        safety('generations and reads that failed after retries', '< 0.1 %', percent(failedShare), failedShare < 0.001),
        rawErrors('attempts to read that failed', ofKinds(driven.log, 'read'), 0.001),
        allDone(ofKinds(driven.log, 'favorite'), 'favorites that failed after retries'),
        doneWithin('slowest write', ofKinds(driven.log, 'generate', 'favorite'), PATIENCE_MS),
        ...kept(driven.findings),
        timing(
          'p99 outside of the failover',
          `≤ ${most} ms (first 20 s ${summarize(calm).p99Ms})`,
          `${p99Ms} ms`,
          p99Ms <= most,
        ),
      ],
      figures: [
        `${seconds} s at ${stage.perSecond} operations a second`,
        figuresOf('all', driven.log),
        figuresOf('generate', ofKinds(driven.log, 'generate')),
        figuresOf('favorite', ofKinds(driven.log, 'favorite')),
        figuresOf('read', ofKinds(driven.log, 'read')),
        figuresOf('outside of the failover', outside),
      ],
      logFile: driven.logFile,
      details: driven.details(),
    }
  },
}

async function killNodes(cluster: Cluster, clock: Clock, seconds: number): Promise<void> {
  const rollingAt = seconds * ROLLING_AT
  for (let kill = 1; kill * KILL_EVERY < rollingAt - KILL_EVERY / 2; kill++) {
    await clock.at(kill * KILL_EVERY)
    const node = cluster.nodes[kill % cluster.nodes.length]
    await node?.kill()
    await node?.start()
  }
  await clock.at(rollingAt)
  for (const node of cluster.nodes) {
    await node.term()
    await node.start()
  }
}

async function breakStores(cluster: Cluster, clock: Clock, seconds: number): Promise<void> {
  await clock.at(seconds * CRASH_AT)
  const primary = await cluster.postgres.primary()
  await cluster.postgres.crash(primary)
  await clock.at(Math.max(seconds * REVIVE_AT, seconds * CRASH_AT + FAILOVER))
  await cluster.postgres.revive(primary)
  await clock.at(seconds * FLUSH_AT)
  await cluster.redis.flush()
  await clock.at(seconds * REDIS_KILL_AT)
  await cluster.redis.kill()
  await clock.at(seconds * REDIS_KILL_AT + 15)
  await cluster.redis.restart()
}
