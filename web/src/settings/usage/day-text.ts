/** A day of the ledger, which is one of UTC, as the reader's language writes it. */
import { useText } from '../../i18n/i18n.ts'

export function useDayText(): { readonly long: (day: string) => string; readonly short: (day: string) => string } {
  const { language } = useText()
  const locale = language === 'en-XA' ? 'en' : language
  const long = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })
  const short = new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric', timeZone: 'UTC' })
  return { long: (day) => long.format(new Date(day)), short: (day) => short.format(new Date(day)) }
}
