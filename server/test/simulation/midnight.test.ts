import { test } from 'vitest'
import { playSeeds } from './seeds.ts'
import { midnightSpec } from './spending.ts'

test('spending is exact in every schedule over the end of a day or a month, too', { timeout: 600_000 }, () =>
  playSeeds('midnight.test.ts', midnightSpec, 500),
)
