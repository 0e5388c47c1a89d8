/**
 * Keywords: the words of a caller that lead to names, gathered one by one and weighed at the end.
 *
 * A keyword carries up to two things: the aspect it names, with all that aspect reaches for, and the word itself
 * when it may be a part of a name. Said twice, it weighs more; denied once, it is gone.
 */
import type { Aspect } from './aspects.ts'
import type { Knowledge } from './knowledge.ts'
import type { Part } from './part.ts'
import { isNoun, makePart } from './part.ts'
import { labelLetters } from './tokens.ts'

export interface Keyword {
  /** As the caller wrote it; absent for the neutral stock. */
  readonly word?: string
  readonly weight: number
  readonly own?: Part
  readonly aspect?: Aspect
}

export interface Understanding {
  /** Best first. */
  readonly keywords: readonly Keyword[]
  /** At most two, strongest first: what the description wants to do. */
  readonly intents: readonly number[]
  readonly banned: readonly string[]
}

export interface Gathering {
  add(word: string, form: string, aspects: readonly Aspect[], weight: number, usable: boolean): void
  deny(word: string): void
  dislike(word: string): void
  finish(): Understanding
}

/** How much a word leads, by how it was found. `weak` is so low that such a word never comes first. */
export const WEIGHT = { known: 1, reached: 0.75, plain: 0.55, unknown: 0.4, weak: 0.15, liked: 1.1 }

const MOST_KEYWORDS = 7
const ENOUGH_KEYWORDS = 4
const RELATED_FACTOR = 0.45
const CONCRETE_BONUS = 0.15
const REPEAT_BONUS = 0.15
const UNLIKED_FACTOR = 0.4
const OWN_LETTERS = { min: 3, max: 7 }
const SHORT = 4
// An English word in some form the lexicon leaves out; nothing to call a thing after.
const INFLECTED = /(?:est|ed|ing|ly|ness|ions?|ers?|'s)$/

export function gather(knowledge: Knowledge, digits: boolean): Gathering {
  const keywords = new Map<Aspect | string, Keyword>()
  const banned: string[] = []
  const intents = new Float64Array(knowledge.partners.intents)

  function keep(key: Aspect | string, keyword: Keyword): void {
    const known = keywords.get(key)
    if (known === undefined) keywords.set(key, keyword)
    else keywords.set(key, { ...known, weight: Math.max(known.weight, keyword.weight) + REPEAT_BONUS })
  }

  function countIntents(form: string, weight: number): void {
    const found = knowledge.partners.intentOf.get(form)
    if (found !== undefined) for (const intent of found) intents[intent]! += weight
  }

  return {
    add(word, form, aspects, weight, usable) {
      const own = usable && weight > WEIGHT.weak ? ownPart(knowledge, form, digits) : undefined
      const full = weight + (own?.kind === 'c' ? CONCRETE_BONUS : 0)
      countIntents(form, weight)
      if (aspects.length === 0 && own !== undefined) keep(own.text, { word, weight: full, own })
      for (const [place, aspect] of aspects.entries()) {
        if (aspect.head !== form) countIntents(aspect.head, weight / (1 + place))
        const keyword = { word, weight: full / (1 + place / 2), aspect }
        keep(aspect, place === 0 && own !== undefined ? { ...keyword, own } : keyword)
      }
    },

    deny(word) {
      const bare = labelLetters(word)
      const singular = bare.length > 3 && bare.endsWith('s') ? bare.slice(0, -1) : bare
      if (singular.length >= 2) banned.push(singular)
      keywords.delete(singular)
      const aspect = knowledge.forms.get(word)
      if (aspect !== undefined) keywords.delete(aspect)
    },

    /** Its words are not used, and the aspects that would lead to it again step back. */
    dislike(word) {
      if (word === '') return
      banned.push(word)
      keywords.delete(word)
      for (const [key, keyword] of keywords) {
        if (!keyword.aspect?.all.some(({ text }) => text === word)) continue
        keywords.set(key, { ...keyword, weight: keyword.weight * UNLIKED_FACTOR })
      }
    },

    finish() {
      const ranked = [...keywords.values()].toSorted((a, b) => b.weight - a.weight)
      const strong = ranked.filter(({ weight }) => weight > WEIGHT.weak * 2)
      return {
        keywords: widen(knowledge, (strong.length >= 2 ? strong : ranked).slice(0, MOST_KEYWORDS)),
        intents: [...intents.keys()]
          .filter((intent) => intents[intent]! > 0)
          .toSorted((a, b) => intents[b]! - intents[a]!)
          .slice(0, 2),
        banned,
      }
    },
  }
}

/** A short description leads to few words: the aspects next to those it names lend it theirs. */
function widen(knowledge: Knowledge, keywords: readonly Keyword[]): readonly Keyword[] {
  if (keywords.length >= ENOUGH_KEYWORDS) return keywords
  const wide = [...keywords]
  for (const { aspect, ...keyword } of keywords) {
    for (const next of aspect === undefined ? [] : knowledge.neighbours.relatedTo(aspect)) {
      if (wide.length >= ENOUGH_KEYWORDS || wide.some((one) => one.aspect === next)) continue
      const lent = { weight: keyword.weight * RELATED_FACTOR, aspect: next }
      wide.push(keyword.word === undefined ? lent : { ...lent, word: keyword.word })
    }
  }
  return wide
}

/** Only a noun is worth naming a thing after; a short verb or adjective may still open a name. */
function ownPart({ lexicon, safety }: Knowledge, form: string, digits: boolean): Part | undefined {
  const bare = form.slice(0, -1)
  const text = form.endsWith('s') && !form.endsWith('ics') && lexicon.has(bare) ? bare : form
  if (text.length < OWN_LETTERS.min || text.length > OWN_LETTERS.max) return undefined
  if (!safety.isClean(text) || (!digits && /[0-9]/.test(text))) return undefined
  const known = lexicon.get(text)
  if (known !== undefined) return isNoun(known) || (known.kind !== '-' && text.length <= SHORT) ? known : undefined
  return /[aeiouy]/.test(text) && !INFLECTED.test(text) ? makePart([text], '-') : undefined
}
