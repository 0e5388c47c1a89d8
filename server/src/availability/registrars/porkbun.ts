/**
 * Porkbun: one name at a time, one in ten seconds unless they allow an account more; needs a key and its secret.
 *
 * Too slow for lists; good as the last in the order, for the few names that nobody before it could speak for. The
 * answer does not repeat the name, so the only tie between the two is the request that it came back on.
 */
import type { Domain } from '../../model/domain.ts'
import type { Secret } from '../../model/secret.ts'
import type { Claim } from './claim.ts'
import { evidenceOf } from './claim.ts'
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
  /** The pause between two checks, for accounts that are allowed more. */
  readonly everyMs?: number
}

// What they allow every account. The shared budget grows until somebody complains; here we know the limit beforehand.
const EVERY_MS = 10_000
const NAME = 'porkbun'

export function createPorkbun(options: PorkbunOptions): Registrar {
  const { send, url = 'https://api.porkbun.com', key, secret, now, everyMs = EVERY_MS } = options
  let nextAt = 0

  return {
    name: NAME,
    host: new URL(url).host,
    batch: 1,
    async check(domains, signal) {
      const [domain] = domains
      const at = now()
      if (domain === undefined || at < nextAt) return []
      nextAt = at + everyMs
      const endpoint = new URL(`/api/json/v3/domain/checkDomain/${encodeURIComponent(domain)}`, url)
      const headers = { 'content-type': 'application/json' }
      const body = JSON.stringify({ apikey: key.reveal(), secretapikey: secret.reveal() })
      const question = { url: endpoint.href, method: 'POST', headers, body } as const
      const answer = readObject(await put(send, question, signal))
      if (answer.status !== 'SUCCESS') return []
      return evidenceOf(NAME, at, [domain], [readAnswer(domain, fieldsIn(answer.response))])
    },
  }
}

function readAnswer(asked: Domain, answer: Fields): Claim {
  // Not documented, but an answer that does name a domain must name ours.
  const name = asked
  if (answer.domain !== undefined && answer.domain !== asked) return { name, says: 'odd' }
  if (answer.avail === 'no') return { name, says: 'registered' }
  const isPremium = answer.premium === 'yes'
  if (answer.avail !== 'yes' || answer.type !== 'registration' || (!isPremium && answer.premium !== 'no')) {
    return { name, says: 'odd' }
  }
  const registration = dollarsIn(answer.price)
  const renewal = dollarsIn(fieldsIn(fieldsIn(answer.additional).renewal).price)
  if (registration === undefined || renewal === undefined) return { name, says: isPremium ? 'premium' : 'odd' }
  // Whether a price for a longer least term is for one year or for all of them is written nowhere: then we have none.
  const isYearly = answer.minDuration === undefined || answer.minDuration === 1
  const says = isPremium ? 'premium' : 'available'
  return isYearly ? { name, says, price: { registration, renewal, years: 1 } } : { name, says }
}
