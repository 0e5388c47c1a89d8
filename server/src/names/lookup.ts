/**
 * One word of a description → the aspects it leads to, in English or in another language.
 *
 * English words are found by form, then through what aspects reach for ("ledger" leads to accounting). Words of
 * other languages are found whole, without their endings, as halves of a long compound, or, where a script has no
 * spaces, inside the run of characters. A word nothing is known about leads nowhere and may still be used itself.
 */
import type { Aspect } from './aspects.ts'
import type { Knowledge } from './knowledge.ts'
import type { Token } from './tokens.ts'

// No word in cognates.txt is longer in a script without spaces.
const LONGEST_RUN = 8
// A shorter word at the beginning of an unknown one is there by chance more often than not.
const LONG_MODIFIER = 6
const ARTICLES = ['ال', 'لل', 'و', 'ب', 'ل']

export function findEnglish(knowledge: Knowledge, word: string): readonly Aspect[] {
  const direct = knowledge.forms.get(word)
  if (direct !== undefined) return [direct]
  // A verb or an empty word is reached for in too many senses to lead anywhere.
  if (knowledge.words.weak.has(word) || knowledge.lexicon.get(word)?.kind === 'v') return []
  return knowledge.neighbours.reaching(word)
}

export function findForeign(knowledge: Knowledge, token: Token): readonly Aspect[] {
  const word = token.folded
  const whole = findInflected(knowledge, word)
  if (whole !== undefined) return [whole]
  if (isHangul(word)) return findPrefix(knowledge, word)
  if (token.latin) return word.length < 9 ? [] : findHalves(knowledge, word)
  for (const article of ARTICLES) {
    if (!word.startsWith(article)) continue
    const bare = findInflected(knowledge, word.slice(article.length))
    if (bare !== undefined) return [bare]
  }
  return []
}

/** What is known inside a run of characters without spaces, longest first, with where each stands. */
export function* findInRun(knowledge: Knowledge, run: string): Generator<{ text: string; aspect?: Aspect }> {
  const { negators, stop } = knowledge.words
  for (let at = 0; at < run.length;) {
    let taken = 1
    for (let size = Math.min(LONGEST_RUN, run.length - at); size > 0; size--) {
      const text = run.slice(at, at + size)
      const aspect = knowledge.foreign.get(text)
      const negates = negators.has(text)
      if (aspect === undefined && !negates && !stop.has(text)) continue
      if (aspect !== undefined) yield { text, aspect }
      else if (negates) yield { text }
      taken = size
      break
    }
    at += taken
  }
}

function findInflected(knowledge: Knowledge, word: string): Aspect | undefined {
  const whole = knowledge.foreign.get(word)
  if (whole !== undefined) return whole
  for (let cut = 0; cut <= 3 && word.length - cut >= 4; cut++) {
    const stem = word.slice(0, word.length - cut)
    const found = knowledge.stems.get(stem) ?? knowledge.foreign.get(stem)
    if (found !== undefined) return found
  }
  return undefined
}

function findPrefix(knowledge: Knowledge, word: string): Aspect[] {
  // A one-syllable noun is only believed with a short particle behind it.
  const least = word.length <= 3 ? 1 : 2
  for (let size = word.length - 1; size >= least; size--) {
    const found = knowledge.foreign.get(word.slice(0, size))
    if (found !== undefined) return [found]
  }
  return []
}

function findHalves(knowledge: Knowledge, word: string): Aspect[] {
  for (let cut = 4; cut <= word.length - 4; cut++) {
    const head = knowledge.foreign.get(word.slice(cut))
    const modifier = knowledge.foreign.get(word.slice(0, cut))
    if (head !== undefined && (modifier !== undefined || word.length - cut >= LONG_MODIFIER)) {
      return modifier === undefined ? [head] : [modifier, head]
    }
    if (modifier !== undefined && cut >= LONG_MODIFIER) return [modifier]
  }
  return []
}

function isHangul(word: string): boolean {
  const code = word.charCodeAt(0)
  return code >= 0xac00 && code < 0xd7a4
}
