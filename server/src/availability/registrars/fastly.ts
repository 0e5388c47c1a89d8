/**
 * Fastly Domain Research: one name per request, checked at the registry; needs an API token of an account with this
 * product. Fastly sells no domains, so there are no prices.
 *
 * Built to stored excerpts of https://www.fastly.com/documentation/reference/api/domain-management/domain-research/ and
 * of https://domainr.com/docs/api/v2/status, the service that it continues, read on 2026-11-17. The excerpts explain
 * `inactive`, `unknown`, `undelegated` and the order; the other words are from lists that public projects copied.
 *
 * `status` is a list of words. `inactive` means available for registration, and counts only beside words that do not
 * contradict it. Without a response of the registry the list ends in `unknown` or `undelegated`, which is no evidence.
 * `scope=estimate` checks DNS only: the service never requests it, and leaves out a response with that scope.
 */
import type { Domain } from '../../model/domain.ts'
import type { Secret } from '../../model/secret.ts'
import { secretOf } from '../../platform/config/parse.ts'
import type { Claim } from './claim.ts'
import { evidenceOf } from './claim.ts'
import { defineRegistrar, NO_PREMIUM_PRICES } from './declaration.ts'
import type { Fields } from './fields.ts'
import { readObject, textIn } from './fields.ts'
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
    omits: 'prices; which registrar sells the name; rate limits',
  },
  privacy: 'One name in a request, with your API token.',
  create: ({ NAMEWRIGHT_FASTLY: token }, { send, now }) => createFastly({ send, now, token }),
})

export function createFastly({ send, url = `https://${HOST}`, token, now }: FastlyOptions): Registrar {
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
        url: `${endpoint.href}?${new URLSearchParams({ domain }).toString()}`,
        method: 'GET',
        headers,
      } as const
      const answer = readObject(await put(send, request, signal))
      return evidenceOf(NAME, at, [domain], [readAnswer(domain, answer)])
    },
  }
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
