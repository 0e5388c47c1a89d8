import { expect, test } from 'vitest'
import { ERRORS, FIELD_CODES } from '../source.ts'
import { readPage, rowsOf, sectionOf } from './pages.ts'

const page = readPage('docs/errors.md')
const sections = page
  .split(/^## (?=\d{3}:)/m)
  .slice(1)
  .flatMap((text) =>
    text
      .replace(/^## Fields[^]*/m, '')
      .split(/^### /m)
      .slice(1)
      .map((section) => ({ status: Number(text.slice(0, 3)), section })),
  )
const told = sections.map(({ status, section }) => {
  const [, code = '', when = '', advice = '', retry = ''] =
    /^(\S+)\n\n([^]+) \*\*What to do:\*\* ([^]+) \*\*Retry:\*\* (\w+)\.\n/.exec(section) ?? []
  return { code, status, when, advice, retry }
})

test('the error page misses no code and invents none', () => {
  expect(told.map(({ code }) => code)).toEqual(Object.keys(ERRORS))
})

test('the error page gives every code its status and its retry', () => {
  const written = told.map(({ code, status, retry }) => [code, status, retry])
  expect(written).toEqual(Object.entries(ERRORS).map(([code, { status, retry }]) => [code, status, retry]))
})

test('the error page says for every code when it comes and what to do', () => {
  for (const { code, when, advice } of told) {
    expect(when.length, `${code}: when`).toBeGreaterThan(10)
    expect(advice.length, `${code}: what to do`).toBeGreaterThan(5)
  }
})

test('the error page misses no field code and invents none', () => {
  const fields = rowsOf(sectionOf(page, '## Fields'))
  expect(fields.map(([code]) => code)).toEqual([...FIELD_CODES])
})
