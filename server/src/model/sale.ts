/** What a registered domain is offered for, by its owner or an aftermarket vendor. Nobody has verified it. */
import { isAmount, isCurrency, minorDigits } from './money.ts'
import type { Money } from './money.ts'

export interface SalePrice {
  /** `dns` for the owner's own record, otherwise the registrar that was asked. */
  readonly source: string
  /** The marketplace, if the source names one. */
  readonly vendor?: string
  readonly price: Money
}

const AMOUNT = /^(\d{1,12})(?:\.(\d{1,8}))?$/

/** Undefined for a currency without a symbol here, such as BTC, and for an amount that it cannot express. */
export function parseSalePrice(currency: string, amount: string): Money | undefined {
  const [, whole, fraction = ''] = AMOUNT.exec(amount) ?? []
  if (whole === undefined || !isCurrency(currency)) return undefined
  const digits = minorDigits(currency)
  if (/[1-9]/.test(fraction.slice(digits))) return undefined
  const minor = Number(whole + fraction.slice(0, digits).padEnd(digits, '0'))
  return isAmount(minor) && minor > 0 ? { minor, currency } : undefined
}
