/** Currencies that a price can be shown in: those with a sign of their own, as the service has them. */
const CODES =
  'USD EUR GBP JPY CNY INR CAD AUD NZD SGD HKD TWD MXN ARS CLP COP KRW TRY ILS PHP THB VND UAH NGN GHS KZT RUB GEL AMD AZN MNT BDT LAK KHR CRC PYG'

export function listCurrencies(language: string): readonly { readonly code: string; readonly name: string }[] {
  const names = new Intl.DisplayNames(language === 'en-XA' ? 'en' : language, { type: 'currency' })
  return CODES.split(' ').map((code) => ({ code, name: names.of(code) ?? code }))
}
