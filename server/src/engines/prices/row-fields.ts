/** The rules of the fields that the catalogue and the operator's own price file share. */
import { isSuffix } from '../../model/domain.ts'
import { isAmount } from '../../model/money.ts'
import { isDay } from './fields.ts'
import type { PriceField, PriceFields } from './fields.ts'
import { DEAREST } from './price-row.ts'
import type { ListPrice } from './price-row.ts'

const paid: PriceField = {
  holds: (value) => isAmount(value) && value > 0 && value <= DEAREST,
  wanted: `US cents, 1 to ${DEAREST}`,
}
// Some registries charge nothing for a transfer, and some lists do not say.
const paidOrFree: PriceField = {
  holds: (value) => value === null || (isAmount(value) && value <= DEAREST),
  wanted: `US cents, 0 to ${DEAREST}, or null`,
}

export const PRICE_FIELDS: PriceFields<ListPrice> = { registration: paid, renewal: paid, transfer: paidOrFree }

export const suffixField: PriceField = {
  holds: (value) => typeof value === 'string' && isSuffix(value),
  wanted: 'a suffix such as co.uk',
}

export const yearsField: PriceField = {
  holds: (value) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 10,
  wanted: 'years, 1 to 10',
}

export const sourceField: PriceField = {
  holds: (value) => typeof value === 'string' && value.trim() !== '' && value.length <= 100,
  wanted: 'a text of 1 to 100 characters',
}

export const dayField: PriceField = {
  holds: (value) => isDay(value) || isDay(`${String(value)}-01`),
  wanted: 'a day or month such as 2026-11-15 or 2026-11',
}

export function eligibilityField(codes: ReadonlySet<string>): PriceField {
  return { holds: (value) => typeof value === 'string' && codes.has(value), wanted: 'a code of data/eligibility.json' }
}
