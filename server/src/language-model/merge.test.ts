import { expect, test } from 'vitest'
import type { NameProposal } from '../model/name.ts'
import { createMerge } from './merge.ts'

function merge(...lists: readonly (readonly string[])[]): string[] {
  const merged = createMerge(undefined)
  for (const [at, list] of lists.entries()) for (const name of list) merged.add(at, { name })
  return merged.list().map(({ name }) => name)
}

test('one list keeps its order', () => {
  expect(merge(['Mayfly', 'Bivouac', 'Elsewhere'])).toEqual(['Mayfly', 'Bivouac', 'Elsewhere'])
})

test('two lists take turns', () => {
  expect(merge(['Mayfly', 'Bivouac'], ['Sandcastle', 'Elsewhere'])).toEqual([
    'Mayfly',
    'Sandcastle',
    'Bivouac',
    'Elsewhere',
  ])
})

test('what stands in both comes first, however it is written', () => {
  expect(merge(['Mayfly', 'Sandcastle'], ['Bivouac', 'Elsewhere', 'Sand Castle'])).toEqual([
    'Sandcastle',
    'Mayfly',
    'Bivouac',
    'Elsewhere',
  ])
})

test('a phrase gives way to a few words', () => {
  const list = ['Mayfly', 'Sand Castle', 'Bivouac', 'Elsewhere', 'Huddle', 'Outpost', 'Waypost']
  expect(merge(list)).toEqual(['Mayfly', 'Bivouac', 'Elsewhere', 'Huddle', 'Sand Castle', 'Outpost', 'Waypost'])
})

test('each is told once, as it arrives, with the reason it came with', () => {
  const told: NameProposal[] = []
  const merged = createMerge((proposal) => told.push(proposal))
  merged.add(0, { name: 'Mayfly', reason: 'lives for a day' })
  merged.add(1, { name: 'mayfly', reason: 'another' })
  expect(told).toEqual([{ name: 'Mayfly', reason: 'lives for a day' }])
  expect(merged.list()).toEqual(told)
})
