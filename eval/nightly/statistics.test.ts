import { expect, test } from 'vitest'
import { areaUnderCurve, medianOf, percentileOf } from '../statistics.ts'

test('the area under the curve counts pairs, ties by half', () => {
  expect(areaUnderCurve([3, 4], [1, 2])).toBe(1)
  expect(areaUnderCurve([1, 2], [3, 4])).toBe(0)
  expect(areaUnderCurve([1, 1], [1, 1])).toBe(0.5)
  expect(areaUnderCurve([2, 5, 5], [1, 5])).toBeCloseTo((1 + 0 + 1 + 0.5 + 1 + 0.5) / 6, 10)
})

test('the median of an even number of values lies between two', () => {
  expect(medianOf([4, 1, 3, 2])).toBe(2.5)
  expect(medianOf([5, 1, 3])).toBe(3)
})

test('a percentile counts what lies below', () => {
  expect(percentileOf(3, [1, 2, 3, 4])).toBe(62.5)
  expect(percentileOf(0, [1, 2, 3, 4])).toBe(0)
})
