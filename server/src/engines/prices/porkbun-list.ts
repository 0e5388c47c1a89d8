/**
 * Porkbun's public price list; it needs no key. Prices are for one year: of `.ai`, which is sold for two, a transfer, which
 * adds two years, costs twice the registration.
 */
import { isSuffix } from '../../model/domain.ts'
import type { Suffix } from '../../model/domain.ts'
import { isObject } from './fields.ts'
import { DEAREST } from './price-row.ts'
import type { ListPrice } from './price-row.ts'
import { ListRefused, parseJsonList } from './price-list.ts'
import type { PriceListSource, PriceMap } from './price-list.ts'

export const PORKBUN: PriceListSource = {
  source: 'Porkbun public price list',
  url: 'https://api.porkbun.com/api/json/v3/pricing/get',
  method: 'POST',
  copy: 'price-list.json',
  parse,
}

// "12.99", "2,575.16"
const AMOUNT = /^(?:\d{1,3}(?:,\d{3})*|\d{1,7})\.\d{2}$/

function parse(text: string): PriceMap {
  const answer = parseJsonList(text)
  if (!isObject(answer) || answer.status !== 'SUCCESS' || !isObject(answer.pricing)) {
    throw new ListRefused('it is not a price list')
  }
  const list = new Map<Suffix, ListPrice>()
  for (const [suffix, entry] of Object.entries(answer.pricing)) {
    // `specialType` marks names outside the DNS (Handshake), which are of no use here.
    if (!isSuffix(suffix) || !isObject(entry) || entry.specialType) continue
    const [registration, renewal, transfer] = [entry.registration, entry.renewal, entry.transfer].map(findCents)
    if (!registration || !renewal || transfer === undefined) continue
    if (Math.max(registration, renewal, transfer) <= DEAREST) list.set(suffix, { registration, renewal, transfer })
  }
  return list
}

function findCents(text: unknown): number | undefined {
  return typeof text === 'string' && AMOUNT.test(text) ? Number(text.replace(/[,.]/g, '')) : undefined
}
