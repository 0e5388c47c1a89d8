/**
 * Vercel: 200 names per request with prices in US dollars, and no account needed.
 *
 * Both prices cover the `years` of their row, by default the shortest term of the suffix: so the reference of
 * `GET …/tlds/{tld}/price`, which has the same fields.
 *
 * `available: false` means registered, or that they could not find out, or that they do not sell the suffix. Their
 * list of suffixes identifies the last case (`vercel-suffixes.ts`): for suffixes not on it `false` is no evidence.
 * Otherwise it is passed on as `registered` for an hour: leaving out an available name that long is cheap,
 * asking a second registrar for every registered name is not.
 */
import { behindLabel } from '../../../model/domain.ts'
import type { LookupCache } from '../verdict-cache.ts'
import type { Claim } from './claim.ts'
import { evidenceOf } from './claim.ts'
import { defineRegistrar } from './declaration.ts'
import type { Fields } from './fields.ts'
import { dollarsIn, readObject, rowsIn, textIn, yearsIn } from './fields.ts'
import type { Registrar, Send } from './registrar.ts'
import { put } from './registrar.ts'
import type { SoldSuffixes } from './vercel-suffixes.ts'
import { createVercelSuffixes } from './vercel-suffixes.ts'

export interface VercelOptions {
  readonly send: Send
  readonly url?: string
  readonly listCache?: LookupCache | undefined
  readonly takeForList?: (() => Promise<boolean>) | undefined
  readonly now: () => number
}

const NAME = 'vercel'
const HOST = 'api.vercel.com'
const BATCH = 200

export const vercel = defineRegistrar({
  name: NAME,
  title: 'Vercel',
  settings: {},
  host: HOST,
  batch: BATCH,
  docs: { premiumPrices: 'yes' },
  privacy: 'The names. Once a day, a request without names for the suffixes that it sells.',
  create: (_, { send, listCache, takeForList, now }) => createVercel({ send, listCache, takeForList, now }),
})

export function createVercel(options: VercelOptions): Registrar {
  const { send, url = `https://${HOST}`, listCache, takeForList, now } = options
  const endpoint = new URL('/v1/registrar/domains/search', url)
  const suffixes = createVercelSuffixes({ send, url, cache: listCache, takeTurn: takeForList, now })

  return {
    name: NAME,
    host: endpoint.host,
    batch: BATCH,
    fault: () => suffixes.fault(),
    async check(domains, signal) {
      const at = now()
      const headers = { 'content-type': 'application/json', accept: 'application/json' }
      const query = { url: endpoint.href, method: 'POST', headers, body: JSON.stringify({ domains }) } as const
      const [text, sold] = await Promise.all([put(send, query, signal), suffixes.find()])
      const claims = rowsIn(readObject(text).results).flatMap((row) => readRow(row, sold))
      return evidenceOf(NAME, at, domains, claims)
    },
  }
}

function readRow(row: Fields, sold: SoldSuffixes): Claim[] {
  const name = textIn(row.domain)
  if (name === undefined) return []
  const isListed = sold.has(behindLabel(name))
  // A price shows that a suffix is sold which the copy of the list lacks.
  if (!isListed && (sold.isComplete || row.available === false)) return [{ name, says: 'malformed' }]
  if (row.available === false) return [{ name, says: 'registered' }]
  if (row.available !== true || typeof row.premium !== 'boolean') return [{ name, says: 'malformed' }]
  const [registration, renewal, years] = [dollarsIn(row.price), dollarsIn(row.renewalPrice), yearsIn(row.years)]
  if (registration === undefined || renewal === undefined || years === undefined) {
    return [{ name, says: row.premium ? 'premium' : 'malformed' }]
  }
  return [
    { name, says: row.premium ? 'premium' : 'available', price: { registration, renewal, years, renewalYears: years } },
  ]
}
