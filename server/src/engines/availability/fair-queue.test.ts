import { expect, test } from 'vitest'
import { createFairQueue } from './fair-queue.ts'

interface Item {
  readonly name: string
  readonly fairnessKeys: ReadonlySet<string>
}

const item = (name: string, ...keys: string[]): Item => ({ name, fairnessKeys: new Set(keys) })
const namesOf = (items: readonly Item[]) => items.map(({ name }) => name)

function fill(...items: readonly Item[]) {
  const queue = createFairQueue<Item>()
  for (const one of items) queue.add(one)
  return queue
}

test('keys take turns, however much each has, and within a key first come is first served', () => {
  const queue = fill(...['a1', 'a2', 'a3', 'a4'].map((name) => item(name, 'a')), item('b1', 'b'), item('b2', 'b'))
  expect(namesOf(queue.take(5))).toEqual(['a1', 'b1', 'a2', 'b2', 'a3'])
  expect(namesOf(queue.take(5))).toEqual(['a4'])
  expect(queue.size).toBe(0)
})

test('turns go on from one taking to the next', () => {
  const queue = fill(item('a1', 'a'), item('a2', 'a'), item('b1', 'b'), item('b2', 'b'))
  const taken = Array.from({ length: 4 }, () => namesOf(queue.take(1)))
  expect(taken.flat()).toEqual(['a1', 'b1', 'a2', 'b2'])
})

test('one at a time gains nothing over many at once', () => {
  const queue = fill(...Array.from({ length: 10 }, (_, n) => item(`a${n}`, 'a')))
  const taken: string[] = []
  for (let n = 0; n < 8; n++) {
    if (![...queue].some(({ fairnessKeys }) => fairnessKeys.has('b'))) queue.add(item(`b${n}`, 'b'))
    taken.push(...namesOf(queue.take(1)))
  }
  expect(taken.filter((name) => name.startsWith('a'))).toHaveLength(4)
})

test('what two keys want is taken once, in the turn that comes first', () => {
  const shared = item('both', 'a', 'b')
  const queue = fill(item('a1', 'a'), item('a2', 'a'), shared)
  expect(namesOf(queue.take(2))).toEqual(['a1', 'both'])
  expect(namesOf(queue.take(5))).toEqual(['a2'])
})

test('what is not ready keeps its place', () => {
  const queue = fill(item('a1', 'a'), item('a2', 'a'))
  expect(namesOf(queue.take(5, ({ name }) => name !== 'a1'))).toEqual(['a2'])
  expect(namesOf(queue.take(5))).toEqual(['a1'])
})

test('a key with little is told less before it than a key with much', () => {
  const queue = fill(...Array.from({ length: 10 }, (_, n) => item(`a${n}`, 'a')), item('b1', 'b'))
  expect(queue.countAhead('a')).toBe(11)
  expect(queue.countAhead('b')).toBe(3)
  expect(queue.countAhead('c')).toBe(2)
})

test('of ten thousand keys none is remembered for ever, and one that is forgotten is not served first', () => {
  const queue = fill(item('waits', 'waits'), item('waits too', 'waits'))
  expect(namesOf(queue.take(1))).toEqual(['waits'])
  for (let n = 0; n < 10_001; n++) {
    queue.add(item(`${n}`, `key-${n}`))
    queue.take(1, ({ name }) => name === `${n}`)
  }
  // The first of them was served after "waits", and is forgotten.
  queue.add(item('again', 'key-0'))
  expect(namesOf(queue.take(2))).toEqual(['waits too', 'again'])
})

test('how many are ahead is counted as lookups come and go', () => {
  const [a1, a2, b1] = [item('a1', 'a'), item('a2', 'a'), item('b1', 'b', 'a')]
  const queue = fill(a1, a2, b1)
  expect(['a', 'b', 'c'].map((key) => queue.countAhead(key))).toEqual([3, 3, 2])
  queue.add(a1)
  queue.delete(b1)
  expect(['a', 'b', 'c'].map((key) => queue.countAhead(key))).toEqual([2, 1, 1])
  queue.delete(b1)
  queue.take(2)
  expect(queue.countAhead('a')).toBe(0)
})
