import { expect, test } from 'vitest'
import { benchIndex } from './index.ts'
import { sizeOf } from '../scripts/test/tiers.ts'

const NAMES = sizeOf('indexedNames')

test('an index of millions of names is small, misses none and is rarely wrong', { timeout: 240_000 }, async () => {
  const figures = await benchIndex({ names: NAMES })
  expect(figures.names).toBeGreaterThan(0.99 * NAMES)
  expect(figures.bitsPerName).toBeLessThanOrEqual(18.1)
  expect(figures.falseNegatives).toBe(0)
  expect(figures.checked).toBeGreaterThanOrEqual(0.99 * NAMES)
  expect(figures.falsePositiveRate).toBeLessThanOrEqual(2e-5)
  // 370 million may take 150 CPU-seconds and four million look-ups a second: a part of them a fraction, with slack.
  expect(figures.hashCpuSeconds + figures.buildCpuSeconds).toBeLessThan(2 + NAMES / 1_000_000)
  expect(figures.lookupsPerCpuSecond).toBeGreaterThan(500_000)
})
