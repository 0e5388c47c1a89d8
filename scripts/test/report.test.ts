import { expect, test } from 'vitest'
import { MAX_QUARANTINED, problemsOf, readQuarantine } from './quarantine.ts'
import type { Quarantined } from './quarantine.ts'
import { judge, slowestOf } from './report.ts'
import type { FileReport } from './report.ts'

const file = (name: string, states: Record<string, string>, more: Partial<FileReport> = {}): FileReport => ({
  name,
  isFailed: Object.values(states).includes('failed'),
  wallSeconds: 1,
  tests: Object.entries(states).map(([title, state]) => ({ name: title, state })),
  ...more,
})
const entry: Quarantined = { file: 'a.test.ts', test: 'two', reason: 'a timer that nobody holds', since: '2026-11-16' }

test('every failing test counts, and so does a file that fails outside of its tests, and an error outside of all', () => {
  const files = [file('a.test.ts', { one: 'passed', two: 'failed' }), file('b.test.ts', {}, { isFailed: true })]
  const { passed, failed } = judge({ files, unhandledErrors: 1 }, [])
  expect(passed).toBe(1)
  expect(failed).toEqual(['a.test.ts: two', 'b.test.ts: outside of its tests', '1 errors outside of every test'])
})

test('a failing test is listed with the beginning of its error', () => {
  const error = `expected 1 to be 2\n\n${'- a line of the difference\n'.repeat(20)}`
  const files = [file('a.test.ts', {}, { tests: [{ name: 'one', state: 'failed', error }] })]
  const [listed] = judge({ files, unhandledErrors: 0 }, []).failed
  const lines = listed?.split('\n') ?? []
  expect(lines.slice(0, 3)).toEqual(['a.test.ts: one', '      expected 1 to be 2', '      - a line of the difference'])
  expect(lines).toHaveLength(13)
})

test('a quarantined test is reported and does not count, and only that test', () => {
  const files = [file('a.test.ts', { two: 'failed', three: 'failed' }), file('b.test.ts', { two: 'failed' })]
  const { failed, tolerated } = judge({ files, unhandledErrors: 0 }, [entry])
  expect(failed).toEqual(['a.test.ts: three', 'b.test.ts: two'])
  expect(tolerated).toEqual(['a.test.ts: two (since 2026-11-16: a timer that nobody holds)'])
})

test('a quarantined test that its file does not have fails the run, unless the file was not run', () => {
  const { failed } = judge({ files: [file('a.test.ts', { one: 'passed' })], unhandledErrors: 0 }, [entry])
  expect(failed).toEqual(['a.test.ts: quarantine.json names a test that it does not have: two'])
  expect(judge({ files: [file('b.test.ts', { one: 'passed' })], unhandledErrors: 0 }, [entry]).failed).toEqual([])
})

test('the table has the ten slowest files by wall time, with CPU time where it is known, and the sums', () => {
  const files = Array.from({ length: 12 }, (_, n) => file(`${n}.test.ts`, {}, { wallSeconds: n, cpuSeconds: 2 }))
  const table = slowestOf(files)
  expect(table).toHaveLength(12)
  expect(table[1]).toBe('    11.0      2.0  11.test.ts')
  expect(table.at(-1)).toBe('    66.0     24.0  all 12 files')
})

test('the quarantine holds at most three tests, each with a reason and a day', () => {
  expect(problemsOf(readQuarantine())).toEqual([])
  expect(problemsOf([entry])).toEqual([])
  expect(problemsOf([{ ...entry, reason: 'flaky' }])).toHaveLength(1)
  expect(problemsOf([{ ...entry, since: 'today' }])).toHaveLength(1)
  expect(problemsOf(Array.from({ length: MAX_QUARANTINED + 1 }, () => entry))).toHaveLength(1)
})
