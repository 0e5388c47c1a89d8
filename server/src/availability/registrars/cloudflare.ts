/**
 * Cloudflare: 20 names at a time, asked at the registry while we wait; needs an account id and a token.
 *
 * It sells no premium names through this API, so those come without a price. "Extension not
 * supported" is about Cloudflare and says nothing of the name; "extension disallows registration" is about the registry
 * and holds everywhere.
 */
import type { Secret } from '../../model/secret.ts'
import type { Claim } from './claim.ts'
import { evidenceOf } from './claim.ts'
import type { Fields } from './fields.ts'
import { dollarsIn, fieldsIn, readObject, rowsIn, textIn } from './fields.ts'
import type { Registrar, Send } from './registrar.ts'
import { put } from './registrar.ts'

export interface CloudflareOptions {
  readonly send: Send
  readonly url?: string
  readonly accountId: string
  readonly token: Secret
  readonly now: () => number
}

const NAME = 'cloudflare'
const REASONS: ReadonlyMap<unknown, Claim['says']> = new Map<unknown, Claim['says']>([
  // Registered, reserved or blocked: they do not say which.
  ['domain_unavailable', 'registered'],
  ['domain_premium', 'premium'],
  ['extension_disallows_registration', 'restricted'],
])

export function createCloudflare(options: CloudflareOptions): Registrar {
  const { send, url = 'https://api.cloudflare.com', accountId, token, now } = options
  const path = `/client/v4/accounts/${encodeURIComponent(accountId)}/registrar/domain-check`
  const endpoint = new URL(path, url)

  return {
    name: NAME,
    host: endpoint.host,
    batch: 20,
    async check(domains, signal) {
      const at = now()
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${token.reveal()}` }
      const question = { url: endpoint.href, method: 'POST', headers, body: JSON.stringify({ domains }) } as const
      const answer = readObject(await put(send, question, signal))
      if (answer.success !== true) return []
      return evidenceOf(NAME, at, domains, rowsIn(fieldsIn(answer.result).domains).flatMap(readRow))
    },
  }
}

function readRow(row: Fields): Claim[] {
  const name = textIn(row.name)
  if (name === undefined) return []
  if (row.registrable === false) return [{ name, says: REASONS.get(row.reason) ?? 'odd' }]
  const pricing = fieldsIn(row.pricing)
  const [registration, renewal] = [dollarsIn(pricing.registration_cost), dollarsIn(pricing.renewal_cost)]
  const isPremium = row.tier === 'premium'
  if (row.registrable !== true || (row.tier !== 'standard' && !isPremium)) return [{ name, says: 'odd' }]
  if (pricing.currency !== 'USD' || registration === undefined || renewal === undefined) {
    return [{ name, says: isPremium ? 'premium' : 'odd' }]
  }
  // Their costs are per year, whatever the least term of the suffix is.
  return [{ name, says: isPremium ? 'premium' : 'available', price: { registration, renewal, years: 1 } }]
}
