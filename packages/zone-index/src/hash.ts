/**
 * Hashes a domain to 64 bits: two words of 32, of which the first determines the order. The same for the text a
 * caller sends and for the bytes of a zone file, so a zone is indexed without creating strings.
 *
 * The two halves are mixed into each other at every step (as in MurmurHash3), which makes 64 bits of state: among 370
 * million names two share a hash once in about 270 builds, and then one of them only looks registered. JavaScript
 * runs 32-bit multiplications at full speed; a BigInt here would cost more than everything else.
 *
 * Domains are ASCII of at most 253 characters. This file does not check that, because `model/domain.ts` and the zone
 * format already have.
 */

/** [0] determines the order and the shard, [1] is the rest. */
export type Hash = Uint32Array

export function createHash(): Hash {
  return new Uint32Array(2)
}

// The multipliers and rotations of MurmurHash3; the seeds are digits of pi.
const SEED_A = 0x243f6a88
const SEED_B = 0x85a308d3
const MUL_A = 0x239b961b
const MUL_B = 0xab0e9789

export function hashText(text: string, into: Hash): void {
  const whole = text.length & ~3
  let a = SEED_A
  let b = SEED_B
  let at = 0
  for (; at < whole; at += 4) {
    const word =
      text.charCodeAt(at) |
      (text.charCodeAt(at + 1) << 8) |
      (text.charCodeAt(at + 2) << 16) |
      (text.charCodeAt(at + 3) << 24)
    a = stepA(a, b, word)
    b = stepB(b, a, word)
  }
  let last = text.length << 24
  for (let shift = 0; at < text.length; at++, shift += 8) last |= text.charCodeAt(at) << shift
  finish(a, b, last, into)
}

export function hashBytes(bytes: Uint8Array, start: number, end: number, into: Hash): void {
  const whole = start + ((end - start) & ~3)
  let a = SEED_A
  let b = SEED_B
  let at = start
  for (; at < whole; at += 4) {
    const word =
      (bytes[at] as number) |
      ((bytes[at + 1] as number) << 8) |
      ((bytes[at + 2] as number) << 16) |
      ((bytes[at + 3] as number) << 24)
    a = stepA(a, b, word)
    b = stepB(b, a, word)
  }
  let last = (end - start) << 24
  for (let shift = 0; at < end; at++, shift += 8) last |= (bytes[at] as number) << shift
  finish(a, b, last, into)
}

/** Bijective: every bit of the word affects every bit of the result. */
export function scramble(word: number): number {
  let mixed = Math.imul(word ^ (word >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return mixed ^ (mixed >>> 16)
}

function stepA(a: number, b: number, word: number): number {
  const mixed = Math.imul(word, MUL_A)
  const turned = a ^ Math.imul((mixed << 15) | (mixed >>> 17), MUL_B)
  return (Math.imul(((turned << 19) | (turned >>> 13)) + b, 5) + 0x561ccd1b) | 0
}

function stepB(b: number, a: number, word: number): number {
  const mixed = Math.imul(word, MUL_B)
  const turned = b ^ Math.imul((mixed << 16) | (mixed >>> 16), MUL_A)
  return (Math.imul(((turned << 17) | (turned >>> 15)) + a, 5) + 0x0bcaa747) | 0
}

/** The last block holds the rest of the text, at most three characters, and in its top byte the length. */
function finish(a: number, b: number, last: number, into: Hash): void {
  const one = stepA(a, b, last)
  const two = stepB(b, one, last)
  const first = scramble(one + two)
  into[0] = first
  into[1] = scramble(two + Math.imul(first, 5))
}
