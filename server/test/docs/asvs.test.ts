/**
 * docs/asvs.md says for every requirement of the standard which test shows it, or why there is none. The page is held
 * to it: it misses no requirement, every test that it names exists, and no cell is left empty.
 */
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { bare, readPage, ROOT } from './pages.ts'

/** OWASP ASVS 5.0.0, levels 1 and 2 of the chapters that are about people, sessions, tokens and how they are authorized. */
const REQUIREMENTS: Readonly<Record<1 | 2, string>> = {
  1: `2.1.1 2.2.1 2.2.2 2.3.1
      3.2.1 3.2.2 3.3.1 3.4.1 3.4.2 3.5.1 3.5.2 3.5.3
      4.1.1 4.4.1
      6.1.1 6.2.1 6.2.2 6.2.3 6.2.4 6.2.5 6.2.6 6.2.7 6.2.8 6.3.1 6.3.2 6.4.1 6.4.2
      7.2.1 7.2.2 7.2.3 7.2.4 7.4.1 7.4.2
      8.1.1 8.2.1 8.2.2 8.3.1
      9.1.1 9.1.2 9.1.3 9.2.1
      10.4.1 10.4.2 10.4.3 10.4.4 10.4.5`,
  2: `2.1.2 2.1.3 2.2.3 2.3.2 2.3.3 2.3.4 2.4.1
      3.3.2 3.3.3 3.3.4 3.4.3 3.4.4 3.4.5 3.4.6 3.5.4 3.5.5 3.7.1 3.7.2
      4.1.2 4.1.3 4.2.1 4.3.1 4.3.2 4.4.2 4.4.3 4.4.4
      6.1.2 6.1.3 6.2.9 6.2.10 6.2.11 6.2.12 6.3.3 6.3.4 6.4.3 6.4.4 6.5.1 6.5.2 6.5.3 6.5.4 6.5.5 6.6.1 6.6.2 6.6.3
      6.8.1 6.8.2 6.8.3 6.8.4
      7.1.1 7.1.2 7.1.3 7.3.1 7.3.2 7.4.3 7.4.4 7.4.5 7.5.1 7.5.2 7.6.1 7.6.2
      8.1.2 8.2.3 8.4.1
      9.2.2 9.2.3 9.2.4
      10.1.1 10.1.2 10.2.1 10.2.2 10.3.1 10.3.2 10.3.3 10.3.4 10.4.6 10.4.7 10.4.8 10.4.9 10.4.10 10.4.11
      10.5.1 10.5.2 10.5.3 10.5.4 10.5.5 10.6.1 10.6.2 10.7.1 10.7.2 10.7.3`,
}
/** How a cell without a test begins: where it is written, why it is of no concern, that nothing shows it, or that it is not so. */
const REASON = /^(?:written: .*\[.+\]\(.+\)|(?:does not apply|untested|not met): .{10,})/
const MAX_WORDS = 12

const rows = readPage('docs/asvs.md')
  .split('\n')
  .filter((line) => /^\| +\d+\.\d+\.\d+ /.test(line))
  .map((line) => line.slice(1, -1).split('|'))
  .map(([id = '', level = '', about = '', shown = '']) => ({
    id: id.trim(),
    level: level.trim(),
    about: about.trim(),
    shown: shown.trim(),
  }))

test('the page has every requirement once, in order, with its level', () => {
  const wanted = Object.entries(REQUIREMENTS).flatMap(([level, ids]) => ids.split(/\s+/).map((id) => `${id} ${level}`))
  const inOrder = wanted.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))
  expect(rows.map(({ id, level }) => `${id} ${level}`)).toEqual(inOrder)
})

describe.each(rows)('$id', ({ about, shown }) => {
  test('is said in a few words', () => {
    expect(about).not.toBe('')
    expect(about.split(/\s+/).length).toBeLessThanOrEqual(MAX_WORDS)
  })

  test('is shown by tests that exist, or has a reason', () => {
    const named = [...shown.matchAll(/`([^`]+\.test\.ts › [^`]+)`/g)].map(([, name = '']) => name)
    if (named.length === 0) expect(shown).toMatch(REASON)
    for (const name of named) expect(missingIn(name), name).toEqual([])
  })
})

/** What of `file › group › test` is not there. */
function missingIn(name: string): string[] {
  const [file = '', ...titles] = bare(name).split(' › ')
  const url = new URL(file, ROOT)
  if (!existsSync(url)) return [file]
  const found = titlesOf(readFileSync(url, 'utf8'))
  return titles.filter((title) => !found.has(title))
}

/** The texts that tests and groups are called with, also behind `.each(…)`; for `%s …`, the first text of each row. */
function titlesOf(source: string): Set<string> {
  const calls = source.matchAll(/(?:\b(?:test|it|describe)(?:\.\w+)*|\))\(\s*(['"`])(.+?)\1/g)
  const titles = new Set([...calls].map(([, , title = '']) => title))
  if ([...titles].some((title) => title.startsWith('%s')))
    for (const [, , row = ''] of source.matchAll(/\[\s*(['"`])(.+?)\1/g)) titles.add(row)
  return titles
}
