/**
 * GoDaddy with a personal access token: version 3 of its API, 25 names per request, `optimizeFor: ACCURACY`.
 *
 * Built to the OpenAPI document 3.2.0 (rust/domains-client/openapi/domains.oas3.json) and the guides in GoDaddy's own
 * https://github.com/godaddy/cli, read on 2026-11-17 as a stored copy of unknown age. The page of the same API,
 * https://developer.godaddy.com/en/docs/references/rest/domains/v3, was not read. The document describes lists of 1 to
 * 25 names (POST) in its public introduction, but marks that operation `x-visibility: private`; one name (GET) is not
 * marked. The token needs the scope `domains.domain:read`; the guides name 60 requests a minute per credential.
 *
 * `definitive: false` is a guess from cached zone data and is left out. `inventory` marks premium names: `PREMIUM` is a
 * marketplace where owners sell, so the domain is registered. The price of a term does not include its fees, so a term
 * with fees has no price here. A name that could not be checked has an `error`: a suffix that is not sold, or one with
 * a rule about who may register (us, ca, eu).
 */
import type { Secret } from '../../../model/secret.ts'
import type { Claim } from './claim.ts'
import { evidenceOf } from './claim.ts'
import type { Fields } from './fields.ts'
import { dollarsIn, fieldsIn, readObject, rowsIn, textIn } from './fields.ts'
import type { Registrar, Send } from './registrar.ts'
import { put } from './registrar.ts'

export interface GoDaddyTokenOptions {
  readonly send: Send
  readonly url: string
  readonly name: string
  readonly token: Secret
  readonly now: () => number
}

/** The most names per request. */
export const TOKEN_BATCH = 25

export function createGoDaddyWithToken({ send, url, name, token, now }: GoDaddyTokenOptions): Registrar {
  const endpoint = new URL('/v3/domains/check-availability', url)

  return {
    name,
    host: endpoint.host,
    batch: TOKEN_BATCH,
    async check(domains, signal) {
      const at = now()
      const authorization = `Bearer ${token.reveal()}`
      const headers = { 'content-type': 'application/json', accept: 'application/json', authorization }
      const body = JSON.stringify({ domains, optimizeFor: 'ACCURACY' })
      const answer = readObject(await put(send, { url: endpoint.href, method: 'POST', headers, body }, signal))
      return evidenceOf(name, at, domains, rowsIn(answer.items).flatMap(readItem))
    },
  }
}

function readItem(item: Fields): Claim[] {
  const name = textIn(item.domain)
  if (name === undefined) return []
  if (item.error !== undefined || item.definitive !== true) return [{ name, says: 'malformed' }]
  if (item.available === false) return [{ name, says: 'registered' }]
  if (item.available !== true) return [{ name, says: 'malformed' }]
  if (item.inventory === 'PREMIUM') return [{ name, says: 'registered' }]
  const price = priceIn(item.prices)
  if (item.inventory === 'REGISTRY_PREMIUM') return [{ name, says: 'premium', ...(price && { price }) }]
  // "Present when available is true": without a price we have not understood the response.
  return [price && item.inventory === 'REGISTRY' ? { name, says: 'available', price } : { name, says: 'malformed' }]
}

/** The price of one year, in US dollars and without fees. */
function priceIn(prices: unknown): Claim['price'] {
  const [term, another] = rowsIn(prices).filter(({ period, term: unit }) => period === 1 && unit === 'YEAR')
  if (term === undefined || another !== undefined || (Array.isArray(term.fees) && term.fees.length > 0))
    return undefined
  const [registration, renewal] = [term.price, term.renewalPrice].map(centsIn)
  return registration && renewal ? { registration, renewal, years: 1 } : undefined
}

function centsIn(value: unknown) {
  const { currencyCode, value: cents } = fieldsIn(value)
  return currencyCode === 'USD' && Number.isInteger(cents) ? dollarsIn(Number(cents) / 100) : undefined
}
