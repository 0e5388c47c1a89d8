/**
 * A description, and the names the caller likes or not → the aspects that lead to names, weighed.
 *
 * Order of thought: split the text into words; find its language; walk the words once (phrases before single words,
 * negations as they come); let the concepts add what a whole phrase means; take the vector of it all; then weigh. Rare
 * and concrete aspects near the middle of the description weigh most; what every description has ("platform", "AI")
 * never leads.
 *
 * A denied word ("no cloud") is neither an aspect nor allowed in a name.
 */
import type { NameRequest } from '../../model/name.ts'
import type { Knowledge } from '../knowledge/knowledge.ts'
import { textVector } from '../vectors.ts'
import { cluesOf } from './clues.ts'
import { findConcepts, findIntents } from './concepts.ts'
import { readEnglish } from './english.ts'
import { guessFields } from './fields.ts'
import type { FieldGuess } from './fields.ts'
import { detectLanguage } from './language.ts'
import type { Mention } from './mentions.ts'
import { readMentions } from './mentions.ts'
import { nativeEvidence } from './native-clues.ts'
import { splitLabel } from './split.ts'
import type { Token } from './tokens.ts'
import { fold, labelLetters, tokensOf } from './tokens.ts'

export interface Lead {
  readonly aspect: number
  /** 0..1 and a little more; the strongest first. */
  readonly weight: number
  /** The caller's word that led here. */
  readonly because: string
  /** How near the aspect is to the description as a whole. */
  readonly near: number
}

export interface Understanding {
  readonly language: string
  readonly leads: readonly Lead[]
  /** What it is about, the likeliest first. */
  readonly fields: readonly FieldGuess[]
  /** What the classifiers see of it. */
  readonly clues: readonly number[]
  readonly vector: Int8Array
  /** The caller's own words that may be part of a name. */
  readonly own: readonly string[]
  /** The words of the names the caller likes. */
  readonly liked: readonly string[]
  /** Names of people and places in it that no list knows, and words with digits where those are allowed. */
  readonly proper: readonly string[]
  /** Every word of the description, to know an echo. */
  readonly said: ReadonlySet<string>
  /** Second parts that suit what the description wants to do. */
  readonly tails: readonly string[]
  readonly banned: readonly string[]
  /** Words that nothing is known of, and words that are denied. */
  readonly ignored: readonly string[]
}

const MAX_LEADS = 12
// Each of these words is joined to every half of every lead: a text full of them would cost a hundred times any other.
const MAX_LIKED = 8
const MAX_PROPER = 8
const MAX_FIELDS = 5
const FEW = 1
const FAINT = 0.15
const WEAK = 0.12
const LIKED = 1.15
const CONCEPT = 0.75
const PALE = 0.85
const EVERYDAY = 0.05
const NEIGHBOUR = 0.55
// One description in so many is the rarest we count; rarer than that is as good as never.
const RAREST = 1 / 2000

export function understand(knowledge: Knowledge, ask: NameRequest): Understanding {
  const tokens = withoutPraise(tokensOf(ask.description), knowledge.patterns.praises)
  const language = detectLanguage(knowledge, ask.description, tokens)
  const mentions = readMentions(knowledge, tokens, language)
  const asserted = mentions.filter(({ denied }) => !denied)
  const denied = new Set(mentions.filter((mention) => mention.denied).flatMap(({ aspects }) => aspects))
  const english = englishWords(knowledge, language, tokens, asserted)
  const vector = textVector(knowledge.words, knowledge.sentenceMap, english)
  const clues = cluesOf(english)
  const native = knowledge.fields.native.get(language)
  const found = new Map<number, Lead>()
  const add = (aspect: number, strength: number, because: string) => {
    if (denied.has(aspect)) return
    const near = knowledge.aspects.nearness(aspect, vector)
    const weight = strength * weightOf(knowledge, aspect) * (0.55 + 0.9 * Math.max(0, near))
    const before = found.get(aspect)
    if (before === undefined || before.weight < weight) found.set(aspect, { aspect, weight, because, near })
  }
  for (const mention of asserted) addMention(knowledge, mention, vector, add)
  for (const { aspect, because } of findConcepts(knowledge, tokens, asserted)) add(aspect, CONCEPT, because)
  const liked = [...new Set(ask.like.flatMap((name) => wordsOf(knowledge, name)))].slice(0, MAX_LIKED)
  for (const word of liked) {
    for (const aspect of readEnglish(knowledge, word).aspects) add(aspect, LIKED, word)
  }
  const leads = strongest([...found.values()].toSorted((a, b) => b.weight - a.weight || a.aspect - b.aspect))
  return {
    language,
    leads,
    fields: guessFields(knowledge.fields, clues, vector, MAX_FIELDS, native && nativeEvidence(native, tokens)),
    clues,
    vector,
    own: ownWords(knowledge, asserted),
    liked,
    proper: properWords(knowledge, asserted, ask.digits),
    said: new Set(mentions.flatMap(({ folded }) => folded.split(' '))),
    tails: findIntents(knowledge, mentions),
    ignored: mentions.filter(({ denied: no, aspects }) => no || aspects.length === 0).map(({ text }) => text),
    banned: [
      ...mentions.filter((mention) => mention.denied).flatMap(({ folded }) => bareWord(folded)),
      ...ask.unlike.flatMap((name) => [labelLetters(name), ...wordsOf(knowledge, name)]),
    ],
  }
}

