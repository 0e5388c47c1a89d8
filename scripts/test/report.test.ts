import { expect, test } from 'vitest'
import { judge, slowestOf } from './report.ts'
import type { FileReport } from './report.ts'

const file = (name: string, states: Record<string, string>, more: Partial<FileReport> = {}): FileReport => ({
  name,
  isFailed: Object.values(states).includes('failed'),
  wallSeconds: 1,
  tests: Object.entries(states).map(([title, state]) => ({ name: title, state })),
  ...more,
})

test('every failing test counts, and so does a file that fails outside of its tests, and an error outside of all', () => {
  const files = [file('a.test.ts', { one: 'passed', two: 'failed' }), file('b.test.ts', {}, { isFailed: true })]
  const { passed, failed } = judge({ files, unhandledErrors: 1 })
  expect(passed).toBe(1)
  expect(failed).toEqual(['a.test.ts: two', 'b.test.ts: outside of its tests', '1 errors outside of every test'])
})

test('a failing test is listed with the beginning of its error', () => {
  const error = `expected 1 to be 2\n\n${'- a line of the difference\n'.repeat(20)}`
  const files = [file('a.test.ts', {}, { tests: [{ name: 'one', state: 'failed', error }] })]
  const [listed] = judge({ files, unhandledErrors: 0 }).failed
  const lines = listed?.split('\n') ?? []
  expect(lines.slice(0, 3)).toEqual(['a.test.ts: one', '      expected 1 to be 2', '      - a line of the difference'])
  expect(lines).toHaveLength(13)
})

test('the table has the ten slowest files by wall time, with CPU time where it is known, and the sums', () => {
  const files = Array.from({ length: 12 }, (_, n) => file(`${n}.test.ts`, {}, { wallSeconds: n, cpuSeconds: 2 }))
  const table = slowestOf(files)
  expect(table).toHaveLength(12)
  expect(table[1]).toBe('    11.0      2.0  11.test.ts')
  expect(table.at(-1)).toBe('    66.0     24.0  all 12 files')
})
