import { expect, test } from 'vitest'
import { benchIndex } from '../index.ts'

test('an index of ten million names is small, misses none and is rarely wrong', { timeout: 240_000 }, async () => {
  const figures = await benchIndex({ names: 10_000_000 })
  expect(figures.names).toBeGreaterThan(9_900_000)
  expect(figures.bitsPerName).toBeLessThanOrEqual(18.1)
  expect(figures.falseNegatives).toBe(0)
  expect(figures.checked).toBeGreaterThanOrEqual(9_900_000)
  expect(figures.falsePositiveRate).toBeLessThanOrEqual(2e-5)
  // 370 million may take 150 CPU-seconds and four million lookups a second: ten million a fraction, with slack.
  expect(figures.hashCpuSeconds + figures.buildCpuSeconds).toBeLessThan(12)
  expect(figures.lookupsPerCpuSecond).toBeGreaterThan(500_000)
})
