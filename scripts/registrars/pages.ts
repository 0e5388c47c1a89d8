/**
 * What the docs and `example.env` say about registrars, derived from their declarations. Pure functions from text to text.
 *
 * A table is found by its header, because our pages have no comments to mark it with. Only rows of registrars are written; headers and
 * everything around the tables belong to the page.
 */
import type { RegistrarDeclaration } from '../../server/src/engines/availability/registrars/declaration.ts'
import { requiredSettingsOf } from '../../server/src/platform/config/registrars.ts'
import { SETTINGS } from '../../server/src/platform/config/settings.ts'

type Write = (text: string, registrars: readonly RegistrarDeclaration[]) => string
type Row = readonly string[]

const CHOICE = 'NAMEWRIGHT_REGISTRARS'
const BEHIND = Object.keys(SETTINGS)[Object.keys(SETTINGS).indexOf(CHOICE) + 1] ?? ''

/** The files with a part about registrars, each with how it is written. */
export const WRITERS: ReadonlyMap<string, Write> = new Map<string, Write>([
  ['example.env', writeExample],
  ['docs/configuration.md', writeSettings],
  ['docs/data-sources.md', writeSources],
  ['docs/privacy.md', writePrivacy],
])

function writeExample(text: string, registrars: readonly RegistrarDeclaration[]): string {
  const entries = settingsOf(registrars).map(([name, { about, example }]) => `# ${about}\n# ${name}=${example}`)
  return replaceBetween(text.split('\n\n'), (entry, name) => entry.includes(`${name}=`), entries).join('\n\n')
}

function writeSettings(text: string, registrars: readonly RegistrarDeclaration[]): string {
  const settings = settingsOf(registrars).map(([name, { about, example }]) => [
    `\`${name}\``,
    'empty',
    `\`${example}\``,
    about,
  ])
  return replaceRows(text, ['name', 'default'], (rows) =>
    replaceBetween(rows, ([cell], name) => cell === `\`${name}\``, settings),
  )
}

function writeSources(text: string, registrars: readonly RegistrarDeclaration[]): string {
  const withUntried = replaceRows(text, ['registrar', 'documentation'], () => untriedOf(registrars))
  return replaceRows(withUntried, ['registrar', 'needs'], () =>
    registrars.map((registrar) => [
      `${registrar.title}: \`${registrar.name}\``,
      needsOf(registrar),
      sizeOf(registrar),
      registrar.docs.premiumPrices,
    ]),
  )
}

function writePrivacy(text: string, registrars: readonly RegistrarDeclaration[]): string {
  return replaceRows(text, ['registrar', 'host'], () =>
    registrars.map(({ title, name, host, privacy }) => [
      `${title}: \`${name}\``,
      typeof host === 'string' ? `\`${host}\`` : `the host in \`${host.setting}\``,
      privacy,
    ]),
  )
}

function untriedOf(registrars: readonly RegistrarDeclaration[]): Row[] {
  return registrars.flatMap(({ title, name, untried }) =>
    untried === undefined
      ? []
      : [
          [
            `${title}: \`${name}\``,
            `[${new URL(untried.documentation).host}](${untried.documentation})`,
            `${untried.readFrom}; ${untried.readOn}`,
            untried.omits,
          ],
        ],
  )
}

function settingsOf(registrars: readonly RegistrarDeclaration[]) {
  return registrars.flatMap(({ settings }) => Object.entries(settings))
}

function needsOf(registrar: RegistrarDeclaration): string {
  const settings = requiredSettingsOf(registrar).map((name) => `\`${name}\``)
  const { needs } = registrar.docs
  if (settings.length === 0) return needs ?? 'nothing'
  return [settings.join(' and '), ...(needs === undefined ? [] : [`and ${needs}`])].join(', ')
}

function sizeOf({ batch, everyMs }: RegistrarDeclaration): string {
  return everyMs === undefined ? `${batch}` : `${batch}, every ${everyMs / 1000} s`
}

/** Puts `inserted` in place of everything between the setting that chooses registrars and the next one that is nobody's. */
function replaceBetween<T>(items: readonly T[], isOf: (item: T, name: string) => boolean, inserted: readonly T[]): T[] {
  const [first, next] = [CHOICE, BEHIND].map((name) => items.findIndex((item) => isOf(item, name)))
  if (first === undefined || next === undefined || first < 0 || next < first) {
    throw new Error(`${CHOICE} and ${BEHIND} must both be listed, in this order`)
  }
  return [...items.slice(0, first + 1), ...inserted, ...items.slice(next)]
}

/** Writes the rows of the one table whose header begins with these cells, as wide as the formatter makes it. */
export function replaceRows(text: string, begins: Row, rowsOf: (rows: readonly Row[]) => readonly Row[]): string {
  const lines = text.split('\n')
  const start = lines.findIndex(
    (line) => line.startsWith('|') && begins.every((cell, at) => cellsOf(line)[at] === cell),
  )
  if (start < 0) throw new Error(`there is no table with the header ${begins.join(', ')}`)
  const length = lines.slice(start).findIndex((line) => !line.startsWith('|'))
  const end = length < 0 ? lines.length : start + length
  const header = cellsOf(lines[start] ?? '')
  const rows = rowsOf(lines.slice(start + 2, end).map(cellsOf))
  return [...lines.slice(0, start), ...tableOf(header, rows), ...lines.slice(end)].join('\n')
}

function cellsOf(line: string): Row {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())
}

function tableOf(header: Row, rows: readonly Row[]): string[] {
  const widths = header.map((_, at) => Math.max(3, ...[header, ...rows].map((row) => row[at]?.length ?? 0)))
  const lineOf = (cells: Row) => `| ${widths.map((width, at) => (cells[at] ?? '').padEnd(width)).join(' | ')} |`
  return [header, widths.map((width) => '-'.repeat(width)), ...rows].map(lineOf)
}
