/**
 * NameSilo: XML, 200 names per request, prices in US dollars; needs an API key.
 *
 * The documentation is https://www.namesilo.com/api-reference#domains/check-register-availability. The page was not
 * read. This is built to the examples that https://github.com/nrdcg/namesilo has taken from it, and to how NameSilo's own
 * https://github.com/namesilo/whmcs reads a response; stored copies of unknown age, read on 2026-11-17.
 *
 * The API has only GET, so the key is in the URL; the service logs and traces no URL. A premium name has a registration
 * price but no renewal price, so it counts without one. It is not documented what `duration` means above 1, so such a
 * price is not used. Nor is it documented where a name of an unsold suffix is listed: `invalid` is no evidence.
 */
import type { Secret } from '../../model/secret.ts'
import { secretOf } from '../../platform/config/parse.ts'
import type { Claim } from './claim.ts'
import { evidenceOf } from './claim.ts'
import { defineRegistrar, NO_PREMIUM_PRICES } from './declaration.ts'
import { dollarsIn, yearsIn } from './fields.ts'
import type { Registrar, Send } from './registrar.ts'
import { put } from './registrar.ts'
import type { Element } from './xml.ts'
import { childOf, childrenOf, findXml } from './xml.ts'

export interface NameSiloOptions {
  readonly send: Send
  readonly url?: string
  readonly key: Secret
  readonly now: () => number
}

const NAME = 'namesilo'
const HOST = 'www.namesilo.com'
const BATCH = 200
// Their documents have no namespace.
const SPACE = ''
const SUCCESS = '300'

export const namesilo = defineRegistrar({
  name: NAME,
  title: 'NameSilo',
  settings: {
    NAMEWRIGHT_NAMESILO: {
      about: 'API key of NameSilo.',
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
    documentation: 'https://www.namesilo.com/api-reference#domains/check-register-availability',
    readFrom: 'examples copied in `nrdcg/namesilo`, and NameSilo’s module `namesilo/whmcs`; not the page',
    readOn: '2026-11-17',
    omits: 'renewal prices; whether a name is registered, reserved or blocked; rate limits',
  },
  privacy: 'The names, with your API key, both in the URL.',
  create: ({ NAMEWRIGHT_NAMESILO: key }, { send, now }) => createNameSilo({ send, now, key }),
})

export function createNameSilo({ send, url = `https://${HOST}`, key, now }: NameSiloOptions): Registrar {
  const endpoint = new URL('/api/checkRegisterAvailability', url)

  return {
    name: NAME,
    host: endpoint.host,
    batch: BATCH,
    async check(domains, signal) {
      const at = now()
      const query = new URLSearchParams({ version: '1', type: 'xml', key: key.reveal(), domains: domains.join(',') })
      const request = {
        url: `${endpoint.href}?${query.toString()}`,
        method: 'GET',
        headers: { accept: 'text/xml' },
      } as const
      const answer = findXml(await put(send, request, signal))
      const reply = answer?.name === 'namesilo' ? childOf(answer, SPACE, 'reply') : undefined
      if (reply === undefined || childOf(reply, SPACE, 'code')?.text.trim() !== SUCCESS) return []
      const claims = [
        ...namesIn(reply, 'available').flatMap(readAvailable),
        ...namesIn(reply, 'unavailable').map(({ text }): Claim => ({ name: text.trim(), says: 'registered' })),
        // Makes a name in two lists count as a duplicate.
        ...namesIn(reply, 'invalid').map(({ text }): Claim => ({ name: text.trim(), says: 'malformed' })),
      ]
      return evidenceOf(NAME, at, domains, claims)
    },
  }
}

function namesIn(reply: Element, list: string): readonly Element[] {
  return childrenOf(reply, SPACE, list).flatMap((one) => childrenOf(one, SPACE, 'domain'))
}

function readAvailable({ text, attributes }: Element): Claim[] {
  const name = text.trim()
  const premium = attributes.get('premium')
  if (premium === '1') return [{ name, says: 'premium' }]
  const registration = dollarsIn(attributes.get('price'))
  const years = yearsIn(Number(attributes.get('duration')))
  if (premium !== '0' || registration === undefined || years === undefined) return [{ name, says: 'malformed' }]
  return [{ name, says: 'available', ...(years === 1 && { price: { registration, years } }) }]
}
