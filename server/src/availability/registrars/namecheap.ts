/**
 * Namecheap: XML, fifty names at a time; needs a user, a key, and our public address on their allow-list.
 *
 * The key goes in the body and not in the address, where logs of proxies would keep it. Names of standard price come
 * without one: the catalogue's is used. A name in its early access period costs a fee that is not the list price, so
 * without the premium mark it is treated as a premium name whose price we do not know.
 */
import type { Secret } from '../../model/secret.ts'
import type { Claim } from './claim.ts'
import { evidenceOf } from './claim.ts'
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
  /** Our address as they see it. */
  readonly clientIp: string
  readonly now: () => number
}

const NAME = 'namecheap'
const SPACE = 'http://api.namecheap.com/xml.response'
const COMMAND = 'namecheap.domains.check'
// Their general "too many requests", which comes with status 200.
const TOO_MANY = '500000'

export function createNamecheap(options: NamecheapOptions): Registrar {
  const { send, url = 'https://api.namecheap.com', user, key, clientIp, now } = options
  const endpoint = new URL('/xml.response', url)

  return {
    name: NAME,
    host: endpoint.host,
    batch: 50,
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
  // Any other number is an error, among them "we do not sell this suffix", and then Available is false for nothing.
  if (attributes.get('ErrorNo') !== '0' || available === undefined || premium === undefined) {
    return [{ name, says: 'odd' }]
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
