import { test } from 'vitest'
import { sizeOf } from '../../../scripts/test/tiers.ts'
import { playSeeds } from './seeds.ts'
import { deliverySpec } from './telling.ts'

test('every event is told in its order and ends once in every schedule', { timeout: 600_000 }, () =>
  playSeeds('telling.test.ts', deliverySpec, sizeOf('simulatedSchedules')),
)
