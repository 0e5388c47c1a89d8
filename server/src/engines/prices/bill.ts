/**
 * What a domain costs, from prices that cover different times: a year in a list, often a whole term in a quote.
 *
 * Where a price covers less than the shortest term of the suffix, every further year of the term is taken to cost the
 * same. A price whose time no source states counts as that of one year, because it must never turn out too low.
 */
import type { Money } from '../../model/money.ts'
import type { Offer } from '../../model/offer.ts'
import type { DomainPrice } from '../../model/verdict.ts'
import type { ListPrice, Term } from './price-row.ts'

export type Bill = Pick<Offer, 'registration' | 'renewal' | 'termYears' | 'due' | 'renewalYears' | 'renewsAt'>

/** `money` converts an amount of the list to the currency of the offer. */
export function listBill(
  { registration, renewal, termYears, renewalYears }: ListPrice & Term,
  money: (minor: number) => Money,
): Bill {
  return {
    registration: money(registration),
    renewal: money(renewal),
    termYears,
    due: money(registration * termYears),
    renewalYears,
    renewsAt: money(renewal * renewalYears),
  }
}

/** `list`: of the suffix, in the same currency. Undefined if an amount cannot be converted. */
export function quotedBill(
  { registration, years, renewal, renewalYears = 1 }: DomainPrice,
  list: Bill,
  convert: (money: Money) => Money | undefined,
): Bill | undefined {
  const first = spread(registration, years === 'shortest' ? list.termYears : years, list.termYears)
  const [perYear, due] = [convert(first.perYear), convert(first.whole)]
  if (!perYear || !due) return undefined
  const bill = { ...list, registration: perYear, termYears: first.years, due }
  if (!renewal) return bill
  const again = spread(renewal, renewalYears === 'shortest' ? list.renewalYears : renewalYears, list.renewalYears)
  const [renewalPerYear, renewsAt] = [convert(again.perYear), convert(again.whole)]
  return renewalPerYear && renewsAt && { ...bill, renewal: renewalPerYear, renewalYears: again.years, renewsAt }
}

function spread({ minor, currency }: Money, covered: number, shortest: number) {
  const years = Math.max(covered, shortest)
  return {
    years,
    perYear: { minor: Math.ceil(minor / covered), currency },
    whole: { minor: Math.ceil((minor * years) / covered), currency },
  }
}
