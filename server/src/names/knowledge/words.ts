/**
 * Every English word the naming knows: how common it is, what it can be, and where it stands in meaning.
 *
 * A vector has 128 small whole numbers; two words are as near as the product of their vectors. Sums of whole numbers
 * are the same on every machine.
 */
import type { Packed } from './packed.ts'
import { openTexts } from './texts.ts'

export const DIMENSIONS = 128
// A vector's numbers are this many times those of a vector of length one.
export const UNIT = 256

export interface Words {
  find(word: string): number
  at(place: number): string
  /** 0 never spoken … 15 everywhere. */
  commonness(place: number): number
  /** Letters: c thing, p person, n other noun, v verb, a adjective, r adverb; empty when nothing is known. */
  classes(place: number): string
  /** In how many aspects it is part of a name. */
  spread(place: number): number
  /** A view, not a copy. */
  vector(place: number): Int8Array
}

const MAX_REMEMBERED = 20_000

// Stored as one number per word: up to four class letters, each in three bits, first letter lowest.
const LETTERS = ['', 'c', 'p', 'n', 'v', 'a', 'r']

export function packClasses(classes: string): number {
  return Array.from(classes.slice(0, 4)).reduce((sum, letter, at) => sum | (LETTERS.indexOf(letter) << (3 * at)), 0)
}

export function openWords(packed: Packed): Words {
  const texts = openTexts(packed, 'words')
  const common = packed.bytes('words.common')
  const classes = packed.whole('words.classes')
  const spread = packed.whole('words.spread')
  const vectors = packed.small('words.vectors')
  return {
    find: remember(texts.find),
    at: texts.at,
    commonness: (place) => common[place] ?? 0,
    classes: (place) => (place < 0 ? '' : unpackClasses(classes[place]!)),
    spread: (place) => spread[place] ?? 0,
    vector: (place) => vectors.subarray(place * DIMENSIONS, (place + 1) * DIMENSIONS),
  }
}

/** The same few words are looked for all day; what was found once is not searched again. */
function remember(find: (word: string) => number): (word: string) => number {
  const known = new Map<string, number>()
  return (word) => {
    let place = known.get(word)
    if (place === undefined) {
      if (known.size >= MAX_REMEMBERED) known.clear()
      known.set(word, (place = find(word)))
    }
    return place
  }
}

function unpackClasses(bits: number): string {
  let text = ''
  for (let rest = bits; rest > 0; rest >>= 3) text += LETTERS[rest & 7]!
  return text
}
