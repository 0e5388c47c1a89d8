import { expect, test } from 'vitest'
import { PLAYFUL_STEPS, stepOf, stylesAt } from './playfulness.ts'

test('every step has styles of its own, and is found again by them in any order', () => {
  for (const [step] of PLAYFUL_STEPS.entries()) expect(stepOf(stylesAt(step).toReversed())).toBe(step)
})

test('the middle is the mix of all styles, and a choice of one’s own is no step', () => {
  expect(stylesAt(2)).toEqual([])
  expect(stepOf(['foreign'])).toBeUndefined()
})
