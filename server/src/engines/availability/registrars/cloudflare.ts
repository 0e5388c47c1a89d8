/**
 * Cloudflare: 20 names per request, checked live at the registry; needs an account id and a token.
 *
 * It sells no premium names through this API, so those have no price. "Extension not supported" is about Cloudflare
 * and is no evidence about the name; "extension disallows registration" is about the registry and applies everywhere.
 */
import type { Secret } from '../../../model/secret.ts'
import { partsOf } from '../../../platform/config/parse.ts'
import type { Claim } from './claim.ts'
import { evidenceOf } from './claim.ts'
import { defineRegistrar, NO_PREMIUM_PRICES } from './declaration.ts'
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
const HOST = 'api.cloudflare.com'
const BATCH = 20
const REASONS: ReadonlyMap<unknown, Claim['says']> = new Map<unknown, Claim['says']>([
  // Registered, reserved or blocked: the response does not distinguish them.
  ['domain_unavailable', 'registered'],
  ['domain_premium', 'premium'],
  ['extension_disallows_registration', 'restricted'],
])

export const cloudflare = defineRegistrar({
  name: NAME,
  title: 'Cloudflare',
  settings: {
    NAMEWRIGHT_CLOUDFLARE: {
      about: 'Account id and API token, as `id:token`.',
      example: '0123456789abcdef:change-me',
      secret: true,
      required: true,
      parse: partsOf(2),
    },
  },
  host: HOST,
  batch: BATCH,
  docs: { premiumPrices: NO_PREMIUM_PRICES },
  privacy: 'The names, with your account id and API token.',
  create(settings, { send, now }) {
    const [accountId, token] = settings.NAMEWRIGHT_CLOUDFLARE
    return createCloudflare({ send, now, accountId: accountId.reveal(), token })
  },
})

export function createCloudflare(options: CloudflareOptions): Registrar {
  const { send, url = `https://${HOST}`, accountId, token, now } = options
  const path = `/client/v4/accounts/${encodeURIComponent(accountId)}/registrar/domain-check`
  const endpoint = new URL(path, url)

  return {
    name: NAME,
    host: endpoint.host,
    batch: BATCH,
    async check(domains, signal) {
      const at = now()
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${token.reveal()}` }
      const query = { url: endpoint.href, method: 'POST', headers, body: JSON.stringify({ domains }) } as const
      const answer = readObject(await put(send, query, signal))
      if (answer.success !== true) return []
      return evidenceOf(NAME, at, domains, rowsIn(fieldsIn(answer.result).domains).flatMap(readRow))
    },
  }
}

function readRow(row: Fields): Claim[] {
  const name = textIn(row.name)
  if (name === undefined) return []
  if (row.registrable === false) return [{ name, says: REASONS.get(row.reason) ?? 'malformed' }]
  const pricing = fieldsIn(row.pricing)
  const [registration, renewal] = [dollarsIn(pricing.registration_cost), dollarsIn(pricing.renewal_cost)]
  const isPremium = row.tier === 'premium'
  if (row.registrable !== true || (row.tier !== 'standard' && !isPremium)) return [{ name, says: 'malformed' }]
  if (pricing.currency !== 'USD' || registration === undefined || renewal === undefined) {
    return [{ name, says: isPremium ? 'premium' : 'malformed' }]
  }
  // The costs are per year, whatever the shortest term of the suffix.
  return [{ name, says: isPremium ? 'premium' : 'available', price: { registration, renewal, years: 1 } }]
}
