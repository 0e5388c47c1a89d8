/**
 * A text as the bytes of a QR code: in byte mode, with the lowest of the four levels of correction, because a screen has no
 * scratches. Versions up to 15 hold 520 bytes, more than a secret with the longest mail address.
 */
import { correctionOf } from './reed-solomon.ts'

// ISO/IEC 18004 table 9, level L, by version: bytes of correction in each block, and how many blocks.
const CORRECTION = [7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22]
const BLOCKS = [1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6]

export interface QrData {
  readonly version: number
  readonly bytes: readonly number[]
}

/** Undefined for a text that is too long. */
export function qrDataOf(text: string): QrData | undefined {
  const given = [...new TextEncoder().encode(text)]
  const version = CORRECTION.findIndex((_, at) => given.length + headerBytes(at + 1) <= dataBytesOf(at + 1)) + 1
  if (version === 0) return undefined
  return { version, bytes: interleaved(version, padded(version, given)) }
}

/** Four bits of mode, eight or sixteen of length, and four to end with make whole bytes. */
const headerBytes = (version: number) => (version < 10 ? 2 : 3)

function padded(version: number, given: readonly number[]): number[] {
  const length = version < 10 ? [given.length] : [given.length >> 8, given.length & 0xff]
  const nibbles = [0b0100, ...[...length, ...given].flatMap((byte) => [byte >> 4, byte & 0xf]), 0]
  const bytes: number[] = []
  for (let at = 0; at < nibbles.length; at += 2) bytes.push(((nibbles[at] ?? 0) << 4) | (nibbles[at + 1] ?? 0))
  for (let pad = 0xec; bytes.length < dataBytesOf(version); pad ^= 0xec ^ 0x11) bytes.push(pad)
  return bytes
}

/** The blocks byte by byte in turn, so that a spot on the picture hurts each of them a little. */
function interleaved(version: number, data: readonly number[]): number[] {
  const count = BLOCKS[version - 1] ?? 1
  const short = Math.floor(data.length / count)
  const shorts = count - (data.length % count)
  const blocks = Array.from({ length: count }, (_, block) => {
    const from = block * short + Math.max(0, block - shorts)
    return data.slice(from, from + short + (block < shorts ? 0 : 1))
  })
  const corrections = blocks.map((block) => correctionOf(block, CORRECTION[version - 1] ?? 0))
  return [...inTurn(blocks), ...inTurn(corrections)]
}

function inTurn(blocks: readonly (readonly number[])[]): number[] {
  const longest = Math.max(...blocks.map(({ length }) => length))
  return Array.from({ length: longest }, (_, at) => blocks.flatMap((block) => block[at] ?? [])).flat()
}

function dataBytesOf(version: number): number {
  return Math.floor(modulesOf(version) / 8) - (CORRECTION[version - 1] ?? 0) * (BLOCKS[version - 1] ?? 0)
}

/** Squares that are left for data when the patterns are drawn. */
function modulesOf(version: number): number {
  const all = (16 * version + 128) * version + 64
  if (version < 2) return all
  const marks = Math.floor(version / 7) + 2
  return all - ((25 * marks - 10) * marks - 55) - (version < 7 ? 0 : 36)
}
