/**
 * Name.com: 50 names at a time in US dollars; needs a user name and a token.
 *
 * Only `purchaseType: registration` is asked for, and only that is believed: an aftermarket offer belongs to somebody.
 * Names of suffixes it does not sell are missing from its answer; when all of them are, the answer is 422.
 */
import type { Secret } from '../../model/secret.ts'
import type { Claim } from './claim.ts'
import { evidenceOf } from './claim.ts'
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
const KIND = 'registration'

export function createNameCom(options: NameComOptions): Registrar {
  const { send, url = 'https://api.name.com', username, token, now } = options
  const endpoint = new URL('/core/v1/domains:checkAvailability', url)

  return {
    name: NAME,
    host: endpoint.host,
    batch: 50,
    async check(domains, signal) {
      const at = now()
      const basic = Buffer.from(`${username}:${token.reveal()}`).toString('base64')
      const headers = { 'content-type': 'application/json', authorization: `Basic ${basic}` }
      const body = JSON.stringify({ domainNames: domains, purchaseType: KIND })
      const question = { url: endpoint.href, method: 'POST', headers, body, harmless: [422] } as const
      const answer = readObject(await put(send, question, signal))
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
    return [{ name, says: 'odd' }]
  }
  if (registration === undefined || renewal === undefined) return [{ name, says: isPremium ? 'premium' : 'odd' }]
  return [{ name, says: isPremium ? 'premium' : 'available', price: { registration, renewal, years: 1 } }]
}
