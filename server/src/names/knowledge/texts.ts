/**
 * Many texts in one block: number → text, and where they are sorted, text → number.
 *
 * A text is decoded when it is asked for; finding one is a binary search over the bytes. So a hundred thousand words
 * cost no memory of their own in any thread, and a few microseconds each when used.
 */
import type { Packed, Section } from './packed.ts'

export interface Texts {
  readonly count: number
  readonly at: (place: number) => string
  /** -1 when it is not there. Only for texts packed in order. */
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

/** In the order that `find` searches by: of their bytes, not of any alphabet. */
export function sortTexts(texts: Iterable<string>): string[] {
  // Each is encoded once, and not at every comparison.
  const encoded = Array.from(new Set(texts), (text) => ({ text, bytes: Buffer.from(text) }))
  return encoded.toSorted((a, b) => Buffer.compare(a.bytes, b.bytes)).map(({ text }) => text)
}

export function openTexts(packed: Packed, name: string): Texts {
  const bytes = packed.bytes(`${name}.text`)
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const ends = packed.whole(`${name}.ends`)

  function find(wanted: string): number {
    const target = Buffer.from(wanted, 'utf8')
    let low = 0
    let high = ends.length - 2
    while (low <= high) {
      const middle = (low + high) >> 1
      const order = text.compare(target, 0, target.length, ends[middle], ends[middle + 1])
      if (order === 0) return middle
      if (order < 0) low = middle + 1
      else high = middle - 1
    }
    return -1
  }

  return { count: ends.length - 1, at: (place) => text.toString('utf8', ends[place], ends[place + 1]), find }
}
