/**
 * What the classifier sees of a description: its words without their endings, and each pair of neighbours, as numbers.
 *
 * The build learns from the same clues (`scripts/names/fields.ts`), so both sides must come from this file.
 */
import { hashOf } from '../hash.ts'

// They join other words to telling pairs, and tell nothing alone.
const EMPTY = new Set(
  (
    'a an the and or of for to in on with that your you our we my i is are it its so at by from who as be their them ' +
    'this which into up out not no can all more than have has they he she his her but when what where just one us do ' +
    'dont every any some get make made new help want'
  ).split(' '),
)
const ENDINGS: readonly (readonly [string, string])[] = [
  ['ies', 'y'],
  ['sses', 'ss'],
  ['ing', ''],
  ['ers', 'er'],
  ['ed', ''],
  ['s', ''],
]
const MIN_STEM = 3

/** Each clue once, in any order. `words` are folded. */
export function cluesOf(words: readonly string[]): number[] {
  return [...wordClues(words), ...pairClues(words)]
}

export function wordClues(words: readonly string[]): Set<number> {
  return new Set(words.filter((word) => !EMPTY.has(word)).map((word) => hashOf(stemOf(word))))
}

export function pairClues(words: readonly string[]): Set<number> {
  const stems = words.map(stemOf)
  return new Set(stems.slice(1).map((stem, before) => hashOf(`${stems[before]!} ${stem}`)))
}

function stemOf(word: string): string {
  for (const [ending, instead] of ENDINGS) {
    if (word.endsWith(ending) && word.length - ending.length >= MIN_STEM) return word.slice(0, -ending.length) + instead
  }
  return word
}
