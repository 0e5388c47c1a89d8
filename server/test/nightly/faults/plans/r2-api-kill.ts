/** One API node after the other is killed and comes back; callers must not notice but by waiting a little. */
import { allDone, doneWithin, figuresOf, kept, noSlower, rawErrors } from './bars.ts'
import { drive, groundOf } from './drive.ts'
import type { Plan } from './plan.ts'
import { within } from '../check/summary.ts'

const CALM = { ci: 10, full: 20 }
const KILLS = { ci: 4, full: 6 }
const EVERY = { ci: 8, full: 10 }
// The first seconds warm up code and connections.
const WARM = 3

export const plan: Plan = {
  id: 'r2',
  title: 'API nodes killed one after the other',
  async run(stage) {
    const cluster = await stage.cluster()
    const [calm, kills, every] = [CALM[stage.length], KILLS[stage.length], EVERY[stage.length]]
    const seconds = calm + kills * every
    const driven = await drive(stage, groundOf(cluster), {
      name: 'r2',
      seconds,
      async faults(clock) {
        for (let kill = 0; kill < kills; kill++) {
          await clock.at(calm + kill * every)
          const node = cluster.nodes[kill % cluster.nodes.length]
          await node?.kill()
          await node?.start()
        }
      },
    })
    const before = within(driven.log, driven.span(WARM, calm))
    const during = within(driven.log, driven.span(calm, seconds))
    return {
      bars: [
        allDone(driven.log),
        rawErrors('attempts that failed', driven.log, 0),
        ...kept(driven.findings),
        noSlower(stage, 'p99 while nodes die', before, during),
        doneWithin('slowest operation', during, 10_000),
      ],
      figures: [figuresOf('calm', before), figuresOf(`${kills} kills`, during)],
      logFile: driven.logFile,
      details: driven.details(),
    }
  },
}
