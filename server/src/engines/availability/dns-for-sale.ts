/**
 * Finds out whether the owner of a registered domain offers it for sale. RFC 10023: TXT records at
 * `_for-sale.<domain>`, each `v=FORSALE1;` and at most one of ftxt= (text), furi= (a link), fval= (a price), fcod= (a
 * broker's code, opaque to us).
 *
 * Anybody can publish these records, so they are untrusted input: a record that breaks a rule below is ignored. A
 * record of the version alone, or with an unknown tag, means that the domain is for sale and no more.
 *
 * These queries reach the domain's own name servers, which are often slow or lame. Use a separate DNS client, or they
 * take the places of queries to registries.
 */
import type { Domain } from '../../model/domain.ts'
import type { DnsClient } from './dns-client.ts'
import type { DnsText } from './dns-message.ts'

export interface ForSale {
  /** Leaves out domains without an offer and those whose servers did not answer before `signal` aborted. */
  findOffers(domains: readonly Domain[], signal: AbortSignal): Promise<ReadonlyMap<Domain, SaleOffer>>
}

export interface SaleOffer {
  readonly text?: string
  /** Allows https: and mailto: only. */
  readonly uri?: string
  /** Currency, then amount: `USD750`. Written by the owner, not verified. */
  readonly value?: string
}

const NODE = '_for-sale.'
const VERSION = 'v=FORSALE1;'
// RFC 1035 §2.3.4, as text.
const NAME_MAX = 253
// A real owner has a handful; any more are ignored.
const MAX_RECORDS = 16
const TAG = /^([a-z]{4})=(.*)$/s
// Control characters, and characters that hide or reverse text.
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/u
const VALUE = /^[A-Z]{3,5}\d{1,12}(?:\.\d{1,8})?$/
// Without `?`: a link must not prefill an email that the reader did not write.
const MAILTO = /^mailto:[a-z0-9.!#$&'*+/=^_`{|}~-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i

export function createForSale({ client }: { client: DnsClient }): ForSale {
  return {
    async findOffers(domains, signal) {
      const offers = new Map<Domain, SaleOffer>()
      const askable = [...new Set(domains)].filter((domain) => NODE.length + domain.length <= NAME_MAX)
      if (signal.aborted || askable.length === 0) return offers
      const { promise, resolve } = Promise.withResolvers<void>()
      let open = askable.length
      const withdrawals = askable.map((domain) =>
        client.ask(NODE + domain, 'TXT', (answer) => {
          const offer = answer.kind === 'exists' ? readOffer(answer.texts) : undefined
          if (offer !== undefined) offers.set(domain, offer)
          open -= 1
          if (open === 0) resolve()
        }),
      )
      const stop = () => resolve()
      signal.addEventListener('abort', stop)
      await promise
      signal.removeEventListener('abort', stop)
      if (open > 0) for (const withdraw of withdrawals.toReversed()) withdraw()
      return offers
    },
  }
}

/**
 * Undefined if no record is a valid offer. Of several texts, links or values the first in alphabetical order counts.
 */
export function readOffer(texts: readonly DnsText[]): SaleOffer | undefined {
  const parts = texts.slice(0, MAX_RECORDS).flatMap((text) => readRecord(text) ?? [])
  if (parts.length === 0) return undefined
  // Servers rotate the order of records with every response; our result must not change with it.
  const first = (tag: keyof SaleOffer) => parts.flatMap((part) => part[tag] ?? []).toSorted()[0]
  const [text, uri, value] = [first('text'), first('uri'), first('value')]
  return {
    ...(text === undefined ? {} : { text }),
    ...(uri === undefined ? {} : { uri }),
    ...(value === undefined ? {} : { value }),
  }
}

function readRecord(strings: DnsText): SaleOffer | undefined {
  const [bytes] = strings
  // One character-string per record; its 255 octets are also our length limit.
  if (bytes === undefined || strings.length > 1) return undefined
  const record = decode(bytes)
  if (record === undefined || !record.startsWith(VERSION) || UNPRINTABLE.test(record)) return undefined
  const content = record.slice(VERSION.length).trim()
  if (content === '') return {}
  const [, tag = '', value = ''] = TAG.exec(content) ?? []
  if (value.trim() === '') return undefined
  if (tag === 'ftxt') return { text: value.trim() }
  if (tag === 'fval') return VALUE.test(value) ? { value } : undefined
  if (tag === 'furi') return isSafeUri(value) ? { uri: value } : undefined
  return {}
}

function decode(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function isSafeUri(text: string): boolean {
  if (MAILTO.test(text)) return true
  // A complete URL in lower case, without white space or quotes: a browser then reads exactly what was checked.
  if (!/^https:\/\/[^\s"'<>\\^`{|}]+$/.test(text) || !URL.canParse(text)) return false
  const { username, password } = new URL(text)
  // `https://bank.example@other.example` looks like a different host.
  return username === '' && password === ''
}
