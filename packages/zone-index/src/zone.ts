/**
 * Reads a zone file in the format of CZDS and returns the hashes of its delegated names.
 *
 * One record per line, `<name> <ttl> <class> <type> <rdata>`, fields separated by a tab, names complete and in lower
 * case, the file sorted. A name is delegated if it has an NS record and is exactly one label below the suffix: the
 * apex, glue (`ns1.example.com. A`), DS, RRSIG, NSEC3 and deeper names are skipped. Blanks instead of tabs and
 * capital letters are accepted.
 *
 * Bytes are scanned in place, chunk by chunk: no line and no name becomes a string. The records of a name are
 * adjacent, so comparing with the last name is enough; remaining duplicates are removed when the hashes are sorted.
 *
 * Throws BadZone if the stream is truncated or the zone's own SOA record is missing, because then it is not this
 * zone. A line that is not a record is counted and skipped: one name less only means one hint less.
 */
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { isGzip } from './gzip.ts'
import { createHash, hashBytes } from './hash.ts'

export class BadZone extends Error {}

export interface ZoneCount {
  readonly lines: number
  readonly malformedLines: number
}

const TAB = 9
const NEWLINE = 10
const RETURN = 13
const BLANK = 32
const DOT = 46
const SEMICOLON = 59
// RFC 1035 allows a name 255 bytes; a record that long without a line end is not a text file.
const LINE_MAX = 1 << 20
const CHUNK = 1 << 18

export async function readZone(
  path: string,
  suffix: string,
  onHash: (first: number, second: number) => void,
  onBytes: (bytes: number) => void = () => {},
): Promise<ZoneCount> {
  const scanner = createScanner(suffix, onHash)
  const file = createReadStream(path, { highWaterMark: CHUNK })
  async function* count(chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      onBytes(chunk.length)
      yield chunk
    }
  }
  const take = async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) scanner.scan(chunk)
  }
  try {
    if (await isGzip(path)) await pipeline(file, count, createGunzip({ chunkSize: CHUNK }), take)
    else await pipeline(file, count, take)
  } catch (cause) {
    if (cause instanceof BadZone) throw cause
    throw new BadZone(`the zone of ${suffix} cannot be read completely`, { cause })
  }
  return scanner.end()
}

function createScanner(suffix: string, onHash: (first: number, second: number) => void) {
  const tail = Buffer.from(`.${suffix}.`)
  const last = Buffer.alloc(256)
  const hash = createHash()
  let lastLength = 0
  let rest: Buffer = Buffer.alloc(0)
  let lines = 0
  let malformedLines = 0
  let hasSoa = false

  /** Scans one line; `end` is at its newline. */
  function scanLine(bytes: Buffer, start: number, end: number) {
    if (start === end || bytes[start] === SEMICOLON || (bytes[start] === RETURN && end === start + 1)) return
    lines++
    let nameEnd = start
    while (nameEnd < end && (bytes[nameEnd] as number) !== TAB && (bytes[nameEnd] as number) !== BLANK) nameEnd++
    const type = fieldAfter(bytes, fieldAfter(bytes, fieldAfter(bytes, nameEnd, end), end), end)
    if (type >= end || nameEnd === start) malformedLines++
    else if (isNs(bytes, type)) takeDelegation(bytes, start, nameEnd)
    else if (!hasSoa && isSoa(bytes, type)) hasSoa = isApex(bytes, start, nameEnd)
  }

  function takeDelegation(bytes: Buffer, start: number, nameEnd: number) {
    const length = nameEnd - start
    const labelEnd = nameEnd - tail.length
    if (labelEnd <= start || length > last.length) return
    if (length === lastLength && isSame(bytes, start, last, length)) return
    for (let at = start; at < nameEnd; at++) {
      const byte = bytes[at] as number
      if (byte >= 65 && byte <= 90) bytes[at] = byte + 32
    }
    for (let at = start; at < labelEnd; at++) if (bytes[at] === DOT) return
    if (!isSame(bytes, labelEnd, tail, tail.length)) return
    bytes.copy(last, 0, start, nameEnd)
    lastLength = length
    // Without the final dot, as in the rest of the code.
    hashBytes(bytes, start, nameEnd - 1, hash)
    onHash(hash[0] as number, hash[1] as number)
  }

  function isApex(bytes: Buffer, start: number, nameEnd: number): boolean {
    return bytes.toString('latin1', start, nameEnd).toLowerCase() === `${suffix}.`
  }

  return {
    scan(chunk: Buffer) {
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      let start = 0
      for (let end = bytes.indexOf(NEWLINE, rest.length); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
        scanLine(bytes, start, end)
        start = end + 1
      }
      // A copy, because the stream may reuse the chunk.
      rest = Buffer.from(bytes.subarray(start))
      if (rest.length > LINE_MAX) throw new BadZone(`the zone of ${suffix} is not a text file`)
    },
    end(): ZoneCount {
      if (rest.length > 0) throw new BadZone(`the last line of the zone of ${suffix} is truncated`)
      if (!hasSoa) throw new BadZone(`the zone of ${suffix} has no SOA record`)
      return { lines, malformedLines }
    },
  }
}

/** Where the next field starts, after this one and the blanks behind it; `end` if there is none. */
function fieldAfter(bytes: Buffer, from: number, end: number): number {
  let at = from
  while (at < end && bytes[at] !== TAB && bytes[at] !== BLANK) at++
  while (at < end && (bytes[at] === TAB || bytes[at] === BLANK)) at++
  return at
}

function isNs(bytes: Buffer, at: number): boolean {
  return isAsciiLetter(bytes, at, 0x4e) && isAsciiLetter(bytes, at + 1, 0x53) && isBlank(bytes, at + 2)
}

function isSoa(bytes: Buffer, at: number): boolean {
  const isWord =
    isAsciiLetter(bytes, at, 0x53) && isAsciiLetter(bytes, at + 1, 0x4f) && isAsciiLetter(bytes, at + 2, 0x41)
  return isWord && isBlank(bytes, at + 3)
}

function isAsciiLetter(bytes: Buffer, at: number, capital: number): boolean {
  return ((bytes[at] as number) & ~BLANK) === capital
}

function isBlank(bytes: Buffer, at: number): boolean {
  return bytes[at] === TAB || bytes[at] === BLANK
}

function isSame(bytes: Buffer, at: number, other: Buffer, length: number): boolean {
  for (let index = 0; index < length; index++) if (bytes[at + index] !== other[index]) return false
  return true
}
