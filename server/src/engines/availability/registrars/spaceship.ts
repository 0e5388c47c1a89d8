/**
 * Spaceship: 20 names per request; needs an API key with the permission `domains:read`, and its secret.
 *
 * Built to the OpenAPI document 1.0.0 of https://docs.spaceship.dev as https://github.com/api-evangelist/spaceship has
 * copied it (2026), read on 2026-11-17; of the page itself only the part about authentication was read. The limit is 30
 * requests in 30 seconds per user.
 *
 * Every row has `premiumPricing`, which is empty for names at the standard price: for these the catalogue's price is
 * used. It is not documented how many years a premium price is for, so a premium name has no price.
 */
import type { Secret } from '../../../model/secret.ts'
import { partsOf } from '../../../platform/config/parse.ts'
import type { Claim } from './claim.ts'
import { evidenceOf } from './claim.ts'
import { defineRegistrar, NO_PREMIUM_PRICES } from './declaration.ts'
import type { Fields } from './fields.ts'
import { readObject, rowsIn, textIn } from './fields.ts'
import type { Registrar, Send } from './registrar.ts'
import { put } from './registrar.ts'

export interface SpaceshipOptions {
  readonly send: Send
  readonly url?: string
  readonly key: Secret
  readonly secret: Secret
  readonly now: () => number
}

const NAME = 'spaceship'
const HOST = 'spaceship.dev'
const BATCH = 20

export const spaceship = defineRegistrar({
  name: NAME,
  title: 'Spaceship',
  settings: {
    NAMEWRIGHT_SPACESHIP: {
      about: 'API key with the permission `domains:read`, and its secret, as `key:secret`.',
      example: 'change-me:change-me',
      secret: true,
      required: true,
      parse: partsOf(2),
    },
  },
  host: HOST,
  batch: BATCH,
  docs: { premiumPrices: NO_PREMIUM_PRICES },
  untried: {
    documentation: 'https://docs.spaceship.dev',
    readFrom: 'the OpenAPI document 1.0.0 as copied in `api-evangelist/spaceship` in 2026',
    readOn: '2026-11-17',
    omits: 'standard prices; the term of a premium price; whether a name is registered or reserved',
  },
  privacy: 'The names, with your API key and secret.',
  create(settings, { send, now }) {
    const [key, secret] = settings.NAMEWRIGHT_SPACESHIP
    return createSpaceship({ send, now, key, secret })
  },
})

export function createSpaceship({ send, url = `https://${HOST}`, key, secret, now }: SpaceshipOptions): Registrar {
  const endpoint = new URL('/api/v1/domains/available', url)

  return {
    name: NAME,
    host: endpoint.host,
    batch: BATCH,
    async check(domains, signal) {
      const at = now()
      const login = { 'x-api-key': key.reveal(), 'x-api-secret': secret.reveal() }
      const headers = { 'content-type': 'application/json', accept: 'application/json', ...login }
      const query = { url: endpoint.href, method: 'POST', headers, body: JSON.stringify({ domains }) } as const
      const answer = readObject(await put(send, query, signal))
      return evidenceOf(NAME, at, domains, rowsIn(answer.domains).flatMap(readRow))
    },
  }
}

function readRow({ domain, result, premiumPricing }: Fields): Claim[] {
  const name = textIn(domain)
  if (name === undefined) return []
  if (result === 'taken') return [{ name, says: 'registered' }]
  if (result !== 'available' || !Array.isArray(premiumPricing)) return [{ name, says: 'malformed' }]
  return [{ name, says: premiumPricing.length > 0 ? 'premium' : 'available' }]
}
