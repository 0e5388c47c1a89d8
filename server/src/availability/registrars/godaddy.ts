/**
 * GoDaddy: lists of names, `checkType=FULL`; needs a key and its secret, and an account with fifty domains.
 *
 * `definitive: false` is a guess from its cache and is left out. There is no mark for premium names, so "available" is
 * believed only together with a price, and that price is what the caller is told. Names of suffixes it does not sell
 * come as errors, with status 203, and are left out.
 */
import type { Secret } from '../../model/secret.ts'
import type { Claim } from './claim.ts'
import { evidenceOf } from './claim.ts'
import type { Fields } from './fields.ts'
import { dollarsIn, readObject, rowsIn, textIn, yearsIn } from './fields.ts'
import type { Registrar, Send } from './registrar.ts'
import { put } from './registrar.ts'

export interface GoDaddyOptions {
  readonly send: Send
  readonly url?: string
  readonly key: Secret
  readonly secret: Secret
  readonly now: () => number
}

const NAME = 'godaddy'
// Prices come in millionths of the currency's unit.
const MICRO = 1_000_000

export function createGoDaddy({ send, url = 'https://api.godaddy.com', key, secret, now }: GoDaddyOptions): Registrar {
  const endpoint = new URL('/v1/domains/available?checkType=FULL', url)

  return {
    name: NAME,
    host: endpoint.host,
    // The cap of the list is not published for FULL checks; fifty is what the others that ask registries live take.
    batch: 50,
    async check(domains, signal) {
      const at = now()
      const authorization = `sso-key ${key.reveal()}:${secret.reveal()}`
      const headers = { 'content-type': 'application/json', accept: 'application/json', authorization }
      const question = { url: endpoint.href, method: 'POST', headers, body: JSON.stringify(domains) } as const
      const answer = readObject(await put(send, question, signal))
      const claims = [...rowsIn(answer.domains).flatMap(readRow), ...rowsIn(answer.errors).flatMap(readError)]
      return evidenceOf(NAME, at, domains, claims)
    },
  }
}

function readRow(row: Fields): Claim[] {
  const name = textIn(row.domain)
  if (name === undefined) return []
  if (row.definitive !== true) return [{ name, says: 'odd' }]
  if (row.available === false) return [{ name, says: 'registered' }]
  const registration = typeof row.price === 'number' ? dollarsIn(row.price / MICRO) : undefined
  const years = yearsIn(row.period)
  if (row.available !== true || row.currency !== 'USD' || registration === undefined || years === undefined) {
    return [{ name, says: 'odd' }]
  }
  return [{ name, says: 'available', price: { registration, years } }]
}

/** So that a name with both a row and an error counts as said twice. */
function readError(row: Fields): Claim[] {
  const name = textIn(row.domain)
  return name === undefined ? [] : [{ name, says: 'odd' }]
}
