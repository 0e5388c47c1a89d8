import { existsSync, globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readQuarantine } from './quarantine.ts'
import { SIZES, testFilesOf } from './tiers.ts'
import type { Size } from './tiers.ts'

const ROOT = new URL('../../', import.meta.url).pathname
const sizes = Object.entries<Size>(SIZES)

test.each(sizes)('%s is smaller in the usual tier, and asked for by its files', (name, { usual, full, files }) => {
  expect(usual).toBeLessThan(full)
  const found = files.flatMap((glob) => globSync(glob, { cwd: ROOT }))
  expect(found.length).toBeGreaterThan(0)
  // What many share is asked for by what they import.
  const askers = [...found, 'web/test/hands.ts'].map((path) => readFileSync(`${ROOT}${path}`, 'utf8'))
  expect(askers.some((text) => text.includes(`sizeOf('${name}')`))).toBe(true)
})

test('CONTRIBUTING has every size with both numbers', () => {
  const page = readFileSync(`${ROOT}CONTRIBUTING.md`, 'utf8')
  const rows = page.split('\n').map((line) => line.split('|').map((cell) => cell.trim()))
  const listed = rows.filter((cells) => cells.length === 6).map(([, what, usual, full]) => `${what}: ${usual}, ${full}`)
  const inWords = (count: number) => count.toLocaleString('en')
  expect(listed).toEqual(
    expect.arrayContaining(sizes.map(([, { what, usual, full }]) => `${what}: ${inWords(usual)}, ${inWords(full)}`)),
  )
})

test('every test file is in the usual tier unless its name says otherwise, and in one of the two groups', () => {
  const { isolated, shared } = testFilesOf('usual')
  const usual = [...isolated, ...shared]
  expect(new Set(usual).size).toBe(usual.length)
  const all = globSync('{server,sdk,web,scripts,bench,eval}/**/*.test.ts', {
    cwd: ROOT,
    exclude: (name) => name.includes('node_modules'),
  })
  expect(all.filter((path) => !usual.includes(path)).every((path) => path.endsWith('.full.test.ts'))).toBe(true)
})

test('the full tier has whatever has no small form, and no file that is the same in both', () => {
  const { isolated, shared } = testFilesOf('full')
  const full = [...isolated, ...shared]
  expect(full.some((path) => path.endsWith('.full.test.ts'))).toBe(true)
  const sized = sizes.flatMap(([, { files }]) => files.flatMap((glob) => globSync(glob, { cwd: ROOT })))
  expect(full.filter((path) => !path.endsWith('.full.test.ts')).toSorted()).toEqual([...new Set(sized)].toSorted())
})

test('only files that exist are in quarantine', () => {
  expect(readQuarantine().filter(({ file }) => !existsSync(`${ROOT}${file}`))).toEqual([])
})
