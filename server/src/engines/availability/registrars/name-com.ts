/**
 * Name.com: 50 names per request, prices in US dollars; needs a user name and a token.
 *
 * `purchasePrice` is for the shortest term of the suffix, `renewalPrice` for one year (their OpenAPI document).
 *
 * Only `purchaseType: registration` is requested, and only that counts: an aftermarket offer is a registered domain.
 * Names of suffixes it does not sell are missing from its response; if all of them are, the status is 422.
 */
import type { Secret } from '../../../model/secret.ts'
import { partsOf } from '../../../platform/config/parse.ts'
import type { Claim } from './claim.ts'
import { evidenceOf } from './claim.ts'
import { defineRegistrar } from './declaration.ts'
import type { Fields } from './fields.ts'
import { dollarsIn, readObject, rowsIn, textIn } from './fields.ts'
import type { Registrar, Send } from './registrar.ts'
import { put } from './registrar.ts'

export interface NameComOptions {
  readonly send: Send
  readonly url?: string
  readonly username: string
  readonly token: Secret
  readonly now: () => number
}

const NAME = 'name-com'
const HOST = 'api.name.com'
const BATCH = 50
const KIND = 'registration'

export const nameCom = defineRegistrar({
  name: NAME,
  title: 'Name.com',
  settings: {
    NAMEWRIGHT_NAME_COM: {
      about: 'User and API token of name.com, as `user:token`.',
      example: 'someone:change-me',
      secret: true,
      required: true,
      parse: partsOf(2),
    },
  },
  host: HOST,
  batch: BATCH,
  docs: { premiumPrices: 'yes' },
  privacy: 'The names, with your user name and API token.',
  create(settings, { send, now }) {
    const [username, token] = settings.NAMEWRIGHT_NAME_COM
    return createNameCom({ send, now, username: username.reveal(), token })
  },
})

export function createNameCom(options: NameComOptions): Registrar {
  const { send, url = `https://${HOST}`, username, token, now } = options
  const endpoint = new URL('/core/v1/domains:checkAvailability', url)

  return {
    name: NAME,
    host: endpoint.host,
    batch: BATCH,
    async check(domains, signal) {
      const at = now()
      const basic = Buffer.from(`${username}:${token.reveal()}`).toString('base64')
      const headers = { 'content-type': 'application/json', authorization: `Basic ${basic}` }
      const body = JSON.stringify({ domainNames: domains, purchaseType: KIND })
      const query = { url: endpoint.href, method: 'POST', headers, body, harmless: [422] } as const
      const answer = readObject(await put(send, query, signal))
      return evidenceOf(NAME, at, domains, rowsIn(answer.results).flatMap(readRow))
    },
  }
}

function readRow(row: Fields): Claim[] {
  const name = textIn(row.domainName)
  if (name === undefined) return []
  if (row.purchasable === false) return [{ name, says: 'registered' }]
  const isPremium = row.premium === true
  const [registration, renewal] = [dollarsIn(row.purchasePrice), dollarsIn(row.renewalPrice)]
  if (row.purchasable !== true || typeof row.premium !== 'boolean' || row.purchaseType !== KIND) {
    return [{ name, says: 'malformed' }]
  }
  if (registration === undefined || renewal === undefined) return [{ name, says: isPremium ? 'premium' : 'malformed' }]
  return [{ name, says: isPremium ? 'premium' : 'available', price: { registration, renewal, years: 'shortest' } }]
}
