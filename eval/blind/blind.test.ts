import { expect, test } from 'vitest'
import { parseMarks, sharesOf, tellAnswers, tellShares } from './marks.ts'
import { CONTROL, makeSheets, namesOn } from './sheet.ts'
import type { Described, Made } from './sheet.ts'

const DESCRIBED: Described[] = Array.from({ length: 40 }, (_, at) => ({ id: `e${at}`, description: `project ${at}` }))
const madeFor = (id: string): Made =>
  new Map([
    ['plain', [`plain${id}`, 'Shared & Alike']],
    ['engine', [`engine${id}`, 'Shared & Alike']],
  ])
const SEED = 's'
const { pages, key } = makeSheets(DESCRIBED, madeFor, { sheets: 8, seed: SEED })

test('every description stands on one sheet, with each name once and written alike', () => {
  expect(pages).toHaveLength(8)
  const all = pages.join('\n')
  for (const { id, description } of DESCRIBED) expect(all.split(`## ${id}: ${description}\n`)).toHaveLength(2)
  expect(all.match(/^\d+ Shared & Alike$/gm)).toHaveLength(40)
  expect(all).not.toMatch(/engine |plain |control/)
})

test('two names of other projects are among them as a control', () => {
  for (const { id } of DESCRIBED) {
    const controls = Object.entries(key[id] ?? {}).filter(([, makers]) => makers.includes(CONTROL))
    expect(controls.map(([label]) => label)).toEqual([expect.stringMatching(/^plain/), expect.stringMatching(/^plain/)])
  }
})

test('marks are read by description, with commas or without', () => {
  expect(parseMarks('e01: 1, 2\nnot a mark\ne2:').get('e01')).toEqual(new Set([1, 2]))
  expect(parseMarks('e2:').get('e2')).toEqual(new Set())
})

test('shares are by maker, over the descriptions that were read, with the ratio to the yardstick', () => {
  const numberOf = (id: string, label: string) => namesOn(key, id, SEED).indexOf(label) + 1
  const text = `e0: ${numberOf('e0', 'plaine0')} ${numberOf('e0', 'Shared & Alike')}\ne1: ${numberOf('e1', 'plaine1')}\n`
  const shares = sharesOf(key, SEED, parseMarks(text))
  expect(shares).toEqual([
    { maker: 'plain', marked: 3, all: 4 },
    { maker: 'engine', marked: 1, all: 4 },
    { maker: CONTROL, marked: 0, all: 4 },
  ])
  expect(tellShares('a', shares, 'plain')).toContain(' 25.0 %  1 of 4  engine  ÷ plain 0.33')
  expect(tellAnswers(key, SEED, parseMarks(text), 'plain')).toMatch(
    /^1 of 20  engine  ÷ plain 0\.33 \(0\.00 to 0\.50\)$/m,
  )
})

test('marks for another page are refused', () => {
  expect(() => sharesOf(key, SEED, parseMarks('z9: 1'))).toThrow('no description z9')
})
