import { expect, test } from 'vitest'
import { benchBatches } from '../batches.ts'

test('an item of a batch costs little more than the same request in a loop', { timeout: 300_000 }, async () => {
  // Measured in CPU time, which a busy machine does not change. `pnpm bench batches` prints the rate per second.
  const { cpuRatio } = await benchBatches({ items: 300, rounds: 3 })
  expect(cpuRatio).toBeGreaterThan(0.7)
})
