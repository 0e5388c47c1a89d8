/**
 * The names of the large internet: about two million labels that look like registered ones, of which each registry
 * delegates a share chosen by hash.
 *
 * Five kinds, each a product of small lists, so that they can be walked through without being kept and a label can be
 * recognised without a lookup: two words in one, two words and a hyphen, a word and a number, three syllables,
 * and a word with an accent (an A-label). A few labels come out of two kinds; whoever walks must expect that.
 *
 * Pure and without randomness. No label of these has two hyphens, so none is `free-for-sure-…`.
 */
import { domainToASCII, domainToUnicode } from 'node:url'

export interface LargeNames {
  has(label: string): boolean
  walk(): Generator<string>
}

const SYLLABLES = Array.from('bcdfgklmnprstvz', (consonant) => Array.from('aeiou', (vowel) => consonant + vowel)).flat()
const THREE_SYLLABLES = /^(?:[bcdfgklmnprstvz][aeiou]){3}$/
const WORD_AND_NUMBER = /^([a-z]+)(\d+)$/
const NUMBERS = [...Array.from({ length: 30 }, (_, index) => String(index)), '99', '100', '123', '247', '360', '365']
const ACCENTS: ReadonlyMap<string, string> = new Map(Object.entries({ a: 'ä', c: 'ç', e: 'é', i: 'í', n: 'ñ', o: 'ö' }))

export function createLargeNames(words: readonly string[]): LargeNames {
  const all = new Set(words)
  // The list is alphabetical; strides that share no factor with one another mix its letters.
  const [firsts, seconds] = [every(words, 4), every(words, 5)]
  const [befores, afters] = [every(words, 11), every(words, 9)]
  const accents = [...ACCENTS]

  function isPair(label: string): boolean {
    for (let at = 1; at < label.length; at++) {
      if (firsts.has(label.slice(0, at)) && seconds.has(label.slice(at))) return true
    }
    return false
  }

  function isHyphenated(label: string): boolean {
    const at = label.indexOf('-')
    return at > 0 && befores.has(label.slice(0, at)) && afters.has(label.slice(at + 1))
  }

  function isAccented(label: string): boolean {
    const text = domainToUnicode(label)
    const at = accents.findIndex(([, accented]) => text.includes(accented))
    const [plain = '', accented = ''] = accents[at] ?? []
    const word = text.replace(accented, plain)
    return all.has(word) && word.replace(plain, accented) === text
  }

  return {
    has(label) {
      if (label.startsWith('xn--')) return isAccented(label)
      const [, word = '', number = ''] = WORD_AND_NUMBER.exec(label) ?? []
      if (number !== '') return all.has(word) && NUMBERS.includes(number)
      return isHyphenated(label) || THREE_SYLLABLES.test(label) || isPair(label)
    },
    *walk() {
      for (const first of firsts) for (const second of seconds) yield first + second
      for (const before of befores) for (const after of afters) yield `${before}-${after}`
      for (const word of words) for (const number of NUMBERS) yield word + number
      for (const one of SYLLABLES) for (const two of SYLLABLES) for (const three of SYLLABLES) yield one + two + three
      for (const word of words) {
        for (const [plain, accented] of accents) {
          if (word.includes(plain)) yield domainToASCII(word.replace(plain, accented))
        }
      }
    },
  }
}

function every(words: readonly string[], stride: number): ReadonlySet<string> {
  return new Set(words.filter((_, index) => index % stride === 0))
}
