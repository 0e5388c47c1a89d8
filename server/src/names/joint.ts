/**
 * How well two parts stand together, and what must never be read across the place where they meet.
 *
 * Which two words stand together carries no meaning worth learning, but their letters do: a doubled letter at the
 * joint is misspelt, a heap of consonants cannot be said, and "pen" + "island" says something else. Words that hide
 * inside one part were weighed when the part was made; only what crosses the joint is looked for here.
 */
import type { Part } from './part.ts'
import { isVowel } from './part.ts'

export interface Joints {
  /** True when a word nobody wants is read across the place where two parts meet. */
  hides(label: string, seam: number): boolean
  /** True when the eye may break the two elsewhere: "tea" + "mill" is a team that is ill. */
  misreads(first: Part, second: Part): boolean
}

const REFUSED = -1
// Names people keep are eight or nine letters long in all.
const BEST_LENGTH = 8.5
const LETTER_A = 0x61

export function createJoints(
  unwanted: readonly string[],
  lexicon: ReadonlyMap<string, Part>,
  isClean: (word: string) => boolean,
): Joints {
  const crossings = byBigram(unwanted)
  const longer = nextLetters(lexicon)

  function hides(label: string, seam: number): boolean {
    const found = crossings.get(bigram(label.charCodeAt(seam - 1), label.charCodeAt(seam)))
    if (found === undefined) return false
    return found.some(({ word, at }) => seam > at && label.startsWith(word, seam - 1 - at))
  }

  function misreads(first: Part, second: Part): boolean {
    const letters = longer.get(first.text)
    if (letters === undefined || ((letters >> (second.first - LETTER_A)) & 1) === 0) return false
    const rest = second.text.slice(1)
    return lexicon.has(rest) || !isClean(rest)
  }

  return { hides, misreads }
}

/** 0..1; negative when the two must not be joined. */
export function fit(first: Part, second: Part): number {
  if (first.last === second.first || first.text === second.text) return REFUSED
  const meeting = first.coda + second.onset
  if (meeting > 4) return REFUSED
  let value = 0.8 - 0.06 * Math.abs(first.text.length + second.text.length - BEST_LENGTH)
  if (meeting > 3) value -= 0.2
  if (meeting === 0 && isVowel(first.last) && isVowel(second.first)) value -= 0.25
  if (first.first === second.first) value += 0.08
  if (first.text.length > 6) value -= 0.15
  return Math.max(0, value + 0.2 * (first.sound + second.sound - 1))
}

interface Crossing {
  readonly word: string
  /** Where in the word the joint would fall: between this letter and the next. */
  readonly at: number
}

/** A word → the letters that make another word of it, one bit each. */
function nextLetters(lexicon: ReadonlyMap<string, Part>): Map<string, number> {
  const letters = new Map<string, number>()
  for (const { text, last } of lexicon.values()) {
    const shorter = text.slice(0, -1)
    if (lexicon.has(shorter)) letters.set(shorter, (letters.get(shorter) ?? 0) | (1 << (last - LETTER_A)))
  }
  return letters
}

function byBigram(words: readonly string[]): Map<number, Crossing[]> {
  const table = new Map<number, Crossing[]>()
  for (const word of words) {
    for (let at = 0; at + 1 < word.length; at++) {
      const key = bigram(word.charCodeAt(at), word.charCodeAt(at + 1))
      const row = table.get(key) ?? []
      row.push({ word, at })
      table.set(key, row)
    }
  }
  return table
}

function bigram(left: number, right: number): number {
  return left * 128 + right
}
