/** Parses a requested currency; it is accepted only if there is a current rate for it. */
import type { FieldError } from '../../model/errors.ts'
import type { Currency } from '../../model/money.ts'
import type { Prices } from '../../engines/prices/prices.ts'

export function parseCurrency(
  prices: Prices,
  code: string | undefined,
  pointer: string,
  problems: FieldError[],
): Currency {
  if (code === undefined) return 'USD'
  const currency = prices.findCurrency(code)
  if (!currency) problems.push({ pointer, code: 'not_allowed', params: { allowed: prices.currencies().join(', ') } })
  return currency ?? 'USD'
}
