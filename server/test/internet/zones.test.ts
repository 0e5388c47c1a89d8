import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isLabel } from '../source.ts'
import { createLargeNames } from './large-names.ts'
import { ALWAYS_TAKEN, createInternet, REGISTRIES } from './zones.ts'

const words = readFileSync(join(import.meta.dirname, 'taken-words.txt'), 'utf8')
const list = words.split('\n').filter((line) => /^[a-z]+$/.test(line))
const internet = createInternet(words)
const large = createInternet(words, 'large')

test.each(Object.entries(REGISTRIES))('%s delegates its share of the words', (suffix, { share }) => {
  const delegated = list.filter((word) => internet.isDelegated(`${word}.${suffix}`))
  expect(list.length).toBe(5000)
  expect(delegated.length / list.length).toBeCloseTo(share, 1)
  expect(internet.isDelegated(`${ALWAYS_TAKEN}.${suffix}`)).toBe(true)
  expect(internet.labelsOf(suffix).filter((label) => label.startsWith('free-for-sure-'))).toEqual([])
})

test('com also has compounds', () => {
  expect(internet.labelsOf('com').length).toBeGreaterThan(11_000)
})

test('the same words make the same zones', () => {
  for (const zone of internet.zones()) {
    const [once, again] = [internet, createInternet(words)].map((each) => [...each.zoneLines(zone, 'stamp')].join('\n'))
    expect(again === once, zone).toBe(true)
  }
})

test('a zone is in the form of CZDS: five fields, full names, lower case', () => {
  for (const line of internet.zoneLines('co.uk', 'stamp')) {
    expect(line).toMatch(/^(?:[a-z0-9-]+\.)*co\.uk\.\t\d+\tin\t(?:soa|ns|ds|a)\t[a-z0-9 .-]+$/)
  }
})

test('the large internet has what the small one has, and is asked without being listed', () => {
  for (const suffix of ['dev', 'co.uk']) {
    const labels = new Set(large.labelsOf(suffix))
    expect(internet.labelsOf(suffix).filter((label) => !labels.has(label))).toEqual([])
    expect([...labels].filter((label) => !large.isDelegated(`${label}.${suffix}`))).toEqual([])
    expect([...labels].filter((label) => !isLabel(label))).toEqual([])
    expect([...labels].filter((label) => label.startsWith('free-for-sure-'))).toEqual([])
  }
  const dev = new Set(large.labelsOf('dev'))
  const other = large.labelsOf('ai')
  expect(other.filter((label) => large.isDelegated(`${label}.dev`) !== dev.has(label))).toEqual([])
})

test('the large internet has the sizes it promises', () => {
  expect(Math.abs(large.labelsOf('io').length - 43_000)).toBeLessThan(1000)
  expect(Math.abs(large.labelsOf('dev').length - 29_000)).toBeLessThan(1000)
  const names = createLargeNames(list)
  let [walked, accented] = [0, 0]
  for (const label of names.walk()) {
    walked += 1
    if (label.startsWith('xn--')) accented += 1
  }
  expect(walked).toBeGreaterThan(2_000_000)
  expect(accented).toBeGreaterThan(10_000)
})
