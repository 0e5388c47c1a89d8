/**
 * Gandi: one name per request, prices in US dollars where Gandi has them; needs a personal access token.
 *
 * Built to a copy of https://api.gandi.net/docs/domains/ in a public repository and to a stored copy of
 * https://api.gandi.net/docs/authentication/, both of unknown age, read on 2026-11-17. The copy breaks off before the
 * list of statuses, which is from the Ruby library gandi_v5, and does not show a response for an unsold suffix.
 *
 * Only the statuses `available`, which the examples have, and `unavailable` count. Everything else is left out, as is a
 * response without a product for the name. A premium name is marked at its price. Several prices for one year belong to phases of
 * a launch that the response does not assign to them: such a name is treated as a premium name with an unknown price.
 * The price of a renewal is not in the response, so premium names have no price. Prices are before taxes, and without
 * one in US dollars the catalogue's is used.
 */
import type { Domain } from '../../model/domain.ts'
import type { Secret } from '../../model/secret.ts'
import { secretOf } from '../../platform/config/parse.ts'
import type { Claim } from './claim.ts'
import { evidenceOf } from './claim.ts'
import { defineRegistrar, NO_PREMIUM_PRICES } from './declaration.ts'
import type { Fields } from './fields.ts'
import { dollarsIn, readObject, rowsIn } from './fields.ts'
import type { Registrar, Send } from './registrar.ts'
import { put } from './registrar.ts'

export interface GandiOptions {
  readonly send: Send
  readonly url?: string
  readonly token: Secret
  readonly now: () => number
}

const NAME = 'gandi'
const HOST = 'api.gandi.net'
const BATCH = 1
const CURRENCY = 'USD'

export const gandi = defineRegistrar({
  name: NAME,
  title: 'Gandi',
  settings: {
    NAMEWRIGHT_GANDI: {
      about: 'Personal access token of Gandi.',
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
    documentation: 'https://api.gandi.net/docs/domains/',
    readFrom: 'a copy of the page, of unknown age; its list of statuses from the Ruby library `gandi_v5`',
    readOn: '2026-11-17',
    omits: 'renewal prices; which price belongs to which phase of a launch; rate limits',
  },
  privacy: 'One name in a request, with your token.',
  create: ({ NAMEWRIGHT_GANDI: token }, { send, now }) => createGandi({ send, now, token }),
})

export function createGandi({ send, url = `https://${HOST}`, token, now }: GandiOptions): Registrar {
  const endpoint = new URL('/v5/domain/check', url)

  return {
    name: NAME,
    host: endpoint.host,
    batch: BATCH,
    async check([domain], signal) {
      if (domain === undefined) return []
      const at = now()
      const query = new URLSearchParams({ name: domain, processes: 'create', currency: CURRENCY })
      const headers = { accept: 'application/json', authorization: `Bearer ${token.reveal()}` }
      const request = { url: `${endpoint.href}?${query.toString()}`, method: 'GET', headers } as const
      const answer = readObject(await put(send, request, signal))
      const products = rowsIn(answer.products).filter(({ name, process }) => name === domain && process === 'create')
      const claims = products.map((product) => readProduct(domain, product, answer.currency))
      return evidenceOf(NAME, at, [domain], claims)
    },
  }
}

function readProduct(name: Domain, { status, prices }: Fields, currency: unknown): Claim {
  if (status === 'unavailable') return { name, says: 'registered' }
  const yearly = rowsIn(prices).filter(({ min_duration, duration_unit }) => min_duration === 1 && duration_unit === 'y')
  const [price, another] = yearly
  const registration = dollarsIn(price?.price_before_taxes)
  if (status !== 'available' || price === undefined || registration === undefined) return { name, says: 'malformed' }
  if (another !== undefined || price.type === 'premium') return { name, says: 'premium' }
  if (price.type !== undefined) return { name, says: 'malformed' }
  return { name, says: 'available', ...(currency === CURRENCY && { price: { registration, years: 1 } }) }
}
