import { expect, test } from 'vitest'
import { benchKeys } from '../keys.ts'

test(
  'knowing a caller costs a twentieth of the plugin, and a revoked key ends everywhere within a second',
  { timeout: 120_000 },
  async () => {
    const { ratio, revokedMs } = await benchKeys({ seconds: 1, known: [64], revocations: 3 })
    expect(ratio).toBeGreaterThan(20)
    expect(revokedMs).toBeLessThanOrEqual(1_000)
  },
)
