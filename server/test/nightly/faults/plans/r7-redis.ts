/** Redis is emptied, killed and stalled in turn: requests go on, and no budget is overspent. */
import { allDone, figuresOf, kept, noSlower, rawErrors } from './bars.ts'
import { drive, groundOf } from './drive.ts'
import type { Plan } from './plan.ts'
import { within } from '../check/summary.ts'

const CALM = { ci: 10, full: 20 }
const STALL = { ci: 8, full: 20 }
const EACH = { ci: 12, full: 30 }
const WARM = 3

export const plan: Plan = {
  id: 'r7',
  title: 'Redis emptied, killed, stalled',
  async run(stage) {
    const cluster = await stage.cluster()
    const [calm, each, stall] = [CALM[stage.length], EACH[stage.length], STALL[stage.length]]
    const seconds = calm + 3 * each
    const driven = await drive(stage, groundOf(cluster), {
      name: 'r7',
      seconds,
      async faults(clock) {
        await clock.at(calm)
        await cluster.redis.flush()
        await clock.at(calm + each)
        await cluster.redis.kill()
        await clock.at(calm + 2 * each - 1)
        await cluster.redis.restart()
        await clock.at(calm + 2 * each)
        cluster.redis.stall()
        await clock.at(calm + 2 * each + stall)
        cluster.redis.resume()
      },
    })
    const before = within(driven.log, driven.span(WARM, calm))
    const part = (at: number) => within(driven.log, driven.span(calm + at * each, calm + (at + 1) * each))
    return {
      bars: [
        allDone(driven.log),
        rawErrors('attempts that failed', driven.log, 0),
        ...kept(driven.findings),
        noSlower(stage, 'p99 after it was emptied', before, part(0)),
        noSlower(stage, 'p99 while it is dead', before, part(1)),
        noSlower(stage, 'p99 while it is stalled', before, part(2)),
      ],
      figures: [
        figuresOf('calm', before),
        figuresOf('emptied', part(0)),
        figuresOf('killed', part(1)),
        figuresOf('stalled', part(2)),
      ],
      logFile: driven.logFile,
      details: driven.details(),
    }
  },
}
