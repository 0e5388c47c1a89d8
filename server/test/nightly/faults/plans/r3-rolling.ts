/** Nodes are ended politely and started again, one after the other, as an upgrade does it: nobody notices. */
import { allDone, figuresOf, kept, noSlower, rawErrors, timing } from './bars.ts'
import { drive, groundOf } from './drive.ts'
import type { Plan } from './plan.ts'
import { strandedUnits } from './units-left.ts'
import { within } from '../check/summary.ts'

const CALM = { ci: 8, full: 20 }
const ROUNDS = { ci: 2, full: 6 }
const EVERY = { ci: 12, full: 15 }
const WARM = 3

export const plan: Plan = {
  id: 'r3',
  title: 'rolling restart',
  async run(stage) {
    const cluster = await stage.cluster()
    const [calm, rounds, every] = [CALM[stage.length], ROUNDS[stage.length], EVERY[stage.length]]
    const seconds = calm + rounds * every
    const driven = await drive(stage, groundOf(cluster), {
      name: 'r3',
      seconds,
      async faults(clock) {
        for (let round = 0; round < rounds; round++) {
          await clock.at(calm + round * every)
          const node = cluster.nodes[round % cluster.nodes.length]
          await node?.term()
          await node?.start()
        }
      },
    })
    const before = within(driven.log, driven.span(WARM, calm))
    const during = within(driven.log, driven.span(calm, seconds))
    const stranded = await strandedUnits(driven.facts, cluster.redis.url)
    return {
      bars: [
        allDone(driven.log),
        rawErrors('attempts that failed', driven.log, 0),
        ...kept(driven.findings),
        // A command to Redis that took too long on a busy machine hides its units as well.
        timing('units that no node gave back', '0', stranded.units, stranded.units === 0),
        noSlower(stage, 'p99 while nodes are replaced', before, during),
      ],
      figures: [figuresOf('calm', before), figuresOf(`${rounds} restarts`, during)],
      logFile: driven.logFile,
      details: driven.details(),
    }
  },
}
