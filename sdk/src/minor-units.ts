/**
 * Amounts in minor units, as the `*_minor` fields of the API have them: how many decimals a currency has (ISO 4217), and
 * exact decimal text. No floating point, and no symbols or grouping: those depend on the reader's language.
 *
 * The table is ISO 4217, not `Intl.NumberFormat`: CLDR shows fewer decimals than ISO 4217 for some currencies.
 */

/** Currencies without exactly two decimals. */
const DIGITS: ReadonlyMap<string, number> = new Map(
  Object.entries({
    0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
    3: 'BHD IQD JOD KWD LYD OMR TND',
    4: 'CLF UYW',
  }).flatMap(([digits, codes]) => codes.split(' ').map((code) => [code, Number(digits)] as const)),
)

const USUAL_DIGITS = 2

/**
 * The number of decimals of a currency by ISO 4217: 2 for most, 0 for the yen, 3 for the Kuwaiti dinar. An unknown
 * code counts as 2.
 *
 * @example
 * ```ts
 * import { minorDigits } from '@namewright/client'
 *
 * console.log(minorDigits('USD'), minorDigits('JPY'), minorDigits('KWD')) // 2 0 3
 * ```
 */
export function minorDigits(currency: string): number {
  return DIGITS.get(currency) ?? USUAL_DIGITS
}

/**
 * An amount in minor units as exact decimal text: `1299` USD is `12.99`, `1650` JPY is `1650`. Throws a `RangeError`
 * when the amount is not a safe integer.
 *
 * @example
 * ```ts
 * import { minorToDecimal } from '@namewright/client'
 * import type { Pricing } from '@namewright/client'
 *
 * export const renewalOf = ({ renewal_minor, currency }: Pricing): string =>
 *   `${minorToDecimal(renewal_minor, currency)} ${currency}`
 * ```
 */
export function minorToDecimal(minor: number, currency: string): string {
  if (!Number.isSafeInteger(minor)) throw new RangeError(`${minor} is not an amount in minor units`)
  const digits = minorDigits(currency)
  const text = String(Math.abs(minor)).padStart(digits + 1, '0')
  const whole = text.slice(0, text.length - digits)
  const sign = minor < 0 ? '-' : ''
  return digits === 0 ? `${sign}${whole}` : `${sign}${whole}.${text.slice(-digits)}`
}
