/**
 * Prints data on standard output in the requested format.
 *
 *   on a terminal   a table
 *   elsewhere       plain lines, cells separated by tabs
 *   --json          one document; --ndjson one line per item; --csv RFC 4180 with a header row; --md a table in Markdown
 *
 * Table, lines and CSV share one list of columns. JSON is the response of the service, unchanged.
 */
import { clean, jsonText } from './clean.ts'
import { csvLine } from './csv.ts'
import type { CsvValue } from './csv.ts'
import { usageError } from './exit.ts'
import { widthOfOutput } from './live.ts'
import type { Paint } from './paint.ts'
import type { Options } from './spec.ts'
import type { Output } from './streams.ts'
import { tableLines } from './table.ts'
import type { Cell, Heading } from './table.ts'

export type Format = 'table' | 'plain' | 'json' | 'ndjson' | 'csv' | 'md'

export interface Column<Item> {
  /** The name in CSV, which is the field name of the API. */
  readonly name: string
  readonly value: (item: Item) => CsvValue
  /** The heading in the table. Without one the column is in CSV only, and an address in Markdown. */
  readonly heading?: Heading
  /** The cell of the table, where it differs from the value. */
  readonly cell?: (item: Item) => Cell
}

export function formatOf(options: Options, output: Output): Format {
  const asked = (['json', 'ndjson', 'csv', 'md'] as const).filter((name) => options.flag(name))
  const [format, other] = asked
  if (other !== undefined) throw usageError(`--${format} and --${other} cannot be combined. Choose one.`)
  return format ?? (output.isTTY === true ? 'table' : 'plain')
}

export interface Showing<Item> {
  readonly format: Format
  readonly output: Output
  readonly paint: Paint
  readonly columns: readonly Column<Item>[]
}

/** Prints items as they arrive, where the format allows that, and returns their number. */
export async function showAll<Item>(
  items: AsyncIterable<Item> | Iterable<Item>,
  { format, output, paint, columns }: Showing<Item>,
): Promise<number> {
  const kept: Item[] = []
  let count = 0
  if (format === 'csv') output.write(csvLine(columns.map(({ name }) => name)))
  for await (const item of items) {
    count += 1
    if (format === 'csv') output.write(csvLine(columns.map(({ value }) => value(item))))
    else if (format === 'ndjson') output.write(`${jsonText(item)}\n`)
    else if (format === 'plain') output.write(plainLine(columns, item))
    else kept.push(item)
  }
  if (format === 'json') output.write(`${jsonText(kept, 2)}\n`)
  if (format === 'md') output.write(markdownOf(kept, columns))
  if (format === 'table' && count > 0) output.write(tableOf(kept, columns, output, paint))
  return count
}

/** Prints a single record; a table has one row per field. */
export function showOne<Item>(item: Item, { format, output, paint, columns }: Showing<Item>): void {
  if (format === 'csv') {
    output.write(csvLine(columns.map(({ name }) => name)) + csvLine(columns.map(({ value }) => value(item))))
  } else if (format === 'json') output.write(`${jsonText(item, 2)}\n`)
  else if (format === 'ndjson') output.write(`${jsonText(item)}\n`)
  else if (format === 'plain') {
    for (const { name, value } of columns) output.write(`${name}\t${plainText(value(item))}\n`)
  } else {
    const rows = columns.map((column): Cell[] => [
      { text: column.heading?.title ?? column.name, colour: 'dim' },
      cellOf(column, item),
    ])
    const headings = [{ title: '' }, { title: '', shrinks: true }]
    output.write(linesText(tableLines(headings, rows, { width: widthOfOutput(output), paint }).slice(1)))
  }
}

const LINKS = new Set(['register_url', 'url'])

function markdownOf<Item>(items: readonly Item[], columns: readonly Column<Item>[]): string {
  const shown = columns.filter(({ heading, name }) => heading !== undefined || LINKS.has(name))
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return linesText([
    line(shown.map(({ name, heading }) => heading?.title || name.replaceAll('_', ' '))),
    line(shown.map(({ heading }) => (heading?.align === 'right' ? '--:' : '---'))),
    ...items.map((item) => line(shown.map((column) => markdownText(cellOf(column, item).text)))),
  ])
}

/** Text that Markdown would read as a link, code, HTML or the end of a cell stays text; an address becomes a link. */
function markdownText(text: string): string {
  const safe = clean(text)
  return /^https:\/\/[^\s<>|]+$/.test(safe) ? `<${safe}>` : safe.replaceAll(/[\\`*_[\]<>|~#]/g, '\\$&')
}

export function tableOf<Item>(
  items: readonly Item[],
  columns: readonly Column<Item>[],
  output: Output,
  paint: Paint,
): string {
  const shown = columns.filter(({ heading }) => heading !== undefined)
  const headings = shown.map(({ heading }) => heading ?? { title: '' })
  const rows = items.map((item) => shown.map((column) => cellOf(column, item)))
  return linesText(tableLines(headings, rows, { width: widthOfOutput(output), paint }))
}

export function linesText(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('')
}

export function plainLine<Item>(columns: readonly Column<Item>[], item: Item): string {
  const shown = columns.filter(({ heading }) => heading !== undefined)
  return `${shown.map(({ value }) => plainText(value(item))).join('\t')}\n`
}

function cellOf<Item>({ value, cell }: Column<Item>, item: Item): Cell {
  return cell?.(item) ?? { text: plainText(value(item)) }
}

function plainText(value: CsvValue): string {
  return clean(value === null || value === undefined ? '' : String(value))
}
