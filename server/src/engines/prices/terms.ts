/** Parses `data/suffix-terms.jsonl`: the suffixes that are sold for more than a year at a time. */
import type { Suffix } from '../../model/domain.ts'
import { checkFields, readRows } from './fields.ts'
import type { Term } from './price-row.ts'
import { dayField, sourceField, suffixField, yearsField } from './row-fields.ts'

export type Terms = ReadonlyMap<Suffix, Term>

interface TermLine {
  readonly suffix: Suffix
  readonly term_years: number
  readonly renewal_years: number
  readonly source: string
  readonly as_of: string
}

const FIELDS = {
  suffix: suffixField,
  term_years: yearsField,
  renewal_years: yearsField,
  source: sourceField,
  as_of: dayField,
}

export function parseTerms(file: string, text: string): Terms {
  const { rows, report, settle } = readRows(file, text)
  const terms = new Map<Suffix, Term>()
  for (const { where, row } of rows) {
    if (!checkFields<TermLine>(row, FIELDS, (problem) => report(where, problem))) continue
    if (terms.has(row.suffix)) report(where, `${row.suffix} is listed twice`)
    terms.set(row.suffix, { termYears: row.term_years, renewalYears: row.renewal_years })
  }
  settle()
  return terms
}
