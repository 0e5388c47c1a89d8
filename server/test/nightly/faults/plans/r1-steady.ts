/** Nothing is broken: nothing fails. */
import { allDone, doneWithin, figuresOf, kept, rawErrors } from './bars.ts'
import { drive, groundOf } from './drive.ts'
import type { Plan } from './plan.ts'

export const plan: Plan = {
  id: 'r1',
  title: 'steady load',
  async run(stage) {
    const cluster = await stage.cluster()
    const seconds = stage.length === 'ci' ? 25 : 60
    const driven = await drive(stage, groundOf(cluster), { name: 'r1', seconds })
    return {
      bars: [
        allDone(driven.log),
        rawErrors('attempts that failed', driven.log, 0),
        ...kept(driven.findings),
        // Only against a standstill: there is nothing to compare a calm run with.
        doneWithin('slowest operation', driven.log, 5_000),
      ],
      figures: [figuresOf('all', driven.log)],
      logFile: driven.logFile,
      details: driven.details(),
    }
  },
}
