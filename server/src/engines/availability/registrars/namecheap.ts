/**
 * Namecheap: XML, fifty names per request; needs a user, a key, and our public address on their allow-list.
 *
 * The key is sent in the body and not in the URL, where proxy logs would store it. Names at the standard price have
 * no price in the response: the catalogue's is used. A name in its early access period costs a fee that is not the
 * list price. Without the premium mark it is treated as a premium name with an unknown price. For how many years a premium
 * price is, the documentation does not say: it counts as that of one year.
 */
import type { Secret } from '../../../model/secret.ts'
import { partsOf } from '../../../platform/config/parse.ts'
import type { Claim } from './claim.ts'
import { evidenceOf } from './claim.ts'
import { defineRegistrar } from './declaration.ts'
import { dollarsIn } from './fields.ts'
import type { Registrar, Send } from './registrar.ts'
import { Limited, put } from './registrar.ts'
import type { Element } from './xml.ts'
import { childOf, childrenOf, findXml } from './xml.ts'

export interface NamecheapOptions {
  readonly send: Send
  readonly url?: string
  readonly user: string
  readonly key: Secret
  /** Our public address, as Namecheap sees it. */
  readonly clientIp: string
  readonly now: () => number
}

const NAME = 'namecheap'
const HOST = 'api.namecheap.com'
const BATCH = 50
const SPACE = 'http://api.namecheap.com/xml.response'
const COMMAND = 'namecheap.domains.check'
// Their general "too many requests", which has status 200.
const TOO_MANY = '500000'

export const namecheap = defineRegistrar({
  name: NAME,
  title: 'Namecheap',
  settings: {
    NAMEWRIGHT_NAMECHEAP: {
      about: 'User, API key and the allowed client IP address, as `user:key:address`.',
      example: 'someone:change-me:192.0.2.1',
      secret: true,
      required: true,
      parse: partsOf(3),
    },
  },
  host: HOST,
  batch: BATCH,
  docs: { needs: 'your address on their list', premiumPrices: 'yes' },
  privacy: 'The names, with your user name, API key and IP address.',
  create(settings, { send, now }) {
    const [user, key, clientIp] = settings.NAMEWRIGHT_NAMECHEAP
    return createNamecheap({ send, now, user: user.reveal(), key, clientIp: clientIp.reveal() })
  },
})

export function createNamecheap(options: NamecheapOptions): Registrar {
  const { send, url = `https://${HOST}`, user, key, clientIp, now } = options
  const endpoint = new URL('/xml.response', url)

  return {
    name: NAME,
    host: endpoint.host,
    batch: BATCH,
    async check(domains, signal) {
      const at = now()
      const form = { ApiUser: user, ApiKey: key.reveal(), UserName: user, ClientIp: clientIp }
      const body = new URLSearchParams({ ...form, Command: COMMAND, DomainList: domains.join(',') }).toString()
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const text = await put(send, { url: endpoint.href, method: 'POST', headers, body }, signal)
      const answer = findXml(text)
      if (answer === undefined || answer.space !== SPACE || answer.name !== 'ApiResponse') return []
      if (isTooMany(answer)) throw new Limited()
      if (answer.attributes.get('Status') !== 'OK') return []
      const response = childOf(answer, SPACE, 'CommandResponse')
      if (response?.attributes.get('Type') !== COMMAND) return []
      return evidenceOf(NAME, at, domains, childrenOf(response, SPACE, 'DomainCheckResult').flatMap(readRow))
    },
  }
}

function isTooMany(answer: Element): boolean {
  const errors = childOf(answer, SPACE, 'Errors')
  if (errors === undefined) return false
  return childrenOf(errors, SPACE, 'Error').some(({ attributes }) => attributes.get('Number') === TOO_MANY)
}

function readRow({ attributes }: Element): Claim[] {
  const name = attributes.get('Domain')
  if (name === undefined) return []
  const [available, premium] = [readFlag(attributes.get('Available')), readFlag(attributes.get('IsPremiumName'))]
  // Any other number is an error, for example a suffix they do not sell; Available is then false without meaning.
  if (attributes.get('ErrorNo') !== '0' || available === undefined || premium === undefined) {
    return [{ name, says: 'malformed' }]
  }
  if (!available) return [{ name, says: 'registered' }]
  const isEarly = !isZero(attributes.get('EapFee'))
  if (!premium) return [{ name, says: isEarly ? 'premium' : 'available' }]
  const [registration, renewal] = ['PremiumRegistrationPrice', 'PremiumRenewalPrice'].map((field) =>
    dollarsIn(attributes.get(field)),
  )
  if (registration === undefined || renewal === undefined || isEarly) return [{ name, says: 'premium' }]
  const fee = dollarsIn(attributes.get('IcannFee'))?.minor ?? 0
  return [
    {
      name,
      says: 'premium',
      price: { registration: { ...registration, minor: registration.minor + fee }, renewal, years: 1 },
    },
  ]
}

function readFlag(text: string | undefined): boolean | undefined {
  return text === 'true' ? true : text === 'false' ? false : undefined
}

function isZero(text: string | undefined): boolean {
  return text !== undefined && /^0+(?:\.0+)?$/.test(text)
}
