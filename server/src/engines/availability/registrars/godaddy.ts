/**
 * GoDaddy: with a personal access token (`godaddy-token.ts`), or with a key and its secret. This file has the latter:
 * lists of names, `checkType=FULL`, and an account with fifty domains.
 *
 * `definitive: false` is a guess from its cache and is left out. There is no mark for premium names, so "available"
 * counts only together with a price, for `period` years, and that price is shown to the caller. Names of suffixes it does not sell are
 * returned as errors, with status 203, and are left out.
 */
import { Secret } from '../../../model/secret.ts'
import { partsOf, secretOf } from '../../../platform/config/parse.ts'
import type { Claim } from './claim.ts'
import { evidenceOf } from './claim.ts'
import { defineRegistrar } from './declaration.ts'
import type { Fields } from './fields.ts'
import { dollarsIn, readObject, rowsIn, textIn, yearsIn } from './fields.ts'
import { createGoDaddyWithToken, TOKEN_BATCH } from './godaddy-token.ts'
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
const URL_BASE = `https://${HOST}`
// The maximum for FULL checks is not published; fifty is what other registrars with live checks accept.
const BATCH = 50
// Prices are in millionths of the currency's unit.
const MICRO = 1_000_000
const parseKey = partsOf(2)
const parseToken = secretOf()

export const godaddy = defineRegistrar({
  name: NAME,
  title: 'GoDaddy',
  settings: {
    NAMEWRIGHT_GODADDY: {
      about: 'Personal access token with the scope `domains.domain:read`, or API key and secret as `key:secret`.',
      example: 'gd_pat_change-me',
      secret: true,
      required: true,
      parse: (text) => (text.includes(':') ? parseKey(text) : parseToken(text)),
    },
  },
  host: HOST,
  batch: TOKEN_BATCH,
  docs: {
    needs: 'for `key:secret` an account with 50 domains',
    premiumPrices: 'yes; with `key:secret` it does not mark them, and the service shows its price',
  },
  untried: {
    documentation: 'https://developer.godaddy.com/en/docs/references/rest/domains/v3',
    readFrom: 'the OpenAPI document 3.2.0 in GoDaddy’s repository `godaddy/cli`, a stored copy; not the page',
    readOn: '2026-11-17',
    omits: 'names under suffixes with a rule about who may register (`us`, `ca`, `eu`); prices in other currencies',
  },
  privacy: 'The names, with your token, or your API key and secret.',
  create({ NAMEWRIGHT_GODADDY: login }, { send, now }) {
    if (login instanceof Secret) return createGoDaddyWithToken({ send, now, name: NAME, url: URL_BASE, token: login })
    const [key, secret] = login
    return createGoDaddy({ send, now, key, secret })
  },
})

export function createGoDaddy({ send, url = URL_BASE, key, secret, now }: GoDaddyOptions): Registrar {
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
