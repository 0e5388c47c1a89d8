/**
 * Where a name's words begin: the same rule for our names and for real companies' names.
 *
 * In this order: parts that the maker states, when they spell the label letter by letter; breaks that are written
 * (spaces, hyphens, CamelCase); and for a name written as one word the likeliest split into two common words, as a
 * reader would see it ("Lendtable" is lend and table). The source words of a blend are no breaks: a reader does not see
 * them, so the judge does not either.
 */
import type { Dictionary } from './dictionary.ts'

/** A name as any maker gives it. */
export interface Named {
  /** As a person would write it. */
  readonly name: string
  /** The words it is made of, when the maker says so. */
  readonly parts?: readonly string[]
}

// "ad" + "vent", "the" + "rapist": short and rare words split what nobody reads as two words.
const SHORTEST = 3
const COMMON_COUNT = 200

export function lettersOf(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
}

export function createReader(dictionary: Dictionary): (named: Named) => readonly string[] {
  return ({ name, parts = [] }) => {
    const letters = lettersOf(name)
    if (parts.length > 1 && parts.map(lettersOf).join('') === letters) return parts.map(lettersOf)
    const written = writtenWords(name)
    if (written.length > 1) return written
    return dictionary.has(letters) ? [letters] : (likeliestSplit(letters, dictionary) ?? [letters])
  }
}

function writtenWords(name: string): string[] {
  return name
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .map(lettersOf)
    .filter((word) => word !== '')
}

function likeliestSplit(letters: string, dictionary: Dictionary): string[] | undefined {
  let best: { words: string[]; weight: number } | undefined
  for (let at = SHORTEST; at <= letters.length - SHORTEST; at++) {
    const words = [letters.slice(0, at), letters.slice(at)]
    const [first = 0, second = 0] = words.map((word) => dictionary.countOf(word))
    if (Math.min(first, second) < COMMON_COUNT || first * second <= (best?.weight ?? 0)) continue
    best = { words, weight: first * second }
  }
  return best?.words
}
