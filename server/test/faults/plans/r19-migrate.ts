/** R19: the schema changes under load while a read of 30 seconds holds the tables. */
import { openWorld } from '../../world.ts'
import { migrateUnderLoad } from '../migrate/under-load.ts'
import type { Plan } from './plan.ts'

// A statement steps back after two seconds; half a second is for seeing it.
const MAX_WAIT_MS = 2_500

export const plan: Plan = {
  id: 'r19',
  title: 'a migration while a long read holds the tables',
  async run({ length, perSecond }) {
    await using world = await openWorld()
    const holdMs = length === 'full' ? 30_000 : 8_000
    const { calls, errors, longestCallMs, longestWaitMs, applied, tookMs } = await migrateUnderLoad(world, {
      holdMs,
      perSecond,
    })
    return {
      bars: [
        { name: 'errors', wanted: '0', measured: String(errors.length), ok: errors.length === 0, kind: 'safety' },
        {
          name: 'migrations applied',
          wanted: '2',
          measured: String(applied.length),
          ok: applied.length === 2,
          kind: 'safety',
        },
        {
          name: 'longest wait for a lock',
          wanted: `≤ ${MAX_WAIT_MS} ms`,
          measured: `${longestWaitMs.toFixed(0)} ms`,
          ok: longestWaitMs <= MAX_WAIT_MS,
          kind: 'timing',
        },
      ],
      details: errors.slice(0, 20),
      figures: [
        `${calls} calls, the longest took ${longestCallMs.toFixed(0)} ms`,
        `the migration took ${(tookMs / 1000).toFixed(1)} s, ${(holdMs / 1000).toFixed(0)} s of it the read`,
      ],
    }
  },
}
