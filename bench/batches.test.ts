import { expect, test } from 'vitest'
import { benchBatches } from './batches.ts'
import { sizeOf } from '../scripts/test/tiers.ts'

test('an item of a batch costs little more than the same request in a loop', { timeout: 300_000 }, async () => {
  // Of CPU, which says the same on a busy machine; how many a second there are, `pnpm bench batches` tells.
  const { cpuRatio } = await benchBatches({ items: sizeOf('benchedItems'), rounds: 3 })
  expect(cpuRatio).toBeGreaterThan(0.7)
})
