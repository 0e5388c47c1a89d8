/** Parses `data/suffixes.jsonl`: every suffix we can offer, or an error that names what is wrong with the file. */
import type { Suffix } from '../../model/domain.ts'
import { isCurrency } from '../../model/money.ts'
import type { Currency } from '../../model/money.ts'
import { checkFields, readRows } from './fields.ts'
import type { PriceFields } from './fields.ts'
import { ONE_YEAR } from './price-row.ts'
import type { PriceRow, Term } from './price-row.ts'
import { dayField, eligibilityField, PRICE_FIELDS, sourceField, suffixField } from './row-fields.ts'
import type { Terms } from './terms.ts'

type CatalogueLine = Omit<PriceRow, 'asOf' | 'currency' | keyof Term> & {
  readonly currency?: Currency
  readonly as_of: string
}

export function parseCatalogue(
  file: string,
  text: string,
  eligibility: ReadonlySet<string>,
  terms: Terms,
): ReadonlyMap<Suffix, PriceRow> {
  const { rows, report, settle } = readRows(file, text)
  const catalogue = new Map<Suffix, PriceRow>()
  const fields: PriceFields<CatalogueLine> = {
    suffix: suffixField,
    ...PRICE_FIELDS,
    currency: {
      holds: (value) => typeof value === 'string' && isCurrency(value),
      wanted: 'a code of data/currencies.json',
    },
    eligibility: eligibilityField(eligibility),
    idn: { holds: (value) => value === null || typeof value === 'boolean', wanted: 'true, false or null' },
    rdap: { holds: (value) => typeof value === 'boolean', wanted: 'true or false' },
    popularity: {
      holds: (value) => value === null || (Number.isInteger(value) && Number(value) > 0),
      wanted: 'a rank of 1 or more, or null',
    },
    source: sourceField,
    as_of: dayField,
  }
  for (const { where, row } of rows) {
    if (!checkFields<CatalogueLine>(row, fields, (problem) => report(where, problem), ['currency'])) continue
    const { as_of: asOf, currency = 'USD', ...facts } = row
    if (catalogue.has(row.suffix)) report(where, `${row.suffix} is listed twice`)
    catalogue.set(row.suffix, { ...facts, ...(terms.get(row.suffix) ?? ONE_YEAR), currency, asOf })
  }
  if (catalogue.size === 0) report('the file', 'has no suffix')
  settle()
  return catalogue
}
