import { minorToDecimal } from '../minor-units.ts'

/**
 * An amount in the reader's language. It is isolated as left-to-right text, so that it stays in one piece in a
 * right-to-left sentence. The isolation marks come from here only; marks from `Intl` are removed.
 */
export function moneyText(minor: number, currency: string, language: string): string {
  return `\u2066${amountText(minor, currency, language)}\u2069`
}

/** The same without isolation marks, for `fillIn`, which isolates the values that it fills in. */
export function amountText(minor: number, currency: string, language: string): string {
  // Latin digits in every language, as in the domains beside them.
  const options = { style: 'currency', currency, numberingSystem: 'latn' } as const
  const format = new Intl.NumberFormat(language, options)
  return format.format(Number(minorToDecimal(minor, currency))).replaceAll(/[\u200E\u200F\u061C]/g, '')
}
