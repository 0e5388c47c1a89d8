/**
 * GoDaddy: lists of names, `checkType=FULL`; needs a key and its secret, and an account with fifty domains.
 *
 * `definitive: false` is a guess from its cache and is left out. There is no mark for premium names, so "available"
 * counts only together with a price, and that price is shown to the caller. Names of suffixes it does not sell are
 * returned as errors, with status 203, and are left out.
 */
import type { Secret } from '../../model/secret.ts'
import { partsOf } from '../../platform/config/parse.ts'
import type { Claim } from './claim.ts'
import { evidenceOf } from './claim.ts'
import { defineRegistrar } from './declaration.ts'
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
const HOST = 'api.godaddy.com'
// The maximum for FULL checks is not published; fifty is what other registrars with live checks accept.
const BATCH = 50
// Prices are in millionths of the currency's unit.
const MICRO = 1_000_000

export const godaddy = defineRegistrar({
  name: NAME,
  title: 'GoDaddy',
  settings: {
    NAMEWRIGHT_GODADDY: {
      about: 'API key and secret, as `key:secret`.',
      example: 'change-me:change-me',
      secret: true,
      required: true,
      parse: partsOf(2),
    },
  },
  host: HOST,
  batch: BATCH,
  docs: { needs: 'an account with 50 domains', premiumPrices: 'does not mark them; the service shows its price' },
  privacy: 'The names, with your API key and secret.',
  create(settings, { send, now }) {
    const [key, secret] = settings.NAMEWRIGHT_GODADDY
    return createGoDaddy({ send, now, key, secret })
  },
})

export function createGoDaddy({ send, url = `https://${HOST}`, key, secret, now }: GoDaddyOptions): Registrar {
  const endpoint = new URL('/v1/domains/available?checkType=FULL', url)

  return {
    name: NAME,
    host: endpoint.host,
    batch: BATCH,
    async check(domains, signal) {
      const at = now()
      const authorization = `sso-key ${key.reveal()}:${secret.reveal()}`
      const headers = { 'content-type': 'application/json', accept: 'application/json', authorization }
      const query = { url: endpoint.href, method: 'POST', headers, body: JSON.stringify(domains) } as const
      const answer = readObject(await put(send, query, signal))
      const claims = [...rowsIn(answer.domains).flatMap(readRow), ...rowsIn(answer.errors).flatMap(readError)]
      return evidenceOf(NAME, at, domains, claims)
    },
  }
}

function readRow(row: Fields): Claim[] {
  const name = textIn(row.domain)
  if (name === undefined) return []
  if (row.definitive !== true) return [{ name, says: 'malformed' }]
  if (row.available === false) return [{ name, says: 'registered' }]
  const registration = typeof row.price === 'number' ? dollarsIn(row.price / MICRO) : undefined
  const years = yearsIn(row.period)
  if (row.available !== true || row.currency !== 'USD' || registration === undefined || years === undefined) {
    return [{ name, says: 'malformed' }]
  }
  return [{ name, says: 'available', price: { registration, years } }]
}

/** Makes a name with both a row and an error count as a duplicate. */
function readError(row: Fields): Claim[] {
  const name = textIn(row.domain)
  return name === undefined ? [] : [{ name, says: 'malformed' }]
}
