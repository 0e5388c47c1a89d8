/**
 * Reads untrusted JSON: every function returns undefined, or an empty result, for anything that does not have exactly
 * the expected shape. No external value gets a type by a cast.
 */
import { minorDigits } from '../../../model/money.ts'
import type { Currency, Money } from '../../../model/money.ts'

export type Fields = Readonly<Record<string, unknown>>

/** The object in a text; an empty one if the text is something else. */
export function readObject(text: string): Fields {
  try {
    const value: unknown = JSON.parse(text)
    return isFields(value) ? value : {}
  } catch {
    return {}
  }
}

/** The objects of a JSON list; empty if the text is something else. */
export function readRows(text: string): readonly Fields[] {
  try {
    return rowsIn(JSON.parse(text))
  } catch {
    return []
  }
}

/** The strings of a JSON list; empty if the text is something else. */
export function listIn(text: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
  } catch {
    return []
  }
}

export function fieldsIn(value: unknown): Fields {
  return isFields(value) ? value : {}
}

/** The objects of a list; all other items are skipped. */
export function rowsIn(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isFields) : []
}

export function textIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** How many years a price is for. ICANN's registries and nearly all others sell one to ten. */
export function yearsIn(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 10 ? value : undefined
}

// The most expensive domain ever sold in public was well under this in dollars; a larger number is a mistake.
const MAX_MINOR = 100_000_000_00
// At most four decimals, as Namecheap writes them, and a length that a double holds exactly.
const DECIMAL = /^\d{1,9}(?:\.\d{1,4})?$/

/**
 * A positive amount of US dollars, as a number (`11.25`) or as text (`"11.25"`); grouping commas and signs are
 * rejected.
 */
export function dollarsIn(value: unknown): Money | undefined {
  return moneyIn(value, 'USD')
}

/** The same in any currency, rounded to its minor unit. */
export function moneyIn(value: unknown, currency: Currency): Money | undefined {
  if (typeof value === 'string' && !DECIMAL.test(value)) return undefined
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const minor = Math.round(Number(value) * 10 ** minorDigits(currency))
  return Number.isSafeInteger(minor) && minor > 0 && minor <= MAX_MINOR ? { minor, currency } : undefined
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
