/**
 * Money is an integer of hundredths and an ISO 4217 code; only `formatPrice` turns it into text.
 *
 * Every currency has hundredths here, the yen too (¥1234.00): programs read the text, and one shape for all of them
 * is worth more than the habit of each country. A currency without a symbol in `data/currencies.json` is none of ours.
 *
 * Nothing here knows a rate: `exchange` is given both, as exact fractions, and rounds once.
 */
import { readFileSync } from 'node:fs'

export interface Money {
  readonly minor: number
  readonly currency: Currency
}

/** `isCurrency` makes one of a text. Everything is kept in USD, which needs no rate. */
export type Currency = 'USD' | (string & { readonly __currency: true })

/** Units of a currency for one US dollar, as a fraction: decimal rates have no exact binary form. */
export interface Rate {
  readonly numerator: bigint
  readonly denominator: bigint
}

export const USD_RATE: Rate = { numerator: 1n, denominator: 1n }

// A table of constants that happens to be data: read once, like the code beside it.
const file = readFileSync(new URL('../../data/currencies.json', import.meta.url), 'utf8')
const SYMBOLS: ReadonlyMap<string, string> = new Map(
  Object.entries((JSON.parse(file) as { symbols: Record<string, string> }).symbols),
)

/** Every code that has a symbol, whether or not there is a rate for it. */
export const CURRENCIES: readonly Currency[] = [...SYMBOLS.keys()].filter(isCurrency)

export function isCurrency(code: string): code is Currency {
  return SYMBOLS.has(code)
}

/** `$12.99`: symbol first, two decimals, no grouping, in every language, because programs read it. */
export function formatPrice({ minor, currency }: Money): string {
  const symbol = SYMBOLS.get(currency)
  if (symbol === undefined || !isAmount(minor)) throw new RangeError(`${minor} ${currency} is no price`)
  return `${symbol}${Math.floor(minor / 100)}.${String(minor % 100).padStart(2, '0')}`
}

export function isAmount(minor: unknown): minor is number {
  return typeof minor === 'number' && Number.isSafeInteger(minor) && minor >= 0
}

/** Rounds half up, once, at the end. */
export function exchange({ minor }: Money, from: Rate, currency: Currency, to: Rate): Money {
  return {
    minor: divideHalfUp(BigInt(minor) * from.denominator * to.numerator, from.numerator * to.denominator),
    currency,
  }
}

/** An amount with so many hundredths of a percent more (or fewer), rounded half up. */
export function markUp(minor: number, basisPoints: number): number {
  return divideHalfUp(BigInt(minor) * BigInt(10_000 + basisPoints), 10_000n)
}

function divideHalfUp(dividend: bigint, divisor: bigint): number {
  return Number((2n * dividend + divisor) / (2n * divisor))
}
