/**
 * `docs/decisions/`: short dated pages, numbered from 0001 without gaps, and one for every runtime dependency.
 *
 * A page speaks for a dependency when its first heading names it: `# 0003 fastify: the HTTP framework`.
 */
import type { Violation } from '../violation.ts'
import type { Page } from './markdown.ts'

const FOLDER = 'docs/decisions/'
const FILE_NAME = /^(\d{4})-[a-z0-9]+(?:-[a-z0-9]+)*\.md$/
// Longer than a screen is no longer a decision but a manual.
const MAX_LINES = 60

export function checkDecisions(
  pages: ReadonlyMap<string, Page>,
  packages: ReadonlyMap<string, readonly string[]>,
): Violation[] {
  const decisions = [...pages]
    .filter(([file]) => file.startsWith(FOLDER) && file !== `${FOLDER}README.md`)
    .toSorted(([a], [b]) => a.localeCompare(b))
  return [
    ...decisions.flatMap(([file, page]) => checkPage(file, page)),
    ...checkNumbers(decisions.map(([file]) => file)),
    ...checkDependencies(new Set(decisions.flatMap(([, { title }]) => namesIn(title))), packages),
  ]
}

function checkPage(file: string, { title, lines }: Page): Violation[] {
  const found: Violation[] = []
  const add = (advice: string, line = 1) => found.push({ file, line, rule: 'decision', advice })
  const number = FILE_NAME.exec(file.slice(FOLDER.length))?.[1]
  if (number === undefined) add('name it NNNN-what-was-decided.md')
  else if (!title.startsWith(`${number} `)) add(`start with the heading "# ${number} name: what was decided"`)
  if (!lines.some(isDateLine)) add('give it a line "Date: YYYY-MM-DD"')
  if (lines.length > MAX_LINES) add(`${lines.length} lines: keep the decision to ${MAX_LINES}`, MAX_LINES + 1)
  return found
}

function isDateLine(line: string): boolean {
  const date = /^Date: (\d{4}-\d{2}-\d{2})$/.exec(line)?.[1]
  const read = new Date(date ?? '')
  // Date rolls 31 February over to March; only a date that reads back the same exists.
  return !Number.isNaN(read.getTime()) && read.toISOString().startsWith(date ?? '')
}

function checkNumbers(files: readonly string[]): Violation[] {
  const numbered = files.filter((file) => FILE_NAME.test(file.slice(FOLDER.length)))
  return numbered.flatMap((file, index) => {
    const expected = String(index + 1).padStart(4, '0')
    if (file.startsWith(FOLDER + expected)) return []
    return [{ file, line: 1, rule: 'decision', advice: `numbers run from 0001 without gaps: this one is ${expected}` }]
  })
}

function namesIn(title: string): string[] {
  return title.split(/[\s:,`]+/)
}

function checkDependencies(named: ReadonlySet<string>, packages: ReadonlyMap<string, readonly string[]>): Violation[] {
  return [...packages].flatMap(([file, dependencies]) =>
    dependencies
      .filter((name) => !named.has(name))
      .map((name) => ({
        file,
        line: 1,
        rule: 'decision',
        advice: `${name} has no page: write ${FOLDER}NNNN-*.md with "# NNNN ${name}: …" as its first heading`,
      })),
  )
}
