/**
 * What the classifier of another language sees of a description: words, their beginnings and ends, pairs of neighbours;
 * pairs and triples of characters where words are not spaced.
 *
 * Beginnings and ends stand for what inflection and compounds leave of a word. The build learns from the same clues
 * (`scripts/names/native-fields.ts`), so both sides must come from this file.
 */
import { hashOf } from '../hash.ts'
import type { NativeFields } from '../knowledge/native-fields.ts'
import type { NativeEvidence } from './fields.ts'
import type { Token } from './tokens.ts'

// Of letters; of syllables in Hangul.
const BEGINNINGS = [4, 5]
const HANGUL_BEGINNINGS = [2, 3]
const ENDING = 5
// The article and short words that Arabic writes together with the next.
const PREFIXES = /^(?:وال|بال|لل|ال|و|ب|ل)(?=..)/

// Japanese writes endings and particles in these; its content words are mostly in others.
const GRAMMAR = /^[\u3041-\u309f]+$/

// Of characters, where words are not spaced.
const ENTRY_SIZES = [1, 2, 3, 4, 5, 6]
const CLUE_SIZES = [2, 3]

/** How well a language knows a word that is spaced: the word itself, its beginning, or not at all. */
export function knownAs(word: string, knows: (clue: number) => boolean): 'word' | 'beginning' | undefined {
  if (knows(hashOf(word))) return 'word'
  const longest = BEGINNINGS.at(-1)!
  return word.length > longest && knows(hashOf(`<${word.slice(0, longest)}`)) ? 'beginning' : undefined
}

type Word = Pick<Token, 'folded' | 'spaceless'>

/** Words that stand in descriptions of every field count only where no other is known. */
export function nativeEvidence(
  { byField, generic }: Pick<NativeFields, 'byField' | 'generic'>,
  tokens: readonly Word[],
): NativeEvidence {
  const telling = withoutGeneric(tokens, generic)
  const counted = nativeClues(telling).some(byField.knows) ? telling : tokens
  return { byField, clues: [...nativeClues(counted), ...entryClues(counted)] }
}

/** That of a word or phrase which stands in the list of a field by itself, and not only inside of another. */
export function entryClue(tokens: readonly Word[]): number {
  return hashOf(`=${tokens.map(bare).join(' ')}`)
}

/** Of everything that may be such a word or phrase. */
function entryClues(tokens: readonly Word[]): number[] {
  const entries = new Set<string>()
  for (const [at, token] of tokens.entries()) {
    if (token.spaceless) for (const run of runsOf(token.folded, ENTRY_SIZES)) entries.add(run)
    else entries.add(bare(token))
    const before = tokens[at - 1]
    if (before && !before.spaceless && !token.spaceless) entries.add(`${bare(before)} ${bare(token)}`)
  }
  return [...entries].map((entry) => hashOf(`=${entry}`))
}

const bare = ({ folded, spaceless }: Word) => (spaceless ? folded : folded.replace(PREFIXES, ''))

/** Every run of so many characters. */
function runsOf(text: string, sizes: readonly number[]): string[] {
  const characters = Array.from(text)
  return sizes.flatMap((size) =>
    characters.slice(size - 1).map((_, start) => characters.slice(start, start + size).join('')),
  )
}

function withoutGeneric(tokens: readonly Word[], generic: readonly string[]): Word[] {
  return tokens.flatMap((token) => {
    if (token.spaceless) return cutOut(token.folded, generic).map((folded) => ({ ...token, folded }))
    return isGeneric(token.folded, generic) || isGeneric(bare(token), generic) ? [] : [token]
  })
}

const isGeneric = (word: string, generic: readonly string[]) =>
  generic.some((one) => (one.endsWith('*') ? word.startsWith(one.slice(0, -1)) : word === one))

function cutOut(text: string, generic: readonly string[]): string[] {
  let parts = [text]
  for (const one of generic) parts = parts.flatMap((part) => part.split(one))
  return parts.filter((part) => part !== '')
}

/** Each clue once, in any order. */
export function nativeClues(tokens: readonly Word[]): number[] {
  const clues = new Set<string>()
  for (const [at, { folded, spaceless }] of tokens.entries()) {
    for (const clue of spaceless ? characterClues(folded) : wordClues(folded)) clues.add(clue)
    const before = tokens[at - 1]
    if (before && !spaceless) clues.add(`${before.folded} ${folded}`)
  }
  return [...clues].map((clue) => hashOf(clue))
}

function characterClues(text: string): string[] {
  if (Array.from(text).length === 1) return [text]
  return runsOf(text, CLUE_SIZES).filter((clue) => !GRAMMAR.test(clue))
}

function wordClues(folded: string): string[] {
  const word = folded.replace(PREFIXES, '')
  const isHangul = /^[\uac00-\ud7af]/.test(word)
  const beginnings = (isHangul ? HANGUL_BEGINNINGS : BEGINNINGS).filter((length) => word.length > length)
  const ending = !isHangul && word.length > ENDING + 1 ? [`${word.slice(-ENDING)}>`] : []
  return [word, ...beginnings.map((length) => `<${word.slice(0, length)}`), ...ending]
}
