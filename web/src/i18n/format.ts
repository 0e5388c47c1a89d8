/** Numbers, money and moments as the reader's language writes them. */
import { minorToDecimal } from '@namewright/client'
import { useText } from './i18n.ts'
import { directionOf } from './languages.ts'

const SECOND = 1_000
const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 365 * 86_400 * SECOND],
  ['month', 30 * 86_400 * SECOND],
  ['day', 86_400 * SECOND],
  ['hour', 3_600 * SECOND],
  ['minute', 60 * SECOND],
  ['second', SECOND],
]

/** A suffix as it is written, `.com`, also inside a text that runs from right to left. */
export const dotted = (suffix: string): string => `\u2066.${suffix}\u2069`

export interface Format {
  number(value: number): string
  percent(share: number): string
  /** From minor units of ISO 4217: cents of a dollar, whole yen. */
  money(minor: number, currency: string): string
  date(moment: string | number | Date): string
  dateTime(moment: string | number | Date): string
  /** "12 seconds ago", "in 3 days". */
  ago(moment: string | number | Date, now?: number): string
  list(parts: readonly string[]): string
  languageName(code: string): string
}

// Number formatters are expensive to create, and a grid has thousands of prices.
const known = new Map<string, Format>()

export function formatOf(language: string): Format {
  const format = known.get(language) ?? makeFormat(language)
  known.set(language, format)
  return format
}

function makeFormat(language: string): Format {
  const locale = language === 'en-XA' ? 'en' : language
  const isRtl = directionOf(locale) === 'rtl'
  const currencies = new Map<string, Intl.NumberFormat>()
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  return {
    number: (value) => new Intl.NumberFormat(locale).format(value),
    percent: (share) => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }).format(share),
    money(minor, currency) {
      const format = currencies.get(currency) ?? new Intl.NumberFormat(locale, { style: 'currency', currency })
      currencies.set(currency, format)
      const text = format.format(Number(minorToDecimal(minor, currency)))
      // “US$” would be turned around to “$US” inside a text that runs from right to left.
      return isRtl ? `\u2066${text.replaceAll(/[\u200e\u200f]/g, '')}\u2069` : text
    },
    date: (moment) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }).format(new Date(moment)),
    dateTime: (moment) =>
      new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(moment)),
    ago(moment, now = Date.now()) {
      const distance = new Date(moment).getTime() - now
      const [unit, length] = UNITS.find(([, ms]) => Math.abs(distance) >= ms) ?? (['second', SECOND] as const)
      return relative.format(Math.round(distance / length), unit)
    },
    list: (parts) => new Intl.ListFormat(locale, { type: 'conjunction' }).format(parts),
    languageName: (code) => new Intl.DisplayNames(locale, { type: 'language' }).of(code) ?? code,
  }
}

export function useFormat(): Format {
  return formatOf(useText().language)
}
