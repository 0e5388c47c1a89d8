/**
 * The operator's own price file: what they sell, and at which price. It overrides every list.
 *
 * Each row is about one suffix, or about `*`, every suffix that no other row names. Prices are for one year:
 *
 *   {"suffix":"com","registration":1299,"renewal":1499,"transfer":1299,"source":"Example Names","as_of":"2026-11-01"}
 *   {"suffix":"*","markup_percent":15,"source":"Example Names"}
 *   {"suffix":"sucks","offered":false}
 *
 * With `{"suffix":"*","offered":false}` only the suffixes of the file are offered. A row with prices may add a suffix
 * that is in no catalogue. A file with any mistake is refused as a whole: a partial price file would give wrong
 * prices.
 */
import type { Suffix } from '../../model/domain.ts'
import { markUp } from '../../model/money.ts'
import { checkFields, readRows } from './fields.ts'
import type { PriceField } from './fields.ts'
import { ONE_YEAR } from './price-row.ts'
import type { ListPrice, PriceRow, SuffixFacts } from './price-row.ts'
import { dayField, eligibilityField, PRICE_FIELDS, sourceField, suffixField, yearsField } from './row-fields.ts'
import type { Terms } from './terms.ts'

type Retail = ListPrice & {
  readonly suffix: Suffix
  readonly years?: number
  readonly eligibility?: string
  readonly source: string
  readonly as_of: string
}
interface Markup {
  readonly suffix: Suffix | '*'
  readonly markup_percent: number
  readonly source: string
}
interface Withheld {
  readonly suffix: Suffix | '*'
  readonly offered: false
}
type PriceRule = Retail | Markup | Withheld

export type OwnPrices = ReadonlyMap<Suffix | '*', PriceRule>

export const NO_OWN_PRICES: OwnPrices = new Map()

const suffixOrAll: PriceField = {
  holds: (value) => value === '*' || suffixField.holds(value),
  wanted: 'a suffix such as co.uk, or *',
}
// Basis points are integers, so that the arithmetic is exact. A markup of ten times is a misplaced decimal point.
const percent: PriceField = {
  holds: (value) =>
    typeof value === 'number' && value >= -90 && value <= 900 && /^-?\d+(?:\.\d{1,2})?$/.test(String(value)),
  wanted: 'a percentage from -90 to 900 with at most two decimals',
}
const no: PriceField = { holds: (value) => value === false, wanted: 'false' }

/** Throws a DataError that names every problem. */
export function parseOwnPrices(file: string, text: string, eligibility: ReadonlySet<string>): OwnPrices {
  const { rows, report, settle } = readRows(file, text)
  const own = new Map<Suffix | '*', PriceRule>()
  const retail = {
    suffix: suffixField,
    ...PRICE_FIELDS,
    years: yearsField,
    eligibility: eligibilityField(eligibility),
    source: sourceField,
    as_of: dayField,
  }
  for (const { where, row } of rows) {
    const tell = (problem: string) => report(where, problem)
    let rule: PriceRule | undefined
    if ('offered' in row) {
      if (checkFields<Withheld>(row, { suffix: suffixOrAll, offered: no }, tell)) rule = row
    } else if ('markup_percent' in row) {
      const fields = { suffix: suffixOrAll, markup_percent: percent, source: sourceField }
      if (checkFields<Markup>(row, fields, tell)) rule = row
    } else if (checkFields<Retail>(row, retail, tell, ['years', 'eligibility'])) rule = row
    if (rule === undefined) continue
    if (own.has(rule.suffix)) tell(`${rule.suffix} is listed twice`)
    own.set(rule.suffix, rule)
  }
  if (own.size === 0) report('the file', 'has no price')
  settle()
  return own
}

/** The offered suffixes: the listed ones, as changed, hidden or extended by the operator's file. */
export function applyOwnPrices(
  listed: ReadonlyMap<Suffix, PriceRow>,
  own: OwnPrices,
  terms: Terms,
): ReadonlyMap<Suffix, PriceRow> {
  const offered = new Map<Suffix, PriceRow>()
  const rest = own.get('*')
  for (const [suffix, row] of listed) {
    const found = applyRule(row, own.get(suffix) ?? rest)
    if (found) offered.set(suffix, found)
  }
  for (const [suffix, rule] of own) {
    if (suffix === '*' || offered.has(suffix) || !('registration' in rule)) continue
    const facts = { suffix, eligibility: 'open', idn: null, rdap: false, popularity: null }
    offered.set(suffix, priced({ ...facts, ...(terms.get(suffix) ?? ONE_YEAR) }, rule))
  }
  return offered
}

function applyRule(row: PriceRow, rule: PriceRule | undefined): PriceRow | undefined {
  if (rule === undefined) return row
  if ('offered' in rule) return undefined
  if ('registration' in rule) return priced(row, rule)
  const { source, markup_percent } = rule
  const basisPoints = Math.round(markup_percent * 100)
  // However deep the discount, only a transfer can cost nothing.
  const changed = (minor: number) => Math.max(Math.min(1, minor), markUp(minor, basisPoints))
  const { registration, renewal, transfer } = row
  return {
    ...row,
    registration: changed(registration),
    renewal: changed(renewal),
    transfer: transfer === null ? null : changed(transfer),
    source,
  }
}

function priced(facts: SuffixFacts, rule: Retail): PriceRow {
  const { registration, renewal, transfer, years, eligibility = facts.eligibility, source } = rule
  // Where only the operator knows the term, a renewal is as long: the higher bill of the two.
  const term = years === undefined ? {} : { termYears: years, renewalYears: Math.max(years, facts.renewalYears) }
  const prices = { registration, renewal, transfer, currency: 'USD' as const }
  return { ...facts, ...term, eligibility, ...prices, source, asOf: rule.as_of }
}
