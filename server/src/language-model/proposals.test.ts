import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readProposals } from './proposals.ts'

test('names are kept as written, in their order, each once', () => {
  const written = ['Mayfly', ' Sand  Castle', 'mayfly', 'Feierabend', 'Cafe\u0301 Noir']
  expect(readProposals(written, 30)).toEqual(['Mayfly', 'Sand Castle', 'Feierabend', 'Café Noir'])
})

test('no more are taken than were wanted', () => {
  expect(readProposals(['Mayfly', 'Bivouac', 'Elsewhere'], 2)).toEqual(['Mayfly', 'Bivouac'])
})

test.each([
  'four words are many',
  'mayfly.com',
  'May-fly',
  'Mayfly2',
  'May\nfly',
  'May\u200bfly',
  'Mаyfly',
  '蜉蝣',
  'Mayfly!',
  '',
  ' ',
  'm'.repeat(31),
])('%j is no name', (text) => {
  expect(readProposals([text], 30)).toEqual([])
})

test('whatever a model writes, only up to three words of Latin letters come out', () => {
  const anything = fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.anything()))
  fc.assert(
    fc.property(anything, (values) => {
      for (const name of readProposals(values, 30)) {
        expect(name).toMatch(/^(?=.{1,30}$)\p{Script=Latin}+(?: \p{Script=Latin}+){0,2}$/u)
      }
    }),
  )
})
