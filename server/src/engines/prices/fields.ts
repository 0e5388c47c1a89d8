/**
 * Validates the rows of a data file field by field, and names every problem by line and field.
 *
 * A file is JSON Lines or one JSON array; both give the same rows. Nothing is repaired: a file is valid, or it is
 * refused with a list of its problems.
 */

/** The file cannot be used; the message lists the problems, one per line. */
export class DataError extends Error {}

// Enough to correct a file; a file with thousands of problems has one cause.
const MAX_PROBLEMS = 20

export interface PriceField {
  readonly holds: (value: unknown) => boolean
  /** Completes "name must be …". */
  readonly wanted: string
}
type FieldRow = Readonly<Record<string, unknown>>

export interface PriceRows {
  readonly rows: readonly { readonly where: string; readonly row: FieldRow }[]
  readonly report: (where: string, problem: string) => void
  /** Throws a DataError if anything was reported. */
  readonly settle: () => void
}

export function readRows(file: string, text: string): PriceRows {
  const problems: string[] = []
  const report = (where: string, problem: string) => void problems.push(`${file}: ${where}: ${problem}`)
  const rows = itemsOf(text, report).flatMap(({ where, item }) => {
    if (isObject(item)) return [{ where, row: item }]
    report(where, 'must be an object')
    return []
  })
  return {
    rows,
    report,
    settle() {
      if (problems.length === 0) return
      const more = problems.length > MAX_PROBLEMS ? [`… and ${problems.length - MAX_PROBLEMS} more`] : []
      throw new DataError([...problems.slice(0, MAX_PROBLEMS), ...more].join('\n'))
    },
  }
}

export type PriceFields<T> = { readonly [Name in keyof T]-?: PriceField }

/** Whether a row has these fields and no others; problems are reported. `optional` may be left out, never null. */
export function checkFields<T extends object>(
  row: FieldRow,
  fields: PriceFields<T>,
  report: (problem: string) => void,
  optional: readonly (keyof T)[] = [],
): row is FieldRow & T {
  const rules: readonly [string, PriceField][] = Object.entries(fields)
  const strangers = Object.keys(row).filter((name) => !Object.hasOwn(fields, name))
  const wrong = rules.filter(([name, { holds }]) =>
    Object.hasOwn(row, name) ? !holds(row[name]) : !optional.some((one) => one === name),
  )
  for (const name of strangers) report(`${name} is not a field`)
  for (const [name, { wanted }] of wrong) report(`${name} must be ${wanted}`)
  return strangers.length === 0 && wrong.length === 0
}

export function isObject(value: unknown): value is FieldRow {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** `2026-11-15`, a day that exists. */
export function isDay(value: unknown): value is string {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return false
  const ms = Date.parse(`${value}T00:00:00Z`)
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(value)
}

function itemsOf(text: string, report: PriceRows['report']): { where: string; item: unknown }[] {
  if (text.trimStart().startsWith('[')) {
    const list = parse(text, 'the file', report)
    return Array.isArray(list) ? list.map((item: unknown, i) => ({ where: `entry ${i + 1}`, item })) : []
  }
  return text.split('\n').flatMap((line, i) => {
    const where = `line ${i + 1}`
    const item = line.trim() === '' ? undefined : parse(line, where, report)
    return item === undefined ? [] : [{ where, item }]
  })
}

function parse(text: string, where: string, report: PriceRows['report']): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    report(where, 'is not JSON')
    return undefined
  }
}
