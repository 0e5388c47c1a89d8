import { expect, test } from 'vitest'
import type { Result } from '../result.ts'
import { cellText, csvOf } from './csv.ts'
import { rowsOf } from './rows.ts'

const pricing = {
  currency: 'EUR',
  registration_minor: 1_299,
  renewal_minor: -5,
  transfer_minor: 1_300,
  term_years: 1,
  due_minor: 1_299,
  renews_at_minor: -5,
  renewal_years: 1,
  total_5y_minor: 6_500,
  kind: 'list',
  registrar: 'example',
  as_of: '2026-11-01',
} as const

const RESULT: Result = {
  name: 'Stork, "Loom"',
  rationale: '=HYPERLINK("https://evil.example")',
  domains: [
    {
      domain: 'storkloom.com',
      available: true,
      price: '€12.99',
      status: 'available',
      confidence: 'definitive',
      sources: ['registrar', 'dns'],
      checked_at: '2026-11-15T10:00:00.000Z',
      pricing,
    },
    { domain: 'storkloom.io', available: false, price: '€40.00', status: 'taken' },
    { domain: 'storkloom.dev', available: false, price: '€9.00', status: 'available', confidence: 'likely' },
  ],
}

test('a text that a spreadsheet would take for a formula gets an apostrophe', () => {
  expect(['=1', '+1', '-1', '@x', '\tx', 'plain'].map(cellText)).toEqual(["'=1", "'+1", "'-1", "'@x", "'\tx", 'plain'])
  expect(cellText('\rx')).toBe('"\'\rx"')
})

test('a negative number stays a number', () => {
  expect(cellText(-5)).toBe('-5')
})

test('quotes, commas and line ends are quoted as RFC 4180 says', () => {
  expect(cellText('a,b')).toBe('"a,b"')
  expect(cellText('say "hi"')).toBe('"say ""hi"""')
  expect(cellText('a\r\nb')).toBe('"a\r\nb"')
})

test('there is one line for each domain, after a byte order mark and a line of names', () => {
  const lines = csvOf(rowsOf([RESULT])).split('\r\n')
  expect(lines).toHaveLength(5)
  expect(lines[0]).toMatch(/^\u{FEFF}name,domain,state,available,/u)
  expect(lines[1]).toBe(
    '"Stork, ""Loom""",storkloom.com,free,true,available,definitive,registrar dns,2026-11-15T10:00:00.000Z,€12.99,EUR,1299,1,1299,-5,1300,-5,1,6500,example,"\'=HYPERLINK(""https://evil.example"")"',
  )
  expect(lines[2]).toMatch(/^"Stork, ""Loom""",storkloom\.io,taken,false,taken,,,,€40\.00,,,,,,,,/)
  expect(lines[3]).toContain(',storkloom.dev,unknown,false,available,likely,')
  expect(lines[4]).toBe('')
})
