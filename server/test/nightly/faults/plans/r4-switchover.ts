/** The primary is handed over on purpose, as for an upgrade of its machine. */
import { allDone, doneWithin, figuresOf, kept, outageIn, rawErrors } from './bars.ts'
import { drive, groundOf } from './drive.ts'
import type { Plan } from './plan.ts'
import { ofKinds, within } from '../check/summary.ts'

const CALM = { ci: 10, full: 20 }
const AFTER = { ci: 20, full: 40 }

export const plan: Plan = {
  id: 'r4',
  title: 'planned switchover of PostgreSQL',
  async run(stage) {
    const cluster = await stage.cluster()
    const [calm, after] = [CALM[stage.length], AFTER[stage.length]]
    const seconds = calm + after
    const driven = await drive(stage, groundOf(cluster), {
      name: 'r4',
      seconds,
      async faults(clock) {
        await clock.at(calm)
        await cluster.postgres.switchover()
      },
      afterwards: () => cluster.postgres.healthy(),
    })
    const during = within(driven.log, driven.span(calm, seconds))
    return {
      bars: [
        allDone(driven.log),
        rawErrors('attempts to read that failed', ofKinds(during, 'read'), 0.003),
        ...kept(driven.findings),
        doneWithin('slowest operation', during, 15_000),
      ],
      figures: [
        figuresOf('calm', within(driven.log, driven.span(3, calm))),
        figuresOf('generate', ofKinds(during, 'generate')),
        figuresOf('favorite', ofKinds(during, 'favorite')),
        figuresOf('read', ofKinds(during, 'read')),
        outageIn(ofKinds(driven.log, 'generate', 'favorite'), ofKinds(during, 'generate', 'favorite')),
      ],
      logFile: driven.logFile,
      details: driven.details(),
    }
  },
}
