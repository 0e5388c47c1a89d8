/**
 * Porkbun: one name per request, one request in ten seconds unless they allow an account more; needs a key and its
 * secret.
 *
 * Too slow for lists; useful as the last registrar in the order, for the few names without a result so far. The
 * response does not repeat the name, so only the request links the two.
 */
import type { Domain } from '../../../model/domain.ts'
import type { Secret } from '../../../model/secret.ts'
import { partsOf } from '../../../platform/config/parse.ts'
import type { Claim } from './claim.ts'
import { evidenceOf } from './claim.ts'
import { defineRegistrar } from './declaration.ts'
import type { Fields } from './fields.ts'
import { dollarsIn, fieldsIn, readObject } from './fields.ts'
import type { Registrar, Send } from './registrar.ts'
import { put } from './registrar.ts'

export interface PorkbunOptions {
  readonly send: Send
  readonly url?: string
  readonly key: Secret
  readonly secret: Secret
  readonly now: () => number
}

// Their limit for every account.
const EVERY_MS = 10_000
const NAME = 'porkbun'
const HOST = 'api.porkbun.com'
const BATCH = 1

export const porkbun = defineRegistrar({
  name: NAME,
  title: 'Porkbun',
  settings: {
    NAMEWRIGHT_PORKBUN: {
      about: 'API key and secret, as `key:secret`.',
      example: 'pk1_change-me:sk1_change-me',
      secret: true,
      required: true,
      parse: partsOf(2),
    },
  },
  host: HOST,
  batch: BATCH,
  everyMs: EVERY_MS,
  docs: { premiumPrices: 'yes' },
  privacy: 'One name in a request, with your API key and secret.',
  create(settings, { send, now }) {
    const [key, secret] = settings.NAMEWRIGHT_PORKBUN
    return createPorkbun({ send, now, key, secret })
  },
})

export function createPorkbun(options: PorkbunOptions): Registrar {
  const { send, url = `https://${HOST}`, key, secret, now } = options

  return {
    name: NAME,
    host: new URL(url).host,
    batch: BATCH,
    isOccasional: true,
    async check(domains, signal) {
      const [domain] = domains
      const at = now()
      if (domain === undefined) return []
      const endpoint = new URL(`/api/json/v3/domain/checkDomain/${encodeURIComponent(domain)}`, url)
      const headers = { 'content-type': 'application/json' }
      const body = JSON.stringify({ apikey: key.reveal(), secretapikey: secret.reveal() })
      const query = { url: endpoint.href, method: 'POST', headers, body } as const
      const answer = readObject(await put(send, query, signal))
      if (answer.status !== 'SUCCESS') return []
      return evidenceOf(NAME, at, [domain], [readAnswer(domain, fieldsIn(answer.response))])
    },
  }
}

function readAnswer(asked: Domain, answer: Fields): Claim {
  // Not documented, but if a response contains a domain, it must be ours.
  const name = asked
  if (answer.domain !== undefined && answer.domain !== asked) return { name, says: 'malformed' }
  if (answer.avail === 'no') return { name, says: 'registered' }
  const isPremium = answer.premium === 'yes'
  if (answer.avail !== 'yes' || answer.type !== 'registration' || (!isPremium && answer.premium !== 'no')) {
    return { name, says: 'malformed' }
  }
  const registration = dollarsIn(answer.price)
  const renewal = dollarsIn(fieldsIn(fieldsIn(answer.additional).renewal).price)
  if (registration === undefined || renewal === undefined) return { name, says: isPremium ? 'premium' : 'malformed' }
  // It is not documented whether a price for a longer minimum term is per year or in total, so it is not used. Without
  // such a term in the response the price counts as that of one year.
  const isYearly = answer.minDuration === undefined || answer.minDuration === 1
  const says = isPremium ? 'premium' : 'available'
  return isYearly ? { name, says, price: { registration, renewal, years: 1 } } : { name, says }
}
