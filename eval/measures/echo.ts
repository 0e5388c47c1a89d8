/** Echo: the share of names that repeat a word of the description, by stem. Some is natural; a lot is lazy. */
import { lettersOf } from '../words-of-name.ts'
import { contentWords, stemOf } from '../stems.ts'
import { meanOf } from '../statistics.ts'

// A stem of three letters sits in too many unrelated words ("art" in "start"), so it must be a word of the name.
const HIDDEN = 4

export interface Worded {
  readonly name: string
  /** The words a reader sees in it. */
  readonly words: readonly string[]
}

export function isEcho({ name, words }: Worded, stems: readonly string[]): boolean {
  const letters = lettersOf(name)
  const ownStems = new Set(words.map((word) => stemOf(word)))
  return stems.some((stem) => ownStems.has(stem) || (stem.length >= HIDDEN && letters.includes(stem)))
}

export function stemsOf(description: string): string[] {
  return [...new Set(contentWords(description).map((word) => stemOf(lettersOf(word))))].filter(
    ({ length }) => length > 1,
  )
}

/** Over all names of all answers. */
export function echoRate(answers: readonly { description: string; names: readonly Worded[] }[]): number {
  return meanOf(
    answers.flatMap(({ description, names }) => {
      const stems = stemsOf(description)
      return names.map((name) => (isEcho(name, stems) ? 1 : 0))
    }),
  )
}
