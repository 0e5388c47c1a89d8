/**
 * How a name sounds to an English ear: its syllables, a respelling, and whether who hears it would write it as it is.
 *
 * Each word of a name is said as the dictionary has it, also where two stand joined ("breadcast"); what is in no
 * dictionary is read by rule. The first word has the stress, as in "bookshop". Of a name in other letters than a to z, or
 * of another language's own, nothing is said: it would be said by other rules than these.
 */
import type { Sound } from '../../model/name.ts'
import type { Draft } from '../families/draft.ts'
import { uncertainty } from '../judge/spelling.ts'
import type { Knowledge } from '../knowledge/knowledge.ts'
import { guessSounds } from './letters.ts'
import { isVowelSound, respell } from './respell.ts'

type Said = Pick<Draft, 'label' | 'parts' | 'apart' | 'style'> & Partial<Pick<Draft, 'native' | 'whole'>>
type Known = Pick<Knowledge, 'words' | 'sounds'>

// Of a coined word: below this every letter is heard, above some ear would write it otherwise.
const SURE = 0
const UNSURE = 0.6
// A shorter word inside another is there by chance.
const LEAST_LETTERS = 3
// Rarer words inside a name are mostly an accident of its letters.
const LEAST_COMMON = 4
// Letters of a coined word that nobody would hear.
const SILENT = /mb(?![aeiouyrl])|stl|tch|wh|que$/

export function soundOf(known: Known, draft: Said): Sound | null {
  const text = draft.whole ?? draft.label
  if (draft.native !== undefined || !/^[a-z]+$/.test(text)) return null
  const words = wordsOf(known, draft, text)
  const said = words.map((word) => soundsOf(known, word) ?? guessSounds(word))
  const syllables = said.flat().filter(isVowelSound).length
  if (syllables === 0) return null
  const respelled = said.map((sounds, nth) => respell(nth > 0 && !draft.apart ? sounds.map(unstressed) : sounds))
  return {
    syllables,
    said: respelled.join(draft.apart ? ' ' : '-'),
    spelledAsHeard: draft.style === 'respelling' ? false : isHeard(known, words),
  }
}

function soundsOf({ words, sounds }: Known, word: string): readonly string[] | undefined {
  const place = words.find(word)
  const found = place < 0 ? '' : sounds.at(place)
  return found === '' ? undefined : found.split(' ')
}

/** The words that it is read as. */
function wordsOf(known: Known, { parts }: Said, text: string): readonly string[] {
  if (parts.length > 1 && parts.join('') === text) return parts
  return soundsOf(known, text) === undefined ? (joinedOf(known, text) ?? [text]) : [text]
}

/** Two words of the dictionary in a row; of several such pairs the one whose rarer word is the commonest. */
function joinedOf(known: Known, text: string): readonly [string, string] | undefined {
  let [best, found]: [number, readonly [string, string] | undefined] = [LEAST_COMMON - 1, undefined]
  for (let cut = LEAST_LETTERS; cut <= text.length - LEAST_LETTERS; cut++) {
    const pair = [text.slice(0, cut), text.slice(cut)] as const
    const common = Math.min(...pair.map((word) => commonnessOf(known, word)))
    if (common > best && pair.every((word) => soundsOf(known, word) !== undefined)) [best, found] = [common, pair]
  }
  return found
}

function commonnessOf({ words }: Known, word: string): number {
  return words.commonness(words.find(word))
}

function unstressed(sound: string): string {
  return sound.replace(/\d$/, '')
}

/** Who hears a word writes it as words are written, unless another sounds the same. Null where it could go either way. */
function isHeard(known: Known, words: readonly string[]): boolean | null {
  const { sounds, words: vocabulary } = known
  const doubts = words.map((word) => {
    if (soundsOf(known, word) === undefined) return uncertainty(word) + (SILENT.test(word) ? 1 : 0)
    return sounds.isAmbiguous(vocabulary.find(word)) ? 1 : 0
  })
  const doubt = Math.max(...doubts)
  return doubt <= SURE ? true : doubt >= UNSURE ? false : null
}
