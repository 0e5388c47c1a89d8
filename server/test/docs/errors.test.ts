import { expect, test } from 'vitest'
import { ERRORS, FIELD_CODES } from '../../src/model/errors.ts'
import { readPage, rowsOf, sectionOf } from './pages.ts'

const page = readPage('docs/errors.md')
const fieldRows = rowsOf(sectionOf(page, '## Fields'))
const rows = rowsOf(page.slice(0, page.indexOf('\n## Fields\n')))

test('the error page misses no code and invents none', () => {
  expect(rows.map(([code]) => code)).toEqual(Object.keys(ERRORS))
})

test('the error page gives every code the status and the retry of the table', () => {
  const written = rows.map(([code, status, retry]) => [code, Number(status), retry])
  expect(written).toEqual(Object.entries(ERRORS).map(([code, { status, retry }]) => [code, status, retry]))
})

test('the error page says for every code when it comes and what to do', () => {
  for (const [code, , , when = '', advice = ''] of rows) {
    expect(when.length, `${code}: when`).toBeGreaterThan(10)
    expect(advice.length, `${code}: what to do`).toBeGreaterThan(5)
  }
})

test('the error page misses no field code and invents none', () => {
  expect(fieldRows.map(([code]) => code)).toEqual([...FIELD_CODES])
})
