import { test } from 'vitest'
import { playSeeds } from './seeds.ts'
import { deliverySpec } from './telling.ts'

test('every event is told in its order and ends once in every schedule', { timeout: 600_000 }, () =>
  playSeeds('telling.test.ts', deliverySpec, 500),
)
