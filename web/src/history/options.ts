/**
 * What was asked besides the description, in plain words. Whatever program asked, the record has what it sent; what is
 * not of the expected kind is passed over.
 */
import { dotted } from '../i18n/format.ts'
import type { Format } from '../i18n/format.ts'
import type { Say } from '../i18n/i18n.ts'

export interface Options {
  text(key: string): string | undefined
  number(key: string): number | undefined
  flag(key: string): boolean | undefined
  list(key: string): readonly string[] | undefined
}

export function readOptions(options: Readonly<Record<string, unknown>>): Options {
  const only = <T>(value: unknown, fits: (value: unknown) => value is T) => (fits(value) ? value : undefined)
  return {
    text: (key) => only(options[key], (value) => typeof value === 'string'),
    number: (key) => only(options[key], (value) => typeof value === 'number'),
    flag: (key) => only(options[key], (value) => typeof value === 'boolean'),
    list: (key) => {
      const value = options[key]
      if (!Array.isArray(value) || value.length === 0) return undefined
      return value.filter((part) => typeof part === 'string')
    },
  }
}

const LISTS = [
  ['include_words', 'history.optionWith'],
  ['exclude_words', 'history.optionWithout'],
  ['like', 'history.optionLike'],
  ['unlike', 'history.optionUnlike'],
] as const

const FLAGS = [
  ['hyphens', true, 'history.optionHyphens'],
  ['digits', true, 'history.optionDigits'],
  ['idn', true, 'history.optionLetters'],
  ['premium', true, 'history.optionPremium'],
  ['variants', true, 'history.optionVariants'],
  ['only_available', false, 'history.optionTakenToo'],
] as const

export function optionTexts(
  given: Readonly<Record<string, unknown>>,
  { t, format, language }: { readonly t: Say; readonly format: Format; readonly language: string },
): readonly string[] {
  const options = readOptions(given)
  const suffixes = options.list('tlds')?.map((suffix) => (suffix.includes(':') ? suffix : dotted(suffix)))
  const styles = options.list('styles')?.map((style) => t('history.style', { style }))
  const country = options.text('country')
  const lists = LISTS.map(([key, id]) => {
    const words = options.list(key)
    return words && t(id, { words: format.list(words) })
  })
  return [
    suffixes && t('history.optionSuffixes', { suffixes: format.list(suffixes) }),
    styles && t('history.optionStyles', { styles: format.list(styles) }),
    lengthText(options, t),
    ...lists,
    priceText(options, 'max_price', t, language),
    priceText(options, 'max_price_5y', t, language),
    country === undefined ? undefined : t('history.optionCountry', { country: nameOf(country, language) }),
    ...FLAGS.map(([key, expected, id]) => (options.flag(key) === expected ? t(id) : undefined)),
  ].filter((text) => text !== undefined)
}

function lengthText(options: Options, t: Say): string | undefined {
  const [least, most] = [options.number('min_length'), options.number('max_length')]
  if (least !== undefined && most !== undefined) return t('history.optionBetween', { least, most })
  if (least !== undefined) return t('history.optionFrom', { least })
  return most === undefined ? undefined : t('history.optionUpTo', { most })
}

function priceText(options: Options, key: 'max_price' | 'max_price_5y', t: Say, language: string): string | undefined {
  const most = options.number(key)
  if (most === undefined) return undefined
  const price = moneyOf(most, options.text('currency') ?? 'USD', language)
  return t(key === 'max_price' ? 'history.optionPrice' : 'history.optionPrice5y', { price })
}

/** In whole units, as it was sent; a currency that is none was sent by somebody else's program. */
function moneyOf(amount: number, currency: string, language: string): string {
  try {
    return new Intl.NumberFormat(language, { style: 'currency', currency }).format(amount)
  } catch {
    return `${amount} ${currency}`
  }
}

function nameOf(country: string, language: string): string {
  try {
    return new Intl.DisplayNames(language, { type: 'region' }).of(country.toUpperCase()) ?? country
  } catch {
    return country
  }
}
