import { expect, test } from 'vitest'
import type { Share, ShareItem } from '../api/shares.ts'
import { isMatch, ranked, withChange } from './standing.ts'

const item = (id: string, up: number, down: number): ShareItem => ({
  id,
  name: id,
  domain: `${id}.com`,
  note: null,
  available: true,
  price: '$9.99',
  checked_at: '',
  batch: 0,
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

test('a match takes two people, and more than half of those in the room', () => {
  const matches = (up: number, voters: number) => isMatch({ votes: { up, down: 0 } }, voters)
  expect([matches(1, 1), matches(2, 2), matches(2, 3), matches(2, 4), matches(101, 200)]).toEqual([
    false,
    true,
    true,
    false,
    true,
  ])
})

test('a change replaces what is different, adds what is new, and leaves the rest', () => {
  const share = {
    voters: 1,
    items: [item('one', 0, 0), item('two', 1, 0)],
    comments: [{ id: 'a' }],
  } as unknown as Share
  const change = {
    voters: 2,
    items: [item('two', 2, 0), item('three', 0, 0)],
    comments: [{ id: 'b' }],
  } as unknown as Share
  const after = withChange(share, change)
  expect(after.voters).toBe(2)
  expect(after.items.map(({ id, votes }) => [id, votes.up])).toEqual([['one', 0], ['two', 2], ['three', 0]]) // prettier-ignore
  expect(after.comments.map(({ id }) => id)).toEqual(['a', 'b'])
})
