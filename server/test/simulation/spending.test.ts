import { test } from 'vitest'
import { playSeeds } from './seeds.ts'
import { spendingSpec } from './spending.ts'

test(
  'spending is exact in every schedule: no block overspent, one effect for a key, nothing hidden in the end',
  { timeout: 600_000 },
  () => playSeeds('spending.test.ts', spendingSpec, 500),
)
