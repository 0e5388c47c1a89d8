import { test } from 'vitest'
import { revokingSpec } from './revoking.ts'
import { playSeeds } from './seeds.ts'

test('a revoked key is refused within a second in every schedule, on every node', { timeout: 600_000 }, () =>
  playSeeds('revoking.test.ts', revokingSpec, 500),
)
