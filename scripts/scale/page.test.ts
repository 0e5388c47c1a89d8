/** `docs/scaling.md` states what was measured, and its examples match what the calculator prints. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { costTable } from '../figures/table.ts'
import { plots } from '../figures/plot.ts'
import { calculate } from './calculate.ts'
import { readCost } from './cost.ts'
import { parseInputs } from './inputs.ts'
import { report } from './report.ts'

const page = readFileSync(new URL('../../docs/scaling.md', import.meta.url), 'utf8')

test('the table of costs is that of the figures', () => {
  const lines = new Set(page.split('\n').map((line) => line.replaceAll(/ +/g, ' ')))
  expect(costTable(readCost()).filter((line) => !lines.has(line))).toEqual([])
})

test('every worked example says what the calculator says', () => {
  const cost = readCost()
  const examples = [...page.matchAll(/```sh\npnpm scale ([^`]*?)\n```\n\n```text\n([^`]*?)\n```/g)]
  expect(examples).toHaveLength(3)
  for (const [, words = '', expected] of examples) {
    const inputs = parseInputs(words.split(/[\s\\]+/))
    expect(report(calculate(cost, inputs), inputs, cost)).toBe(expected)
  }
})

test('the page links every picture', () => {
  expect([...plots().keys()].filter((name) => !page.includes(`(figures/${name})`))).toEqual([])
})
