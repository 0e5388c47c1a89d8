import { expect, test } from 'vitest'
import { readKnowledge } from '../../server/src/names/names.ts'
import { toldPairs } from './pairs.ts'

test('what a namer gave to a description is a pair that is liked, what was given to another is one that is not', async () => {
  const cases = [
    { description: 'a bakery that delivers by bicycle', names: ['Breadwheel', 'Crustline'] },
    { description: 'an app that teaches chess to children', names: ['Pawnling', 'Rookery'] },
    { description: 'a club of people who repair radios', names: ['Staticroom'] },
  ]
  const pairs = toldPairs(await readKnowledge(), cases)
  expect(pairs.map(({ group, name, liked }) => [group, name, liked])).toEqual([
    [0, 'breadwheel', true],
    [0, 'crustline', true],
    [0, 'staticroom', false],
    [1, 'pawnling', true],
    [1, 'rookery', true],
    [1, 'breadwheel', false],
    [1, 'crustline', false],
    [2, 'staticroom', true],
    [2, 'pawnling', false],
    [2, 'rookery', false],
  ])
  for (const { features } of pairs) expect(features.length).toBeGreaterThan(10)
})
