/**
 * Writes the DNS queries we send and reads their responses (RFC 1035 §4).
 *
 * Registration is checked with a query of type DS, because DS lives in the parent zone (RFC 4035 §3.1.4.1): the
 * registry's own servers answer it, and a resolver never contacts the domain's servers, which are often lame. So:
 *   - NOERROR, with or without a DS record: the registry delegates the name, so it is registered;
 *   - NXDOMAIN: the registry does not delegate it. Held and expiring names look the same, so this is never certain;
 *   - truncated: must be queried again over TCP;
 *   - everything else: unusable.
 * TXT is queried for what an owner publishes about the domain; its records come with NOERROR.
 *
 * A message that does not answer exactly our query is `undefined`, as if it had not arrived: it may be forged.
 */
export type DnsAnswer =
  | { readonly kind: 'exists'; readonly texts: readonly DnsText[] }
  | { readonly kind: 'absent'; readonly negativeTtlMs: number }
  | { readonly kind: 'truncated' }
  /**
   * Both may be different the next time. `refused`: by the resolver, for example because it has too many queries open.
   * `failed`: the servers behind it, or the resolver itself.
   */
  | { readonly kind: 'unusable'; readonly why?: 'refused' | 'failed' }

/** One TXT record: its character-strings, each of at most 255 octets. */
export type DnsText = readonly Buffer[]

export const UNUSABLE: DnsAnswer = { kind: 'unusable' }
const REFUSED: DnsAnswer = { kind: 'unusable', why: 'refused' }
const FAILED: DnsAnswer = { kind: 'unusable', why: 'failed' }
const TRUNCATED: DnsAnswer = { kind: 'truncated' }
const EXISTS: DnsAnswer = { kind: 'exists', texts: [] }

export type QueryType = keyof typeof TYPES
const TYPES = { TXT: 16, DS: 43 } as const
const TYPE_SOA = 6
const CLASS_IN = 1

const HEADER_LENGTH = 12
const FLAG_AA = 0x0400
const FLAG_TC = 0x0200
const FLAG_RA = 0x0080
const RCODE_NOERROR = 0
const RCODE_SERVFAIL = 2
const RCODE_NXDOMAIN = 3
const RCODE_REFUSED = 5

/** Returns the whole message with id 0; `name` must be valid, lower case and without a final dot. */
export function writeQuery(name: string, type: QueryType): Buffer {
  // From the pool: a separate allocation would cost more than the rest of this function. So every byte must be set.
  const message = Buffer.allocUnsafe(HEADER_LENGTH + name.length + 6)
  message.fill(0, 0, HEADER_LENGTH)
  message.fill(0, HEADER_LENGTH + name.length)
  message[2] = 0x01 // RD: the resolver recurses
  message[5] = 1 // one question in the query
  // Each dot becomes the length of the label after it; the byte before the first label is treated as a dot.
  let length = 0
  let at = HEADER_LENGTH + name.length
  for (let index = name.length - 1; index >= 0; index--, at--) {
    const code = name.charCodeAt(index)
    message[at] = code === DOT ? length : code
    length = code === DOT ? 0 : length + 1
  }
  message[at] = length
  message[message.length - 3] = TYPES[type]
  message[message.length - 1] = CLASS_IN
  return message
}

const DOT = 0x2e

/** The caller has already matched the id. */
export function readAnswer(message: Buffer, query: Buffer): DnsAnswer | undefined {
  if (!answersQuery(message, query)) return undefined
  const flags = message.readUInt16BE(2)
  const rcode = flags & 0x000f
  if (rcode === RCODE_REFUSED) return REFUSED
  if (rcode === RCODE_SERVFAIL) return FAILED
  // Neither authoritative nor recursive: a referral to other servers, which is no evidence about the name.
  if ((flags & (FLAG_AA | FLAG_RA)) === 0) return UNUSABLE
  if (rcode !== RCODE_NOERROR && rcode !== RCODE_NXDOMAIN) return UNUSABLE
  if ((flags & FLAG_TC) !== 0) return TRUNCATED
  if (rcode === RCODE_NOERROR && query[query.length - 3] === TYPES.DS) return EXISTS
  try {
    if (rcode === RCODE_NXDOMAIN) return readAbsence(message, query.length)
    return readTexts(message, query.length)
  } catch (error) {
    // Reading past the end: a malformed message is unusable.
    if (error instanceof RangeError) return UNUSABLE
    throw error
  }
}

function answersQuery(message: Buffer, query: Buffer): boolean {
  if (message.length < query.length) return false
  // QR set and opcode QUERY.
  if ((message.readUInt8(2) & 0xf8) !== 0x80 || message.readUInt16BE(4) !== 1) return false
  for (let at = HEADER_LENGTH; at < query.length; at++) {
    if (lowerCase(message[at]) !== query[at]) return false
  }
  return true
}

interface Resource {
  readonly owner: number
  readonly type: number
  readonly ttlSeconds: number
  /** Offsets of its data. */
  readonly start: number
  readonly end: number
}

/** Throws RangeError if the message ends too early. */
function* resources(message: Buffer, from: number, count: number): Generator<Resource> {
  let at = from
  for (let index = 0; index < count; index++) {
    const owner = at
    at = skipName(message, at)
    const start = at + 10
    const end = start + message.readUInt16BE(at + 8)
    if (end > message.length) throw new RangeError('a record exceeds the DNS message')
    yield { owner, type: message.readUInt16BE(at), ttlSeconds: message.readUInt32BE(at + 4), start, end }
    at = end
  }
}

/** RFC 2308 §5: a negative response may be cached for the SOA's own TTL or its minimum field, whichever is less. */
function readAbsence(message: Buffer, afterQuery: number): DnsAnswer {
  const count = message.readUInt16BE(6) + message.readUInt16BE(8)
  for (const { owner, type, ttlSeconds, end } of resources(message, afterQuery, count)) {
    if (type !== TYPE_SOA) continue
    // An SOA of the root means that the suffix itself does not exist, so nothing can be registered under it.
    if (message.readUInt8(owner) === 0) return UNUSABLE
    return { kind: 'absent', negativeTtlMs: Math.min(ttlSeconds, message.readUInt32BE(end - 4)) * 1000 }
  }
  // Forwarders respond like this from their own cache; RFC 2308 §5: without an SOA it must not be cached.
  return { kind: 'absent', negativeTtlMs: 0 }
}

/** Includes records behind an alias: the resolver has followed it, and they count the same. */
function readTexts(message: Buffer, afterQuery: number): DnsAnswer {
  const texts: Buffer[][] = []
  for (const { type, start, end } of resources(message, afterQuery, message.readUInt16BE(6))) {
    if (type !== TYPES.TXT) continue
    const strings: Buffer[] = []
    for (let at = start; at < end; at += 1 + message.readUInt8(at)) {
      if (at + 1 + message.readUInt8(at) > end) return UNUSABLE
      // A copy: it outlives the message, which may be a slice of a larger buffer.
      strings.push(Buffer.from(message.subarray(at + 1, at + 1 + message.readUInt8(at))))
    }
    texts.push(strings)
  }
  return { kind: 'exists', texts }
}

function skipName(message: Buffer, start: number): number {
  let at = start
  for (;;) {
    const length = message.readUInt8(at)
    if (length === 0) return at + 1
    // A pointer (RFC 1035 §4.1.4) ends a name.
    if (length >= 0xc0) return at + 2
    at += 1 + length
  }
}

/** Also applied to length bytes. None is in the range of capital letters: a label has at most 63 octets. */
function lowerCase(byte: number | undefined): number | undefined {
  return byte !== undefined && byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte
}
