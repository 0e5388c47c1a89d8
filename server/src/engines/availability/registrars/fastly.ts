/**
 * Fastly Domain Research: one name per request, checked at the registry; needs an API token of an account with this
 * product. Fastly sells no domains, so there are no prices but those of aftermarket vendors.
 *
 * Built to stored excerpts of https://www.fastly.com/documentation/reference/api/domain-management/domain-research/ and
 * of https://domainr.com/docs/api/v2/status, the service that it continues, read on 2026-11-17. The excerpts explain
 * `inactive`, `unknown`, `undelegated` and the order; the other words are from lists that public projects copied.
 *
 * `status` is a list of words. `inactive` means available for registration, and counts only beside words that do not
 * contradict it. Without a response of the registry the list ends in `unknown` or `undelegated`, which is no evidence.
 * `scope=estimate` checks DNS and aftermarkets only: no verdict uses such a response. It is requested for the offers of
 * domains that are known to be taken: `offers` is a list of `{vendor, price, currency}`, the price as text (the data
 * model of the page above, and fastly/domains/v1/tools/status of github.com/fastly/go-fastly, read on 2026-11-17).
 */
import type { Domain } from '../../../model/domain.ts'
import { parseSalePrice } from '../../../model/sale.ts'
import type { Secret } from '../../../model/secret.ts'
import { secretOf } from '../../../platform/config/parse.ts'
import type { Evidence } from '../evidence.ts'
import type { Claim } from './claim.ts'
import { evidenceOf } from './claim.ts'
import { defineRegistrar, NO_PREMIUM_PRICES } from './declaration.ts'
import type { Fields } from './fields.ts'
import { readObject, rowsIn, textIn } from './fields.ts'
import type { Registrar, Send } from './registrar.ts'
import { put } from './registrar.ts'

export interface FastlyOptions {
  readonly send: Send
  readonly url?: string
  readonly token: Secret
  readonly now: () => number
}

const NAME = 'fastly'
const HOST = 'api.fastly.com'
const BATCH = 1
// A domain is listed by a handful of marketplaces.
const MAX_OFFERS = 16
const VENDOR = /^[\p{L}\p{N}][\p{L}\p{N} .&-]{0,60}$/u
const REGISTERED = ['active', 'parked', 'expiring', 'deleting']
const RESERVED = ['reserved', 'claimed', 'disallowed']
const FOR_REGISTRATION = ['undelegated', 'inactive', 'premium']

export const fastly = defineRegistrar({
  name: NAME,
  title: 'Fastly Domain Research',
  settings: {
    NAMEWRIGHT_FASTLY: {
      about: 'API token of Fastly, of an account with the product Domain Research.',
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
    documentation: 'https://www.fastly.com/documentation/reference/api/domain-management/domain-research/',
    readFrom: 'stored excerpts of the page and of Domainr’s; most statuses from copied lists',
    readOn: '2026-11-17',
    omits: 'prices but those of aftermarket vendors; which registrar sells the name; rate limits',
  },
  privacy: 'One name in a request, with your API token. A taken name again if a caller asks for offers.',
  create: ({ NAMEWRIGHT_FASTLY: token }, { send, now }) => createFastly({ send, now, token }),
  createOffers: ({ NAMEWRIGHT_FASTLY: token }, { send, now }) => createFastlyOffers({ send, now, token }),
})

export function createFastly(options: FastlyOptions): Registrar {
  return statusLookup(options, {}, (domain, at, answer) => evidenceOf(NAME, at, [domain], [readAnswer(domain, answer)]))
}

/** For taken domains only. */
export function createFastlyOffers(options: FastlyOptions): Registrar {
  return statusLookup(options, { scope: 'estimate' }, (domain, at, answer) => {
    const offers = answer.domain === domain ? rowsIn(answer.offers).slice(0, MAX_OFFERS).flatMap(readOffer) : []
    return offers.length > 0 ? [{ domain, source: NAME, says: 'for_sale', at, ttlMs: 0, offers }] : []
  })
}

function statusLookup(
  { send, url = `https://${HOST}`, token, now }: FastlyOptions,
  query: Readonly<Record<string, string>>,
  read: (domain: Domain, at: number, answer: Fields) => readonly Evidence[],
): Registrar {
  const endpoint = new URL('/domain-management/v1/tools/status', url)

  return {
    name: NAME,
    host: endpoint.host,
    batch: BATCH,
    async check([domain], signal) {
      if (domain === undefined) return []
      const at = now()
      const headers = { accept: 'application/json', 'fastly-key': token.reveal() }
      const request = {
        url: `${endpoint.href}?${new URLSearchParams({ domain, ...query }).toString()}`,
        method: 'GET',
        headers,
      } as const
      return read(domain, at, readObject(await put(send, request, signal)))
    },
  }
}

function readOffer({ vendor, price, currency }: Fields): NonNullable<Evidence['offers']> {
  const seller = textIn(vendor) ?? ''
  const money = parseSalePrice(textIn(currency) ?? '', textIn(price) ?? '')
  return money && VENDOR.test(seller) ? [{ vendor: seller, price: money }] : []
}

function readAnswer(name: Domain, { domain, scope, status }: Fields): Claim {
  const words = textIn(status)?.split(' ') ?? []
  const hasAny = (some: readonly string[]) => words.some((word) => some.includes(word))
  if (domain !== name || scope === 'estimate') return { name, says: 'malformed' }
  if (hasAny(REGISTERED)) return { name, says: 'registered' }
  if (hasAny(RESERVED)) return { name, says: 'reserved' }
  if (words.includes('dpml')) return { name, says: 'restricted' }
  if (!words.every((word) => FOR_REGISTRATION.includes(word))) return { name, says: 'malformed' }
  if (words.includes('premium')) return { name, says: 'premium' }
  return { name, says: words.at(-1) === 'inactive' ? 'available' : 'malformed' }
}
