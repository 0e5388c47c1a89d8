/**
 * A zone file in the format of CZDS → the hashes of its delegated names.
 *
 * One record per line, `<name> <ttl> <class> <type> <rdata>`, the fields parted by a tab, names complete and in lower
 * case, the file sorted. A name is delegated when it has an NS record and is exactly one label below the suffix: the
 * apex, glue (`ns1.example.com. A`), DS, RRSIG, NSEC3 and whatever lies deeper are passed over. Blanks for tabs and
 * capitals for small letters are put up with.
 *
 * Bytes are scanned where they lie, chunk by chunk: no line and no name becomes a string. A name's records stand
 * together, so comparing with the last name is enough; what slips through is dropped when the hashes are sorted.
 *
 * Fails with BadZone when the stream is cut off or the zone's own SOA record is not in it, because then it is
 * something else. A line that is no record is counted and passed over: one name less only means one hint less.
 */
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { isGzip } from './gzip.ts'
import { createHash, hashBytes } from './hash.ts'

export class BadZone extends Error {}

export interface ZoneCount {
  readonly lines: number
  readonly oddLines: number
}

const TAB = 9
const NEWLINE = 10
const RETURN = 13
const BLANK = 32
const DOT = 46
const SEMICOLON = 59
// RFC 1035 lets a name have 255 bytes; a record that long without a line end is no text file.
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
    throw new BadZone(`the zone of ${suffix} cannot be read to its end`, { cause })
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
  let oddLines = 0
  let hasSoa = false

  /** One line, `end` at its newline. */
  function scanLine(bytes: Buffer, start: number, end: number) {
    if (start === end || bytes[start] === SEMICOLON || (bytes[start] === RETURN && end === start + 1)) return
    lines++
    let nameEnd = start
    while (nameEnd < end && (bytes[nameEnd] as number) !== TAB && (bytes[nameEnd] as number) !== BLANK) nameEnd++
    const type = fieldAfter(bytes, fieldAfter(bytes, fieldAfter(bytes, nameEnd, end), end), end)
    if (type >= end || nameEnd === start) oddLines++
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
    // Without the dot at the end, as everybody else writes it.
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
      // A copy, because the stream may use the chunk again.
      rest = Buffer.from(bytes.subarray(start))
      if (rest.length > LINE_MAX) throw new BadZone(`the zone of ${suffix} is not made of lines`)
    },
    end(): ZoneCount {
      if (rest.length > 0) throw new BadZone(`the last line of the zone of ${suffix} has no end`)
      if (!hasSoa) throw new BadZone(`there is no SOA record of ${suffix} in what should be its zone`)
      return { lines, oddLines }
    },
  }
}

/** Where the next field starts, past this one and the blanks after it; `end` when there is none. */
function fieldAfter(bytes: Buffer, from: number, end: number): number {
  let at = from
  while (at < end && bytes[at] !== TAB && bytes[at] !== BLANK) at++
  while (at < end && (bytes[at] === TAB || bytes[at] === BLANK)) at++
  return at
}

function isNs(bytes: Buffer, at: number): boolean {
  return isLetter(bytes, at, 0x4e) && isLetter(bytes, at + 1, 0x53) && isBlank(bytes, at + 2)
}

function isSoa(bytes: Buffer, at: number): boolean {
  const isWord = isLetter(bytes, at, 0x53) && isLetter(bytes, at + 1, 0x4f) && isLetter(bytes, at + 2, 0x41)
  return isWord && isBlank(bytes, at + 3)
}

function isLetter(bytes: Buffer, at: number, capital: number): boolean {
  return ((bytes[at] as number) & ~BLANK) === capital
}

function isBlank(bytes: Buffer, at: number): boolean {
  return bytes[at] === TAB || bytes[at] === BLANK
}

function isSame(bytes: Buffer, at: number, other: Buffer, length: number): boolean {
  for (let index = 0; index < length; index++) if (bytes[at + index] !== other[index]) return false
  return true
}