/** Without "patent-pending" and the like, unless there is nothing else. */
function withoutPraise(tokens: readonly Token[], praises: readonly (readonly string[])[]): readonly Token[] {
  const told: Token[] = []
  for (let at = 0; at < tokens.length; at++) {
    const praise = praises.find((words) => words.every((word, place) => tokens[at + place]?.folded === word))
    if (praise === undefined) told.push(tokens[at]!)
    else at += praise.length - 1
  }
  return told.length === 0 ? tokens : told
}

/** Weak leads speak only where there is little else. */
function strongest(leads: readonly Lead[]): Lead[] {
  const least = (leads[0]?.weight ?? 0) * FAINT
  return leads.slice(0, MAX_LEADS).filter(({ weight }, place) => place < FEW || weight >= least)
}

/** A word with several senses leads to the one the rest of the description is about. */
function addMention(
  knowledge: Knowledge,
  { aspects, surety, text, folded }: Mention,
  vector: Int8Array,
  add: (aspect: number, strength: number, because: string) => void,
): void {
  const { weak } = knowledge.patterns
  const nearest = aspects
    .map((aspect) => ({ aspect, near: knowledge.aspects.nearness(aspect, vector) }))
    .toSorted((a, b) => b.near - a.near || a.aspect - b.aspect)
  for (const [place, { aspect }] of nearest.slice(0, 3).entries()) {
    const isWeak = weak.has(folded) || weak.has(knowledge.aspects.head(aspect))
    add(aspect, surety * (isWeak ? WEAK : 1) * (place === 0 ? 1 : NEIGHBOUR), text)
  }
}

/** Its words, or the English heads of what the words of another language name. */
function englishWords(
  knowledge: Knowledge,
  language: string,
  tokens: readonly Token[],
  mentions: readonly Mention[],
): string[] {
  if (language === 'en') return tokens.map(({ folded }) => folded)
  return mentions.flatMap(({ aspects: [first] }) =>
    first === undefined ? [] : knowledge.aspects.head(first).split(/[ -]/),
  )
}

/** Rare things that one can picture weigh most; everyday words of no picture least. */
function weightOf({ aspects }: Knowledge, aspect: number): number {
  const everyday = EVERYDAY * Math.max(0, aspects.common[aspect]! - 9)
  return rarity(aspects.usage[aspect]!) * (aspects.solid[aspect] === 1 ? 1 : PALE) * (1 - everyday)
}

function rarity(usage: number): number {
  return Math.min(1, Math.log(usage + RAREST) / Math.log(RAREST))
}

/** Short plain nouns of the description, fit to be half of a name. */
function ownWords(knowledge: Knowledge, mentions: readonly Mention[]): string[] {
  const { words, safety, patterns } = knowledge
  return [...new Set(mentions.flatMap(({ folded }) => bareWord(folded)))].filter((word) => {
    const place = words.find(word)
    return (
      place >= 0 &&
      word.length >= 3 &&
      word.length <= 6 &&
      /^[cpn]/.test(words.classes(place)) &&
      !patterns.weak.has(word) &&
      safety.isClean(word)
    )
  })
}

function properWords(knowledge: Knowledge, mentions: readonly Mention[], digits: boolean): string[] {
  const found = mentions
    .filter(({ text, folded, aspects }) => {
      const isNew = aspects.length === 0 && knowledge.words.find(folded) < 0 && /^\p{Lu}/u.test(text)
      return /^[a-z0-9]{3,8}$/.test(folded) && knowledge.safety.isClean(folded) && (/\d/.test(folded) ? digits : isNew)
    })
    .map(({ folded }) => folded)
  return [...new Set(found)].slice(0, MAX_PROPER)
}

/** Singular, letters only; nothing for what no label can hold. */
function bareWord(folded: string): string[] {
  const letters = labelLetters(folded)
  const bare = letters.length > 3 && /[^s]s$/.test(letters) ? letters.slice(0, -1) : letters
  return bare.length >= 2 ? [bare] : []
}

function wordsOf(knowledge: Knowledge, name: string): string[] {
  return tokensOf(fold(name)).flatMap(({ folded }) => splitLabel(knowledge.words, folded))
}
