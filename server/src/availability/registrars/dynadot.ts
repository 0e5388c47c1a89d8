/**
 * Dynadot: one name per request; needs an API key.
 *
 * Built to copies of https://www.dynadot.com/domain/api-document in public repositories, read on 2026-11-17: version
 * 2.0.0 of 2025-10-09 for the request and the names of the fields, and version 1.0.0 for the example with their values,
 * which the copy of 2.0.0 does not have. A regular account may send 60 requests a minute, one at a time.
 *
 * `bulk_search` takes lists, but its documented response does not mark premium names, so it is not used. The example of
 * `search` has no registration price, and the names of these fields differ within the page: prices are not used, and a
 * premium name has none. Errors have their own code in the body, whatever the status: 400 is also "unsupported suffix".
 */
import type { Domain } from '../../model/domain.ts'
import type { Secret } from '../../model/secret.ts'
import { secretOf } from '../../platform/config/parse.ts'
import type { Claim } from './claim.ts'
import { evidenceOf } from './claim.ts'
import { defineRegistrar, NO_PREMIUM_PRICES } from './declaration.ts'
import type { Fields } from './fields.ts'
import { fieldsIn, readObject, textIn } from './fields.ts'
import type { Registrar, Send } from './registrar.ts'
import { Limited, put } from './registrar.ts'

export interface DynadotOptions {
  readonly send: Send
  readonly url?: string
  readonly key: Secret
  readonly now: () => number
}

const NAME = 'dynadot'
const HOST = 'api.dynadot.com'
const BATCH = 1

export const dynadot = defineRegistrar({
  name: NAME,
  title: 'Dynadot',
  settings: {
    NAMEWRIGHT_DYNADOT: {
      about: 'API key of Dynadot.',
      example: 'change-me',
      secret: true,
      required: true,
      parse: secretOf(),
    },
  },
  host: HOST,
  batch: BATCH,
  docs: { premiumPrices: NO_PREMIUM_PRICES },
  untried: {
    documentation: 'https://www.dynadot.com/domain/api-document',
    readFrom: 'copies of the page: version 2.0.0 of 2025-10-09, and the example values of version 1.0.0',
    readOn: '2026-11-17',
    omits: 'prices; whether a name is registered, reserved or blocked',
  },
  privacy: 'One name in a request, with your API key.',
  create: ({ NAMEWRIGHT_DYNADOT: key }, { send, now }) => createDynadot({ send, now, key }),
})

export function createDynadot({ send, url = `https://${HOST}`, key, now }: DynadotOptions): Registrar {
  return {
    name: NAME,
    host: new URL(url).host,
    batch: BATCH,
    async check([domain], signal) {
      if (domain === undefined) return []
      const at = now()
      const endpoint = new URL(`/restful/v2/domains/${encodeURIComponent(domain)}/search`, url)
      const headers = { accept: 'application/json', authorization: `Bearer ${key.reveal()}` }
      const answer = readObject(await put(send, { url: endpoint.href, method: 'GET', headers }, signal))
      // A number in the description of the format, a text in the example.
      const code = String(answer.code)
      if (code === '429') throw new Limited()
      return code === '200' ? evidenceOf(NAME, at, [domain], [readAnswer(domain, fieldsIn(answer.data))]) : []
    },
  }
}

function readAnswer(name: Domain, data: Fields): Claim {
  // The page writes "Yes", "No" and "YES".
  const [available, premium] = [data.available, data.premium].map((value) => textIn(value)?.toLowerCase())
  if (data.domain_name !== name) return { name, says: 'malformed' }
  if (available === 'no') return { name, says: 'registered' }
  if (available !== 'yes') return { name, says: 'malformed' }
  return { name, says: premium === 'yes' ? 'premium' : premium === 'no' ? 'available' : 'malformed' }
}
