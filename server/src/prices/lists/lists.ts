/** The public price lists that are read every day. Later ones win. */
import type { PriceListSource } from '../price-list.ts'
import { PORKBUN } from './porkbun.ts'

export const PRICE_LISTS: readonly PriceListSource[] = [PORKBUN]
