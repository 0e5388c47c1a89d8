import { expect, test } from 'vitest'
import type { ShareItem } from '../api/shares.ts'
import { isMatch, ranked } from './standing.ts'

const item = (id: string, up: number, down: number): ShareItem => ({
  id,
  name: id,
  domain: `${id}.com`,
  note: null,
  available: true,
  status: 'available',
  price: '$9.99',
  term_years: 1,
  checked_at: '',
  votes: { up, down },
})

test('the ranking goes by likes less dislikes, then by likes, then by the order of the names', () => {
  const items = [
    item('none', 0, 0),
    item('first', 2, 1),
    item('second', 1, 0),
    item('split', 5, 5),
    item('worst', 0, 2),
  ]
  expect(ranked(items).map(({ id }) => id)).toEqual(['first', 'second', 'split', 'none', 'worst'])
})

test('a match takes two people, and more than half of the voters', () => {
  const matches = (up: number, voters: number) => isMatch({ votes: { up, down: 0 } }, voters)
  expect([matches(1, 1), matches(2, 2), matches(2, 3), matches(2, 4), matches(101, 200)]).toEqual([
    false,
    true,
    true,
    false,
    true,
  ])
})
