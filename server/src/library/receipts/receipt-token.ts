/**
 * A receipt is its link: the verdicts on the domains of one name, with their times, and a MAC under a key derived from
 * NAMEWRIGHT_SECRET. Nothing of it is stored, so making one costs no row and tells the database no name, every node can
 * read it, and nobody can make one that this service has not made.
 *
 * Written as text in fields, because it must be short: one letter for a status and for a common source, seconds in base
 * 36. Prices of lists are not in it: they have dates of their own. A registrar's quote is.
 */
import { domainOf, isDomain, isLabel, isSuffix } from '../../model/domain.ts'
import type { Domain, Label } from '../../model/domain.ts'
import { isCurrency } from '../../model/money.ts'
import type { DomainPrice, Status, Verdict } from '../../model/verdict.ts'
import { createSigner, findBytes } from '../../platform/signer.ts'

export interface ReceiptDomain {
  readonly domain: Domain
  readonly available: boolean
  readonly status: Status
  readonly confidence: Verdict['confidence']
  readonly sources: readonly string[]
  /** Milliseconds since 1970, in whole seconds. */
  readonly checkedAt: number
  /** The registrar's price for this exact domain. */
  readonly price?: DomainPrice
}

export interface Receipt {
  readonly name: string
  readonly domains: readonly ReceiptDomain[]
  /** The sources that the service could ask at that time. */
  readonly asks: readonly string[]
}

export interface ReceiptTokens {
  make(receipt: Receipt): string
  /** Undefined when the token is not valid. */
  find(token: string): Receipt | undefined
}

export const MAX_RECEIPT_DOMAINS = 12
export const MAX_RECEIPT_NAME = 80
// A dozen of the longest domains; a real receipt has about a hundred characters.
export const MAX_RECEIPT_TOKEN = 6_000
const MAC_BYTES = 12
const VERSION = '1'
const SECOND_MS = 1_000

const STATUS_CODES: Readonly<Record<Status, string>> = {
  available: 'a',
  premium: 'p',
  for_sale: 's',
  taken: 't',
  reserved: 'r',
  restricted: 'e',
  unsupported: 'n',
  invalid: 'i',
  unknown: 'u',
}
const STATUSES = new Map(Object.entries(STATUS_CODES).map(([status, code]) => [code, status as Status]))
const SOURCE_CODES: Readonly<Record<string, string>> = { dns: 'd', index: 'i', rdap: 'r' }
const SOURCES = new Map(Object.entries(SOURCE_CODES).map(([source, code]) => [code, source]))

export function createReceiptTokens(secrets: readonly string[]): ReceiptTokens {
  const signer = createSigner(secrets, { purpose: 'namewright receipt', macBytes: MAC_BYTES })
  return {
    make(receipt) {
      const text = Buffer.from(textOf(receipt))
      return Buffer.concat([signer.sign(text), text]).toString('base64url')
    },
    find(token) {
      if (token.length > MAX_RECEIPT_TOKEN) return undefined
      const bytes = findBytes(token)
      if (!bytes) return undefined
      const text = bytes.subarray(MAC_BYTES)
      return signer.isSigned(bytes.subarray(0, MAC_BYTES), text) ? receiptOf(text.toString()) : undefined
    },
  }
}

function textOf({ name, domains, asks }: Receipt): string {
  const [first] = domains
  if (!first) throw new Error('a receipt has at least one domain')
  const label = labelOf(first.domain)
  const last = Math.max(...domains.map(({ checkedAt }) => secondsOf(checkedAt)))
  return [
    VERSION,
    name.replaceAll('\n', ' '),
    label,
    last.toString(36),
    asks.map(shortOf).join('+'),
    ...domains.map((one) => domainText(one, label, last)),
  ].join('\n')
}

function domainText(one: ReceiptDomain, label: string, last: number): string {
  const { domain, available, status, confidence, sources, checkedAt, price } = one
  const code = STATUS_CODES[status]
  return [
    // Under the same label only the suffix, else the whole domain.
    labelOf(domain) === label ? `.${domain.slice(label.length + 1)}` : domain,
    `${available ? code.toUpperCase() : code}${confidence === 'likely' ? '?' : ''}`,
    (last - secondsOf(checkedAt)).toString(36),
    sources.map(shortOf).join('+'),
    ...(price ? [priceText(price)] : []),
  ].join(' ')
}

function priceText({ registration, renewal, years, seller }: DomainPrice): string {
  const { minor, currency } = registration
  const again = renewal?.currency === currency ? renewal.minor.toString(36) : ''
  return [currency, minor.toString(36), again, years, seller].join(':')
}

/** Only of a text with a valid MAC: its form is ours. */
function receiptOf(text: string): Receipt | undefined {
  const [version, name = '', label = '', time = '', asks = '', ...lines] = text.split('\n')
  if (version !== VERSION || !isLabel(label)) return undefined
  const last = Number.parseInt(time, 36)
  const domains = lines.flatMap((line) => findDomainLine(line, label, last) ?? [])
  if (domains.length === 0 || domains.length < lines.length) return undefined
  return { name, domains, asks: longOf(asks) }
}

function findDomainLine(line: string, label: Label, last: number): ReceiptDomain | undefined {
  const [place = '', sign = '', ago = '', sources = '', quote] = line.split(' ')
  const suffix = place.slice(1)
  const domain = place.startsWith('.') ? (isSuffix(suffix) ? domainOf(label, suffix) : '') : place
  const code = sign.charAt(0)
  const status = STATUSES.get(code.toLowerCase())
  if (!isDomain(domain) || status === undefined) return undefined
  const price = quote === undefined ? undefined : findPrice(quote)
  return {
    domain,
    available: code !== code.toLowerCase(),
    status,
    confidence: sign.endsWith('?') ? 'likely' : 'definitive',
    sources: longOf(sources),
    checkedAt: (last - Number.parseInt(ago, 36)) * SECOND_MS,
    ...(price ? { price } : {}),
  }
}

function findPrice(text: string): DomainPrice | undefined {
  const [currency = '', minor = '', renewal = '', years = '', ...seller] = text.split(':')
  if (!isCurrency(currency)) return undefined
  const money = (amount: string) => ({ minor: Number.parseInt(amount, 36), currency })
  return {
    registration: money(minor),
    ...(renewal === '' ? {} : { renewal: money(renewal) }),
    years: Number(years),
    seller: seller.join(':'),
  }
}

const labelOf = (domain: string): string => domain.slice(0, domain.indexOf('.'))
const secondsOf = (at: number): number => Math.floor(at / SECOND_MS)
const shortOf = (source: string): string => SOURCE_CODES[source] ?? source
const longOf = (sources: string): string[] =>
  sources === '' ? [] : sources.split('+').map((source) => SOURCES.get(source) ?? source)
