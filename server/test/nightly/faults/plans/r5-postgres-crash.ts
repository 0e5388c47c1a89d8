/**
 * The machine of the primary is gone. Until another is primary, reading goes on from the one that follows, generating
 * on leased units with a journal, and favorites wait at their callers.
 */
import { allDone, doneWithin, figuresOf, kept, noSlower, rawErrors, timing } from './bars.ts'
import { drive, groundOf } from './drive.ts'
import type { Plan } from './plan.ts'
import { strandedUnits } from './units-left.ts'
import { ofKinds, within } from '../check/summary.ts'

const CRASH_AT = { ci: 15, full: 30 }
const SECONDS = { ci: 60, full: 120 }
// What is being committed at the moment of the crash fails once: in a short run that is a larger part of the whole.
const RAW_SHARE = { ci: 0.02, full: 0.001 }
const WARM = 3
const PATIENCE_MS = 30_000

export const plan: Plan = {
  id: 'r5',
  title: 'crash of the primary of PostgreSQL',
  async run(stage) {
    const cluster = await stage.cluster()
    const [crashAt, seconds] = [CRASH_AT[stage.length], SECONDS[stage.length]]
    const crashed = { index: 0 }
    const driven = await drive(stage, groundOf(cluster), {
      name: 'r5',
      seconds,
      async faults(clock) {
        await clock.at(crashAt)
        await cluster.postgres.healthy()
        crashed.index = await cluster.postgres.primary()
        await cluster.postgres.crash(crashed.index)
      },
      async afterwards() {
        await cluster.postgres.revive(crashed.index)
        await cluster.postgres.healthy()
      },
    })
    const before = within(driven.log, driven.span(WARM, crashAt))
    const during = within(driven.log, driven.span(crashAt, seconds))
    const [calmServing, serving] = [before, during].map((log) => ofKinds(log, 'generate', 'read'))
    const favorites = ofKinds(during, 'favorite')
    const stranded = await strandedUnits(driven.facts, cluster.redis.url)
    return {
      bars: [
        allDone(ofKinds(driven.log, 'generate', 'read'), 'generations and reads that failed after retries'),
        allDone(ofKinds(driven.log, 'favorite'), 'favorites that failed after retries'),
        rawErrors(
          'attempts to generate or read that failed',
          ofKinds(driven.log, 'generate', 'read'),
          RAW_SHARE[stage.length],
        ),
        ...kept(driven.findings),
        noSlower(stage, 'p99 of generate and reads meanwhile', calmServing ?? [], serving ?? []),
        doneWithin('slowest favorite', favorites, PATIENCE_MS),
        timing('units that are hidden until their block closes', 'told', stranded.units, true),
      ],
      figures: [
        figuresOf('calm', before),
        figuresOf('generate', ofKinds(during, 'generate')),
        figuresOf('favorite', favorites),
        figuresOf('read', ofKinds(during, 'read')),
      ],
      logFile: driven.logFile,
      details: driven.details(),
    }
  },
}
