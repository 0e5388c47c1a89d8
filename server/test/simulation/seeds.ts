/**
 * Many seeds of a scenario, and what is said of one that fails: the fewest steps after which it does, how to play it
 * again, and everything that happened.
 *
 * `SIMULATION_SEED` plays that one alone; `SIMULATION_TIMES` plays so many times as many, for a night.
 */
import { expect } from 'vitest'
import { play } from './world.ts'
import type { Plant, ScenarioSpec } from './world.ts'

/** Of anything that may happen; what is then still under way runs to its end. */
export const STEPS = 200

export async function playSeeds(file: string, makeSpec: () => ScenarioSpec, seeds: number): Promise<void> {
  const { SIMULATION_SEED: one, SIMULATION_TIMES: times = '1' } = process.env
  const [first, last] = one === undefined ? [1, seeds * Number(times)] : [Number(one), Number(one)]
  for (let seed = first; seed <= last; seed++) {
    const { broken } = await play(makeSpec, seed, STEPS)
    if (broken !== undefined) expect.fail(await describeFailure(file, makeSpec, seed))
  }
}

/** The first of these seeds that finds the mistake; undefined when none does. */
export async function findMistake(makeSpec: () => ScenarioSpec, plant: Plant, seeds: number) {
  for (let seed = 1; seed <= seeds; seed++) {
    const { broken } = await play(makeSpec, seed, STEPS, plant)
    if (broken !== undefined) return { seed, broken }
  }
  return undefined
}

/** The same seed with fewer steps begins in the same way. */
async function describeFailure(file: string, makeSpec: () => ScenarioSpec, seed: number): Promise<string> {
  for (let steps = 1; ; steps++) {
    const { broken, trace } = await play(makeSpec, seed, steps)
    if (broken === undefined && steps < STEPS) continue
    return [
      `seed ${seed} after ${steps} steps: ${broken}`,
      `SIMULATION_SEED=${seed} pnpm exec vitest run server/test/simulation/${file}`,
      ...trace,
    ].join('\n')
  }
}
