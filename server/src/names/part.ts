/**
 * A part: one word a name can be made of, with everything about its letters that joining needs.
 *
 * All of it is counted once, when the data is opened, because a request looks at hundreds of pairs.
 */
export type WordClass = 'c' | 'n' | 'p' | 'a' | 'v' | 'r' | '-'

export interface Part {
  readonly text: string
  /** The words it is made of: one, or more for a set phrase ("skeleton key") and for two written as one ("curbcut"). */
  readonly words: readonly string[]
  /** Its words are written apart. */
  readonly phrase: boolean
  /** c: a thing, n: another noun, p: a person, a: adjective, v: verb, r: adverb, -: not known. */
  readonly kind: WordClass
  readonly first: number
  readonly last: number
  /** Consonants before the first and after the last vowel. */
  readonly onset: number
  readonly coda: number
  /** 0..1, how easily it is said. */
  readonly sound: number
  /** Its first three letters and its last three, as numbers: what overlaps is found by them. */
  readonly start: number
  readonly end: number
}

const VOWELS = bitsOf('aeiouy')
// The letters that make a short word hard to say or to spell by ear.
const HARD = bitsOf('xqzjv')

export function isVowel(code: number): boolean {
  return ((VOWELS >> (code & 31)) & 1) === 1 && code > 0x60
}

/** One bit for each of these letters; a letter's last five bits are its number. */
function bitsOf(letters: string): number {
  return Array.from(letters).reduce((bits, letter) => bits | (1 << (letter.charCodeAt(0) & 31)), 0)
}

/** A noun that is not only a verb's -ing form. */
export function isNoun({ kind, text }: Part): boolean {
  return (kind === 'c' || kind === 'n' || kind === 'p') && !(text.length > 5 && text.endsWith('ing'))
}

export function makePart(words: readonly string[], kind: WordClass, phrase = words.length > 1): Part {
  const text = words.join('')
  const { onset, coda, longest, hard, vowels } = countLetters(text)
  const balance = text.length === 0 ? 0 : vowels / text.length
  // English words that please sit near two vowels in five letters.
  const sound = 1 - Math.abs(balance - 0.4) - 0.12 * Math.max(0, longest - 2) - 0.06 * hard
  return {
    text,
    words,
    phrase,
    kind,
    first: text.charCodeAt(0),
    last: text.charCodeAt(text.length - 1),
    onset,
    coda,
    sound: Math.max(0, Math.min(1, sound)),
    start: trigram(text, 0),
    end: trigram(text, text.length - 3),
  }
}

function trigram(text: string, at: number): number {
  if (text.length < 3) return -1
  return (text.charCodeAt(at) << 14) | (text.charCodeAt(at + 1) << 7) | text.charCodeAt(at + 2)
}

function countLetters(text: string) {
  let onset = 0
  let run = 0
  let longest = 0
  let hard = 0
  let vowels = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (((HARD >> (code & 31)) & 1) === 1) hard++
    if (isVowel(code)) {
      vowels++
      run = 0
      continue
    }
    run++
    if (vowels === 0) onset++
    if (run > longest) longest = run
  }
  return { onset, coda: run, longest, hard, vowels }
}
