/**
 * Every English word the naming knows: how common it is, what it can be, and where it stands in meaning.
 *
 * A vector has 128 small whole numbers; two words are as near as the product of their vectors. Sums of whole numbers
 * are the same on every machine.
 */
import type { Nearness } from './nearness.ts'
import { DIMENSIONS, nearnessAt } from './nearness.ts'
import type { Packed } from './packed.ts'
import { openFindableTexts } from './texts.ts'

export interface Words {
  find(word: string): number
  at(place: number): string
  /** 0 never spoken … 15 everywhere. */
  commonness(place: number): number
  /** Letters: c thing, p person, n other noun, v verb, a adjective, r adverb; empty when nothing is known. */
  classes(place: number): string
  /** The first of these letters. */
  mainClass(place: number): string
  /** In how many aspects it is part of a name. */
  spread(place: number): number
  /** A view, not a copy. */
  vector(place: number): Int8Array
  /** All of them, one after the other. */
  readonly vectors: Int8Array
  /** To the vector at a place among others. */
  nearness(place: number, to: Int8Array, at?: number): number
}

// Stored as one number per word: up to four class letters, each in three bits, first letter lowest.
const LETTERS = ['', 'c', 'p', 'n', 'v', 'a', 'r']

export function packClasses(classes: string): number {
  return Array.from(classes.slice(0, 4)).reduce((sum, letter, at) => sum | (LETTERS.indexOf(letter) << (3 * at)), 0)
}

export function openWords(packed: Packed, nearness: Nearness = nearnessAt): Words {
  const texts = openFindableTexts(packed, 'words')
  const common = packed.bytes('words.common')
  const classes = packed.whole('words.classes')
  const spread = packed.whole('words.spread')
  const vectors = packed.small('words.vectors')
  return {
    find: texts.find,
    at: texts.at,
    commonness: (place) => common[place] ?? 0,
    classes: (place) => (place < 0 ? '' : unpackClasses(classes[place]!)),
    mainClass: (place) => (place < 0 ? '' : LETTERS[classes[place]! & 7]!),
    spread: (place) => spread[place] ?? 0,
    vector: (place) => vectors.subarray(place * DIMENSIONS, (place + 1) * DIMENSIONS),
    vectors,
    nearness: (place, to, at = 0) => nearness(vectors, place, to, at),
  }
}

function unpackClasses(bits: number): string {
  let text = ''
  for (let rest = bits; rest > 0; rest >>= 3) text += LETTERS[rest & 7]!
  return text
}
