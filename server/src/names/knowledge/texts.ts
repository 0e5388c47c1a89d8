/**
 * Many texts in one block: number → text, and where the build made a hash table of them, text → number.
 *
 * A text is decoded when it is asked for, and finding one compares bytes in place. So a hundred thousand words cost no
 * memory of their own in any thread.
 */
import { hashOf } from '../hash.ts'
import type { Packed, Section } from './packed.ts'

export interface Texts {
  readonly count: number
  readonly at: (place: number) => string
}

export interface FindableTexts extends Texts {
  /** -1 when it is not there. */
  readonly find: (text: string) => number
}

export function packTexts(name: string, texts: readonly string[]): [string, Section][] {
  const bodies = texts.map((text) => Buffer.from(text, 'utf8'))
  const ends = new Uint32Array(bodies.length + 1)
  for (const [at, body] of bodies.entries()) ends[at + 1] = ends[at]! + body.length
  return [
    [`${name}.text`, new Uint8Array(Buffer.concat(bodies))],
    [`${name}.ends`, ends],
  ]
}

/** With the hash table that `find` needs: open addressing, at most half full. A slot holds a place + 1, or 0. */
export function packFindableTexts(name: string, texts: readonly string[]): [string, Section][] {
  const slots = new Uint32Array(2 ** Math.ceil(Math.log2(2 * texts.length + 1)))
  for (const [place, text] of texts.entries()) {
    let slot = hashOf(text) & (slots.length - 1)
    while (slots[slot] !== 0) slot = (slot + 1) & (slots.length - 1)
    slots[slot] = place + 1
  }
  return [...packTexts(name, texts), [`${name}.slots`, slots]]
}

/** Each once, in the order of their bytes, which is the same on every machine. */
export function sortTexts(texts: Iterable<string>): string[] {
  // Each is encoded once, and not at every comparison.
  const encoded = Array.from(new Set(texts), (text) => ({ text, bytes: Buffer.from(text) }))
  return encoded.toSorted((a, b) => Buffer.compare(a.bytes, b.bytes)).map(({ text }) => text)
}

export function openTexts(packed: Packed, name: string): Texts {
  const bytes = packed.bytes(`${name}.text`)
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const ends = packed.whole(`${name}.ends`)
  return { count: ends.length - 1, at: (place) => text.toString('utf8', ends[place], ends[place + 1]) }
}

export function openFindableTexts(packed: Packed, name: string): FindableTexts {
  const texts = openTexts(packed, name)
  const bytes = packed.bytes(`${name}.text`)
  const ends = packed.whole(`${name}.ends`)
  const slots = packed.whole(`${name}.slots`)

  function isAt(place: number, wanted: string): boolean {
    const start = ends[place]!
    const size = ends[place + 1]! - start
    if (size < wanted.length) return false
    for (let at = 0; at < wanted.length; at++) {
      const code = wanted.charCodeAt(at)
      if (code > 0x7f) return texts.at(place) === wanted
      if (bytes[start + at] !== code) return false
    }
    return size === wanted.length
  }

  function find(wanted: string): number {
    let slot = hashOf(wanted) & (slots.length - 1)
    while (slots[slot] !== 0) {
      const place = slots[slot]! - 1
      if (isAt(place, wanted)) return place
      slot = (slot + 1) & (slots.length - 1)
    }
    return -1
  }

  return { ...texts, find }
}
