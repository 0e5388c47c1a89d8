import { expect, test } from 'vitest'
import { parseMarks, tally, type Key } from './tally.ts'

const key: Key = {
  seed: 's',
  lists: [
    { id: '01', letter: 'A', maker: 'engine', names: ['Kiln', 'Paydove'], families: ['real_word', 'compound'] },
    {
      id: '01',
      letter: 'B',
      maker: 'keyword + suffix',
      names: ['Breadify', 'Breadly'],
      families: ['suffixed', 'suffixed'],
    },
    { id: '02', letter: 'A', maker: 'engine', names: ['Oak', 'Oakline'], families: ['real_word', 'compound'] },
  ],
}

test('marks are read by list, with commas or without', () => {
  expect(parseMarks('01 A: 1, 2\nnot a mark\n2 B:').get('1 A')).toEqual(new Set([1, 2]))
  expect(parseMarks('2 B:').get('2 B')).toEqual(new Set())
})

test('shares are by maker and by family, over the lists that were read', () => {
  const said = tally(key, '01 A: 1 2\n01 B:\n')
  expect(said).toContain('100.0 %  2 of 2  engine')
  expect(said).toContain('0.0 %  0 of 2  keyword + suffix')
  expect(said).toContain('100.0 %  1 of 1  engine: compound')
})

test('marks for another page are refused', () => {
  expect(() => tally(key, '09 C: 1')).toThrow('no list 9 C')
  expect(() => tally(key, 'nothing')).toThrow('no line')
})
