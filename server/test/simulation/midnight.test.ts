import { test } from 'vitest'
import { sizeOf } from '../../../scripts/test/tiers.ts'
import { playSeeds } from './seeds.ts'
import { midnightSpec } from './spending.ts'

test('spending is exact in every schedule over the end of a day or a month, too', { timeout: 600_000 }, () =>
  playSeeds('midnight.test.ts', midnightSpec, sizeOf('simulatedSchedules')),
)
