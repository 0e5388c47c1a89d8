/**
 * The DNS questions we send and what their answers mean (RFC 1035 §4).
 *
 * Whether a domain is registered is asked by type DS, because DS lives in the parent zone (RFC 4035 §3.1.4.1): the
 * registry's own servers answer it, and a resolver never goes on to the domain's servers, which are often lame. So:
 *   - NOERROR, with or without a DS record: the registry delegates the name, somebody has it;
 *   - NXDOMAIN: the registry does not delegate it. Held and expiring names look the same, hence never a certainty;
 *   - cut off: to be asked again over TCP;
 *   - everything else: no news.
 * TXT is asked for what an owner says about the domain; its records come along with NOERROR.
 *
 * A message that is not the answer to our very question is `undefined`, as if it had not come: it may be forged.
 */
export type Answer =
  | { readonly kind: 'exists'; readonly texts: readonly Text[] }
  | { readonly kind: 'absent'; readonly negativeTtlMs: number }
  | { readonly kind: 'truncated' }
  | { readonly kind: 'unusable' }

/** One TXT record: its character-strings, each of at most 255 octets. */
export type Text = readonly Buffer[]

export const UNUSABLE: Answer = { kind: 'unusable' }
const TRUNCATED: Answer = { kind: 'truncated' }
const EXISTS: Answer = { kind: 'exists', texts: [] }

export type QuestionType = keyof typeof TYPES
const TYPES = { TXT: 16, DS: 43 } as const
const TYPE_SOA = 6
const CLASS_IN = 1

const HEADER_LENGTH = 12
const FLAG_AA = 0x0400
const FLAG_TC = 0x0200
const FLAG_RA = 0x0080
const RCODE_NOERROR = 0
const RCODE_NXDOMAIN = 3

/** The whole message with id 0; `name` must be valid, lower case and without a final dot. */
export function writeQuestion(name: string, type: QuestionType): Buffer {
  // From the pool: memory of its own would cost more than everything else here. So every byte must be set.
  const message = Buffer.allocUnsafe(HEADER_LENGTH + name.length + 6)
  message.fill(0, 0, HEADER_LENGTH)
  message.fill(0, HEADER_LENGTH + name.length)
  message[2] = 0x01 // RD: the resolver does the walking
  message[5] = 1 // one question
  // Each dot becomes the length of the label after it; what stands before the first label plays a dot.
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

/** The id is compared by whoever looked the question up by it. */
export function readAnswer(message: Buffer, question: Buffer): Answer | undefined {
  if (!answersQuestion(message, question)) return undefined
  const flags = message.readUInt16BE(2)
  // Neither authoritative nor willing to recurse: a pointer to other servers, which says nothing about the name.
  if ((flags & (FLAG_AA | FLAG_RA)) === 0) return UNUSABLE
  const rcode = flags & 0x000f
  if (rcode !== RCODE_NOERROR && rcode !== RCODE_NXDOMAIN) return UNUSABLE
  if ((flags & FLAG_TC) !== 0) return TRUNCATED
  if (rcode === RCODE_NOERROR && question[question.length - 3] === TYPES.DS) return EXISTS
  try {
    return rcode === RCODE_NOERROR ? readTexts(message, question.length) : readAbsence(message, question.length)
  } catch (error) {
    // Only reading past the end: a broken message is no news.
    if (error instanceof RangeError) return UNUSABLE
    throw error
  }
}

function answersQuestion(message: Buffer, question: Buffer): boolean {
  if (message.length < question.length) return false
  // QR set and opcode QUERY.
  if ((message.readUInt8(2) & 0xf8) !== 0x80 || message.readUInt16BE(4) !== 1) return false
  for (let at = HEADER_LENGTH; at < question.length; at++) {
    if (lowerCase(message[at]) !== question[at]) return false
  }
  return true
}

interface Resource {
  readonly owner: number
  readonly type: number
  readonly ttlSeconds: number
  /** Where its data begin and end. */
  readonly start: number
  readonly end: number
}

/** Fails with RangeError where the message ends too early. */
function* resources(message: Buffer, from: number, count: number): Generator<Resource> {
  let at = from
  for (let index = 0; index < count; index++) {
    const owner = at
    at = skipName(message, at)
    const start = at + 10
    const end = start + message.readUInt16BE(at + 8)
    if (end > message.length) throw new RangeError('a record ends after its message')
    yield { owner, type: message.readUInt16BE(at), ttlSeconds: message.readUInt32BE(at + 4), start, end }
    at = end
  }
}

/** RFC 2308 §5: a negative answer may be kept for the SOA's own TTL or its minimum field, whichever is less. */
function readAbsence(message: Buffer, afterQuestion: number): Answer {
  const count = message.readUInt16BE(6) + message.readUInt16BE(8)
  for (const { owner, type, ttlSeconds, end } of resources(message, afterQuestion, count)) {
    if (type !== TYPE_SOA) continue
    // The root speaking means that the suffix itself does not exist, and under it nothing can be registered.
    if (message.readUInt8(owner) === 0) return UNUSABLE
    return { kind: 'absent', negativeTtlMs: Math.min(ttlSeconds, message.readUInt32BE(end - 4)) * 1000 }
  }
  // Forwarders answer so from their own cache; RFC 2308 §5: without an SOA it must not be kept.
  return { kind: 'absent', negativeTtlMs: 0 }
}

/** Also those behind an alias: the resolver has followed it, and the owner's word is the same. */
function readTexts(message: Buffer, afterQuestion: number): Answer {
  const texts: Buffer[][] = []
  for (const { type, start, end } of resources(message, afterQuestion, message.readUInt16BE(6))) {
    if (type !== TYPES.TXT) continue
    const strings: Buffer[] = []
    for (let at = start; at < end; at += 1 + message.readUInt8(at)) {
      if (at + 1 + message.readUInt8(at) > end) return UNUSABLE
      // A copy: it outlives the message, which may be a slice of something larger.
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

/** Also touches length bytes in the range of capital letters; none is: a label has at most 63 octets. */
function lowerCase(byte: number | undefined): number | undefined {
  return byte !== undefined && byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte
}
