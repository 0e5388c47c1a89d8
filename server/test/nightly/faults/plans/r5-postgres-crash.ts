/**
 * The machine of the primary is gone. Until another is primary, reading goes on from the one that follows, and what must
 * write is refused, so that its callers send it again with the same key.
 */
import { allDone, doneWithin, figuresOf, kept, noneOutOfQuota, noSlower, outageIn, rawErrors, timing } from './bars.ts'
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
// More than any key spends, so that whoever is told that it is used up is told wrong.
const KEYS = { accounts: 4, keysEach: 2, budget: 1_000_000 }

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
      keys: KEYS,
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
    const [calmReads, reads] = [before, during].map((log) => ofKinds(log, 'read'))
    const [allWrites, writes] = [driven.log, during].map((log) => ofKinds(log, 'generate', 'favorite'))
    const stranded = await strandedUnits(driven.facts, cluster.redis.url)
    return {
      bars: [
        allDone(driven.log),
        noneOutOfQuota(driven.log),
        rawErrors('attempts to read that failed', ofKinds(driven.log, 'read'), RAW_SHARE[stage.length]),
        ...kept(driven.findings),
        noSlower(stage, 'p99 of reads meanwhile', calmReads ?? [], reads ?? []),
        doneWithin('slowest write', writes ?? [], PATIENCE_MS),
        timing('units that are hidden until their block closes', 'told', stranded.units, true),
      ],
      figures: [
        figuresOf('calm', before),
        figuresOf('generate', ofKinds(during, 'generate')),
        figuresOf('favorite', ofKinds(during, 'favorite')),
        figuresOf('read', reads ?? []),
        outageIn(allWrites ?? [], writes ?? []),
      ],
      logFile: driven.logFile,
      details: driven.details(),
    }
  },
}
