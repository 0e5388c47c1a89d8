/**
 * An amount as the reader writes it, by what their language and the currency have. Always read from the left, as one
 * piece, also in the middle of a sentence that is not: the marks for that are ours, so that all of it has one rule.
 */
export function moneyText(minor: number, currency: string, language: string): string {
  // Latin digits in every language, as in the domains beside them.
  const options = { style: 'currency', currency, numberingSystem: 'latn' } as const
  const format = new Intl.NumberFormat(language, options)
  // The service counts hundredths of every currency, of the yen too.
  const text = format.format(minor / 100).replaceAll(/[\u200E\u200F\u061C]/g, '')
  return `\u2066${text}\u2069`
}
