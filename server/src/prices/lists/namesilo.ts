/**
 * NameSilo's price list in US dollars; needs the operator's API key.
 *
 * The documentation is https://www.namesilo.com/api-reference#account/get-prices. The page was not read. This is built
 * to the example that https://github.com/nrdcg/namesilo has taken from it, and to programs that request it as JSON; stored
 * copies of unknown age, read on 2026-11-17. It was never tried with an account. In which type a code or an amount is
 * sent as JSON is not documented: both texts and numbers are accepted.
 *
 * The API has only GET, so the key is in the URL; the service logs and traces no URL.
 */
import { isSuffix } from '../../model/domain.ts'
import type { Suffix } from '../../model/domain.ts'
import type { Secret } from '../../model/secret.ts'
import { isObject } from '../fields.ts'
import { ListRefused, parseJsonList } from '../price-list.ts'
import type { PriceListSource, PriceMap } from '../price-list.ts'
import { DEAREST } from '../price-row.ts'
import type { ListPrice } from '../price-row.ts'

const HOST = 'https://www.namesilo.com'
const SUCCESS = 300

export function createNameSiloList(key: Secret, url = HOST): PriceListSource {
  const query = new URLSearchParams({ version: '1', type: 'json', key: key.reveal() })
  return {
    source: 'NameSilo price list',
    url: `${url}/api/getPrices?${query.toString()}`,
    method: 'GET',
    copy: 'price-list-namesilo.json',
    parse,
  }
}

function parse(text: string): PriceMap {
  const answer = parseJsonList(text)
  const reply = isObject(answer) ? answer.reply : undefined
  if (!isObject(reply)) throw new ListRefused('it is not a price list')
  // Their own words are not shown: they may repeat the request, which has the key.
  if (Number(reply.code) !== SUCCESS) throw new ListRefused('NameSilo refuses the request')
  const list = new Map<Suffix, ListPrice>()
  for (const [suffix, entry] of Object.entries(reply)) {
    if (!isSuffix(suffix) || !isObject(entry)) continue
    const [registration, renewal, transfer] = [entry.registration, entry.renew, entry.transfer].map(findCents)
    if (!registration || !renewal || transfer === undefined) continue
    if (Math.max(registration, renewal, transfer) <= DEAREST) list.set(suffix, { registration, renewal, transfer })
  }
  return list
}

// "8.99", 8.99, 8.9
function findCents(amount: unknown): number | undefined {
  const text = typeof amount === 'number' ? String(amount) : amount
  if (typeof text !== 'string' || !/^\d{1,7}(?:\.\d{1,2})?$/.test(text)) return undefined
  return Math.round(Number(text) * 100)
}
