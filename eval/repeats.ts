/**
 * `pnpm eval repeats`: how often the same name comes back.
 *
 * Over answers to descriptions that have nothing to do with each other, and over the rows of one batch: different
 * projects in the same city.
 */
import { readFileSync } from 'node:fs'
import { openNames, readKnowledge } from '../server/src/names/names.ts'
import type { Names } from '../server/src/names/names.ts'
import { plainNameRequest } from '../server/src/names/plain-name-request.ts'
import { findCompanies, pickCompanies } from './companies.ts'
import { shuffleByHash } from './picks.ts'

const ANSWERS = 500
const ROWS = 200
const CITY = 'Lisbon'
const SHOWN = 20
const EVERYDAY = ['everyday.jsonl', 'everyday-2.jsonl'].map(
  (file) => `${import.meta.dirname}/readings/2026-11-17/${file}`,
)

export async function measureRepeats(seed: string): Promise<string> {
  const names = await openNames()
  const { fields } = await readKnowledge()
  const { sums } = fields.byField.score([])
  const projects = Array.from(sums, (_, field) => fields.name(field))
  const rows = shuffleByHash(projects, seed, (name) => name).slice(0, ROWS)
  const everyday = EVERYDAY.flatMap(readDescriptions)
  const size = ANSWERS - everyday.length
  const companies = pickCompanies(findCompanies() ?? [], { split: 'test', size, seed }).map((one) => one.description)
  return [
    `${everyday.length + companies.length} answers of ${SHOWN} names; aim ≤ 1 %:`,
    ...(await listRepeated(names, [...everyday, ...companies])),
    `${ROWS} rows of a batch, all in ${CITY}; aim ≤ 5 %:`,
    ...(await listRepeated(
      names,
      rows.map((name) => `${name} in ${CITY}`),
    )),
  ].join('\n')
}

function readDescriptions(path: string): string[] {
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean)
  return lines.map((line) => (JSON.parse(line) as { description: string }).description)
}

/** The five most repeated. */
async function listRepeated(names: Names, descriptions: readonly string[]): Promise<string[]> {
  const counts = new Map<string, number>()
  for (const description of descriptions) {
    const answer = await names.propose(plainNameRequest(description), SHOWN, new AbortController().signal)
    for (const { label } of answer) counts.set(label, (counts.get(label) ?? 0) + 1)
  }
  return [...counts]
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, 5)
    .map(([label, count]) => `  ${label} in ${count}, ${((100 * count) / descriptions.length).toFixed(1)} %`)
}
