/**
 * Money is an integer of minor units (ISO 4217) and a currency code; only `formatPrice` turns it into text.
 *
 * The minor unit is the currency's own: a cent of a dollar, a whole yen. The text has two decimals in every currency
 * (`¥1234.00`), because programs read it and one shape is easier to parse. A currency without a symbol in
 * `data/currencies.json` is not supported.
 *
 * Nothing here knows a rate: `exchange` is given both, as exact fractions, and rounds once.
 */
import { readData } from '../data.ts'

export interface Money {
  readonly minor: number
  readonly currency: Currency
}

/** `isCurrency` validates a text. Everything is stored in USD, which needs no rate. */
export type Currency = 'USD' | (string & { readonly __currency: true })

/** Units of a currency for one US dollar, as a fraction: decimal rates have no exact binary form. */
export interface Rate {
  readonly numerator: bigint
  readonly denominator: bigint
}

export const USD_RATE: Rate = { numerator: 1n, denominator: 1n }

// A constant table stored as data: read once, at import.
const SYMBOLS: ReadonlyMap<string, string> = new Map(
  Object.entries((JSON.parse(readData('currencies.json')) as { symbols: Record<string, string> }).symbols),
)

/** Every code that has a symbol, whether or not there is a rate for it. */
export const CURRENCIES: readonly Currency[] = [...SYMBOLS.keys()].filter(isCurrency)

export function isCurrency(code: string): code is Currency {
  return SYMBOLS.has(code)
}

// ISO 4217, list one: the currencies whose minor unit is not a hundredth.
const MINOR_DIGITS: ReadonlyMap<string, number> = new Map([
  ...'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' ').map((code) => [code, 0] as const),
  ...'BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code) => [code, 3] as const),
  ...'CLF UYW'.split(' ').map((code) => [code, 4] as const),
])

/** How many decimals the minor unit of a currency has: 2 for USD, 0 for JPY, 3 for KWD. */
export function minorDigits(currency: string): number {
  return MINOR_DIGITS.get(currency) ?? 2
}

/** `$12.99`: symbol first, two decimals, no grouping, in every language, because programs read it. */
export function formatPrice({ minor, currency }: Money): string {
  const symbol = SYMBOLS.get(currency)
  if (symbol === undefined || !isAmount(minor)) throw new RangeError(`${minor} ${currency} is not a price`)
  const hundredths = divideHalfUp(BigInt(minor) * 100n, 10n ** BigInt(minorDigits(currency)))
  return `${symbol}${hundredths / 100n}.${String(hundredths % 100n).padStart(2, '0')}`
}

export function isAmount(minor: unknown): minor is number {
  return typeof minor === 'number' && Number.isSafeInteger(minor) && minor >= 0
}

/** Rounds half up, once, at the end. */
export function exchange(money: Money, from: Rate, currency: Currency, to: Rate): Money {
  const units = BigInt(money.minor) * 10n ** BigInt(minorDigits(currency))
  const perUnit = 10n ** BigInt(minorDigits(money.currency))
  const minor = divideHalfUp(units * from.denominator * to.numerator, perUnit * from.numerator * to.denominator)
  return { minor: Number(minor), currency }
}

/** The highest amount in minor units that is not above a decimal amount. */
export function minorWithin(amount: number, currency: Currency): number {
  // A decimal such as 12.99 is slightly less than itself in binary.
  return Math.floor(amount * 10 ** minorDigits(currency) + 1e-6)
}

/** An amount increased (or decreased) by this many basis points, rounded half up. */
export function markUp(minor: number, basisPoints: number): number {
  return Number(divideHalfUp(BigInt(minor) * BigInt(10_000 + basisPoints), 10_000n))
}

function divideHalfUp(dividend: bigint, divisor: bigint): bigint {
  return (2n * dividend + divisor) / (2n * divisor)
}
