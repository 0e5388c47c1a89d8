/**
 * The operator's own source: an internal call at `NAMEWRIGHT_SOURCE_URL` that says which domains they sell, and for how
 * much. 100 names per request, signed like our webhooks. Its contract: docs/guides/a-source-of-your-own.md.
 *
 * `available: false` says that the operator does not sell the domain, and no more: it may be registered, reserved, or
 * under a suffix that they do not sell. So it is `restricted`; only `registered: true` beside it is `registered`
 * (docs/decisions/0062-not-sold-is-not-registered.md). The prices cover the shortest term, because that is what is due.
 */
import { domainToASCII } from 'node:url'
import { makeId } from '../../../model/id.ts'
import { isCurrency } from '../../../model/money.ts'
import type { Secret } from '../../../model/secret.ts'
import { must, secretOf, urlOf } from '../../../platform/config/parse.ts'
import { isWebhookSecret, signedHeaders } from '../../../platform/webhook-signature.ts'
import type { Claim } from './claim.ts'
import { evidenceOf } from './claim.ts'
import { defineRegistrar } from './declaration.ts'
import type { Fields } from './fields.ts'
import { moneyIn, readRows, textIn } from './fields.ts'
import type { Registrar, Send } from './registrar.ts'
import { put } from './registrar.ts'

export interface OwnSourceOptions {
  readonly send: Send
  readonly url: string
  readonly secret: Secret
  readonly now: () => number
}

const NAME = 'own-source'
const BATCH = 100
const parseHttpUrl = urlOf('https:', 'http:')

export const ownSource = defineRegistrar({
  name: NAME,
  title: 'A source of your own',
  settings: {
    NAMEWRIGHT_SOURCE_URL: {
      about: 'Your own call that says which domains you sell. It may be at a private address.',
      example: 'https://shop.example.com/namewright',
      required: true,
      parse(text) {
        const { username, password, hash } = new URL(parseHttpUrl(text))
        return must(text, username + password + hash === '', 'a URL without user, password or fragment')
      },
    },
    NAMEWRIGHT_SOURCE_SECRET: {
      about: 'Signs the requests to `NAMEWRIGHT_SOURCE_URL`: `whsec_` and 24 to 64 random bytes in Base64.',
      example: 'whsec_Y2hhbmdlLW1lLWNoYW5nZS1tZS1jaGFuZ2UtbWU=',
      secret: true,
      required: true,
      parse: secretOf((text) => must(text, isWebhookSecret(text), '`whsec_` and 24 to 64 bytes in Base64')),
    },
  },
  host: { setting: 'NAMEWRIGHT_SOURCE_URL' },
  batch: BATCH,
  docs: { premiumPrices: 'yes, if you return them' },
  privacy: 'The names, with a signature. Your secret is not sent.',
  create: ({ NAMEWRIGHT_SOURCE_URL: url, NAMEWRIGHT_SOURCE_SECRET: secret }, { send, now }) =>
    createOwnSource({ send, now, url, secret }),
})

export function createOwnSource({ send, url, secret, now }: OwnSourceOptions): Registrar {
  return {
    name: NAME,
    host: new URL(url).host,
    batch: BATCH,
    async check(domains, signal) {
      const at = now()
      const body = JSON.stringify({ domains })
      const signed = signedHeaders([secret.reveal()], { id: makeId(at), timestamp: Math.floor(at / 1000), body })
      const headers = { 'content-type': 'application/json', accept: 'application/json', ...signed }
      const text = await put(send, { url, method: 'POST', headers, body }, signal)
      return evidenceOf(NAME, at, domains, readRows(text).flatMap(readRow))
    },
  }
}

function readRow(row: Fields): Claim[] {
  const written = textIn(row.domain)?.toLowerCase()
  if (written === undefined) return []
  // Another spelling of a requested domain is no answer about it, but it can contradict one.
  const name = domainToASCII(written.replace(/\.$/, '')) || written
  const { available, premium = false, registered = false } = row
  if (name !== written || typeof premium !== 'boolean' || typeof registered !== 'boolean') {
    return [{ name, says: 'malformed' }]
  }
  if (available === false) return [{ name, says: registered ? 'registered' : 'restricted' }]
  if (available !== true || registered) return [{ name, says: 'malformed' }]
  const says = premium ? 'premium' : 'available'
  const price = priceIn(row)
  if (price === 'malformed') return [{ name, says: premium ? 'premium' : 'malformed' }]
  return [price === undefined ? { name, says } : { name, says, price }]
}

/** Undefined: the source leaves the price to the price list. */
function priceIn({ price, renewal, currency = 'USD' }: Fields): Claim['price'] | 'malformed' {
  if (price === undefined && renewal === undefined) return undefined
  if (typeof currency !== 'string' || !isCurrency(currency)) return 'malformed'
  const registration = moneyIn(price, currency)
  if (registration === undefined) return 'malformed'
  if (renewal === undefined) return { registration, years: 'shortest' }
  const again = moneyIn(renewal, currency)
  if (again === undefined) return 'malformed'
  return { registration, renewal: again, years: 'shortest', renewalYears: 'shortest' }
}
