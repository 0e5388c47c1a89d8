/**
 * docs/data-sources.md says how many suffixes have a price, how old the prices are, and which twenty were compared by hand with their
 * sources. All of it is compared with the data: a price that changes after the comparison fails here until it is compared again.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readPage } from './pages.ts'

interface Line {
  readonly suffix: string
  readonly registration: number
  readonly renewal: number
  readonly transfer: number | null
  readonly currency?: string
  readonly source: string
  readonly as_of: string
}

const page = readPage('docs/data-sources.md')
const lines = readFileSync(new URL('../../data/suffixes.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Line)

function tableUnder(heading: string): string[][] {
  const [, section = ''] = page.split(`\n## ${heading}\n`)
  const [body = ''] = section.split('\n## ')
  return body
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) => line.slice(1, -1).split('|'))
    .map((cells) => cells.map((cell) => cell.trim().replaceAll('`', '')))
}

test('the page counts the suffixes and their prices by month as the data has them', () => {
  const months = Object.entries(Object.groupBy(lines, (line) => line.as_of.slice(0, 7)))
  const counted = months.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([month, of = []]) => [month, String(of.length)])
  expect(tableUnder('How old the prices are')).toEqual(counted)
  expect(page).toContain(`has ${lines.length} suffixes with a price`)
  for (const { suffix, currency } of lines) {
    if (currency !== undefined) expect(page).toContain(`\`${suffix}\``)
  }
})

test('the twenty prices that were compared by hand are the ones the seed chooses, and have not changed since', () => {
  const isOfCountry = ({ suffix }: Line) => /(?:^|\.)[a-z]{2}$/.test(suffix)
  const place = ({ suffix }: Line) => createHash('sha256').update(`namewright 2026-11 ${suffix}`).digest('hex')
  const firstTen = (some: readonly Line[]) =>
    some
      .toSorted((a, b) => (place(a) < place(b) ? -1 : 1))
      .slice(0, 10)
      .toSorted((a, b) => (a.suffix < b.suffix ? -1 : 1))
  const chosen = [...firstTen(lines.filter(isOfCountry)), ...firstTen(lines.filter((line) => !isOfCountry(line)))]
  const amount = (minor: number | null) => (minor === null ? '–' : (minor / 100).toFixed(2))
  expect(tableUnder('Twenty prices compared by hand').map((cells) => cells.slice(0, 7))).toEqual(
    chosen.map(({ suffix, registration, renewal, transfer, currency = 'USD', source, as_of: asOf }) => [
      suffix,
      ...[registration, renewal, transfer].map(amount),
      currency,
      source,
      asOf,
    ]),
  )
})
