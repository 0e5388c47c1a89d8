/** The price lists that are read every day. On the same day later ones win. */
import { Secret } from '../../model/secret.ts'
import type { PriceListSource } from '../price-list.ts'
import { createNameSiloList } from './namesilo.ts'
import { PORKBUN } from './porkbun.ts'

/** Those that need no key, then those of the registrars that the operator has chosen, with the operator's key. */
export function priceListsFor(registrars: {
  readonly order: readonly string[]
  readonly settings: Readonly<Record<string, unknown>>
}): readonly PriceListSource[] {
  const { NAMEWRIGHT_NAMESILO: key } = registrars.settings
  const isChosen = registrars.order.includes('namesilo') && key instanceof Secret
  return isChosen ? [PORKBUN, createNameSiloList(key)] : [PORKBUN]
}
