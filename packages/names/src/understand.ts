/**
 * A description → its language, what it is about, the themes that its words name, and what it denies.
 *
 * Order of thought: find the language; walk the words once, phrases before single words and negations as they come;
 * translate what the language's lists know; guess the field; look for a second one in what the first does not explain.
 * A denied word ("no cloud") leads to nothing, and no name may have it.
 */
import { type Guess, guessesOf, SCALE } from './classifier.ts'
import type { Marks } from './detect.ts'
import { detectLanguage, isListed } from './detect.ts'
import { cluesOf, type English, type Theme, type Trait } from './english.ts'
import type { Language } from './language.ts'
import { findTypedName, partsOf, type TypedName } from './made.ts'
import type { NameRequest } from './request.ts'
import { fold, foldedWords, isSpaceless, labelLetters, singular, stemOf, wordsOf } from './text.ts'

export interface Mention {
  /** As the caller wrote it. */
  readonly text: string
  /** Of the theme that it names, in English. */
  readonly head: string
  readonly theme: Theme | undefined
  readonly weight: number
}

export interface Understanding {
  readonly language: string
  readonly lists: Language | undefined
  /** The name that somebody typed in place of a description. */
  readonly typed: TypedName | undefined
  /** What the English classifier sees: of another language the words that were translated. */
  readonly clues: ReadonlySet<string>
  /** The likeliest fields, best first. */
  readonly fields: readonly Guess[]
  /** A second subject of the description: the next likely field, or what the first one does not explain. */
  readonly second: Guess | undefined
  readonly traits: readonly Trait[]
  /** The strongest first. */
  readonly mentions: readonly Mention[]
  /** Words of the description that may be part of a name, the rarest first. */
  readonly own: readonly string[]
  /** Words of names that the caller likes. */
  readonly liked: readonly string[]
  readonly banned: readonly string[]
  readonly ignored: readonly string[]
}

export interface Knowledge {
  readonly english: English
  readonly marks: Marks
  readonly open: (language: string) => Language | undefined
  readonly isClean: (word: string) => boolean
}

/** From here on a guess leads: of a hundred about sixty name the very field, and half of the others an equally good one. */
export const SURE = 0.5
const SECOND_SURE = 0.6
const SECOND_LIKELY = 0.12
const REST_SURE = 0.55
const MAX_PHRASE = 4
const MAX_MENTIONS = 8
const MAX_LIKED = 8
const MAX_OWN = 4
// Words of so many fields say nothing of one.
const BROAD = 120
const COMMON = 250
// English words for those of another language are guesses: they count for less than its own words.
const TRANSLATED = 0.6
const NATIVE_REPETITION = 2
// A thousand fields that no native word speaks for are together nearly as likely as one that a single word names.
const UNNAMED = 0.1
const NATIVE_FRAME = 14 * SCALE

export function understand(knowledge: Knowledge, request: NameRequest): Understanding {
  const { english, marks, open } = knowledge
  const { description } = request
  const spread = (word: string) => english.byField.spread(stemOf(word))
  const isWord = (word: string) => spread(word) >= 2
  const detected = detectLanguage(description, marks, english, open)
  const label = findTypedName(description, spread)
  // One word may be a short description in another language: "Fahrradwerkstatt".
  const typed = label !== undefined && !isOneWord(description, open(detected)) ? label : undefined
  const language = typed === undefined ? detected : 'en'
  const lists = open(language)
  const isRead = language === 'en' || lists !== undefined
  const said = isRead ? wordsSaid(knowledge, language, lists, typed?.parts.join(' ') ?? description) : []
  const told = said.filter(({ isDenied }) => !isDenied)
  const denied = said.filter(({ isDenied }) => isDenied)
  // Gluten-free bread is about gluten, but no name of it may say so.
  const freed = fold(description)
    .split(/[^\p{L}-]+/u)
    .flatMap((word) => (word.endsWith('-free') ? word.slice(0, -'-free'.length) : []))
  const plain = told.map(({ folded }) => folded)
  const translated = told.flatMap(({ heads }) => heads.flatMap(foldedWords))
  const all = cluesIn(told, lists)
  // "The future, but better" says nothing of any project.
  const isVague = lists === undefined && all.values().every((clue) => english.weak.has(clue))
  const clues = isVague ? new Set<string>() : all
  const fields = clues.size > 0 || lists !== undefined ? guessFields(english, lists, told) : NO_FIELDS
  const likedWords = request.like.flatMap(foldedWords).filter((word) => /^[a-z]+$/.test(word))
  const liked = [...new Set(likedWords.flatMap((word) => partsOf(word, isWord)))]
  const wanted = liked.slice(0, MAX_LIKED).map((word) => ({ text: word, folded: word, heads: [], isDenied: false }))
  return {
    language,
    lists,
    typed,
    clues,
    ...fields,
    traits: english.traitsIn((lists === undefined ? plain : translated).join(' ')),
    mentions: [...findMentions(english, wanted, []), ...findMentions(english, told, fields.fields)].filter(
      ({ text }) => freed.length === 0 || ![...freed, 'free'].includes(fold(text)),
    ),
    own:
      isVague || language !== 'en'
        ? []
        : ownWords(
            knowledge,
            plain.filter((word) => !freed.includes(word)),
          ),
    liked: liked.slice(0, MAX_LIKED),
    banned: [
      ...[...denied.map(({ folded }) => folded), ...freed].map((word) => singular(labelLetters(word))),
      ...request.unlike.flatMap((name) => [labelLetters(name), ...partsOf(labelLetters(name), isWord)]),
    ].filter((word) => word.length > 1),
    ignored: said.filter((word) => word.isDenied || !isKnown(english, lists, word)).map(({ text }) => text),
  }
}

function isOneWord(description: string, lists: Language | undefined): boolean {
  const word = description.trim()
  return lists !== undefined && !/\.|\p{Ll}\p{Lu}/u.test(word) && isListed(lists, fold(word))
}

/** One word of the description, or a phrase that the lists of its language know. */
interface Said {
  /** As the caller wrote it. */
  readonly text: string
  readonly folded: string
  /** Of another language: what it is in English. */
  readonly heads: readonly string[]
  readonly isDenied: boolean
}

/** The words but for function words and praise, with what is denied. */
function wordsSaid(
  { marks }: Knowledge,
  language: string,
  lists: Language | undefined,
  description: string,
): readonly Said[] {
  const { carries, joins, undoes } = marks.grammar
  const { stop, not } = marks.of(language) ?? { stop: new Set<string>(), not: new Set<string>() }
  const words = withoutPraise(
    wordsOf(description).map((text) => ({ text, folded: fold(text) })),
    marks.praises,
  )
  const said: Said[] = []
  let isDenied = false
  for (let at = 0; at < words.length; at++) {
    const { text, folded } = words[at]!
    if (lists !== undefined && isSpaceless(folded)) {
      said.push(...readRun(lists, not, folded))
      continue
    }
    const found = lists && findPhrase(lists, words, at)
    if (found !== undefined) {
      said.push({ ...found.phrase, isDenied })
      isDenied = false
      at += found.size - 1
    } else if (not.has(folded)) {
      const next = words.slice(at + 1, at + 1 + MAX_PHRASE)
      isDenied = next[0]?.folded !== 'only' && !next.some((word) => undoes.has(word.folded))
    } else if (isDenied && carries.has(folded)) continue
    else if (stop.has(folded)) isDenied &&= joins.has(folded)
    else {
      said.push({ text, folded, heads: lists?.themesOf(folded) ?? [], isDenied })
      isDenied &&= joins.has(words[at + 1]?.folded ?? '')
    }
  }
  return said
}

interface Word {
  readonly text: string
  readonly folded: string
}

/** Without "award winning" and the like, unless there is nothing else. */
function withoutPraise(words: readonly Word[], praises: readonly (readonly string[])[]): readonly Word[] {
  const told: Word[] = []
  for (let at = 0; at < words.length; at++) {
    const praise = praises.find((phrase) => phrase.every((word, place) => words[at + place]?.folded === word))
    if (praise === undefined) told.push(words[at]!)
    else at += praise.length - 1
  }
  return told.length === 0 ? words : told
}

function findPhrase(lists: Language, words: readonly Word[], at: number) {
  for (let size = Math.min(MAX_PHRASE, words.length - at); size > 1; size--) {
    const phrase = words.slice(at, at + size)
    const folded = phrase.map((word) => word.folded).join(' ')
    const heads = lists.themesOfPhrase(folded)
    if (heads.length > 0) return { size, phrase: { text: phrase.map(({ text }) => text).join(' '), folded, heads } }
  }
  return undefined
}

/** The known words in text without spaces. Chinese denies before the word, Japanese after it. */
function readRun(lists: Language, not: ReadonlySet<string>, run: string): Said[] {
  const said: Said[] = []
  let isDenied = false
  for (let at = 0; at < run.length;) {
    const found = lists.longestAt(run, at)
    const negator = [4, 3, 2, 1].find((size) => not.has(run.slice(at, at + size)))
    if (negator !== undefined && (found === undefined || found.size <= negator)) {
      const last = said.at(-1)
      if (/^(?:ない|なし|ず|ぬ)/.test(run.slice(at)) && last !== undefined)
        said[said.length - 1] = { ...last, isDenied: true }
      else isDenied = true
      at += negator
    } else if (found === undefined || (found.size === 1 && isInsideWord(run, at))) at++
    else {
      const text = run.slice(at, at + found.size)
      said.push({ text, folded: text, heads: found.themes, isDenied })
      isDenied = false
      at += found.size
    }
  }
  // The classifier sees the whole run: it knows parts of words that no list has.
  return [...said, { text: run, folded: run, heads: [], isDenied: false }]
}

/** In Japanese a lone sign is a word only before a particle: 犬を is a dog, 空いて is no sky. */
function isInsideWord(run: string, at: number): boolean {
  const next = run[at + 1]
  return /[\u3040-\u30ff]/.test(run) && next !== undefined && !'をがのにはとでへもや'.includes(next)
}

function isKnown(english: English, lists: Language | undefined, { folded, heads }: Said): boolean {
  if (lists === undefined) return english.byField.knows(stemOf(folded))
  return (
    heads.length > 0 ||
    (lists.fields !== undefined && [...lists.fields.cluesOf([folded])].some(lists.fields.byField.knows))
  )
}

type Fields = Pick<Understanding, 'fields' | 'second'>
const NO_FIELDS: Fields = { fields: [], second: undefined }

function guessFields(english: English, lists: Language | undefined, told: readonly Said[]): Fields {
  const native = lists?.fields
  const clues = cluesIn(told, lists)
  if (native === undefined) {
    const fields = english.guess(clues)
    return { fields, second: isSure(fields) ? restOf(english, fields, clues) : nextOf(fields) }
  }
  const own = native.byField.score(native.cluesOf(told.map(({ folded }) => folded)))
  const other = english.byField.score(clues)
  if (own.known + other.known === 0) return NO_FIELDS
  const sums = own.sums.map((sum, field) =>
    Math.round(sum + TRANSLATED * other.sums[field]! - (english.isFrame(field) ? NATIVE_FRAME : 0)),
  )
  const fields = guessesOf(sums, NATIVE_REPETITION, (field) => (own.sums[field]! > 0 ? 1 : UNNAMED))
  return { fields, second: nextOf(fields) }
}

/** What the English classifier sees: of another language the words that were translated. */
function cluesIn(told: readonly Said[], lists: Language | undefined): Set<string> {
  return cluesOf(told.flatMap(({ folded, heads }) => (lists === undefined ? folded : heads.flatMap(foldedWords))))
}

/** A description may be about two things: a bakery, by bicycle. */
function nextOf([first, next]: readonly Guess[]): Guess | undefined {
  if (first === undefined || next === undefined || next.surety < SECOND_LIKELY) return undefined
  return first.surety + next.surety >= SECOND_SURE ? next : undefined
}

function isSure([first]: readonly Guess[]): boolean {
  return first !== undefined && first.surety >= SURE
}

/** What the words say that the first field does not explain: a yoga studio, with a bookshop. */
function restOf(english: English, [first]: readonly Guess[], clues: ReadonlySet<string>): Guess | undefined {
  if (first === undefined) return undefined
  const rest = [...clues].filter((clue) => english.byField.weight(clue, first.nth) === 0)
  const [second] = rest.length === clues.size ? [] : english.guess(new Set(rest), UNNAMED)
  const isOther = second !== undefined && second.nth !== first.nth && !english.isFrame(second.nth)
  return isOther && second.surety >= REST_SURE ? second : undefined
}

/** The themes that words and phrases name, the strongest first. */
function findMentions(english: English, told: readonly Said[], fields: readonly Guess[]): readonly Mention[] {
  const found = new Map<string, Mention>()
  const add = (mention: Mention | undefined) => {
    if (mention && mention.weight > (found.get(mention.head)?.weight ?? 0)) found.set(mention.head, mention)
  }
  for (let at = 0; at < told.length; at++) {
    const { text, heads, folded } = told[at]!
    for (const head of heads) add(mentionOf(english, fields, text, foldedWords(head), head))
    if (heads.length > 0 || isSpaceless(folded)) continue
    for (let size = Math.min(3, told.length - at); size > 0; size--) {
      const words = told.slice(at, at + size)
      const mention = mentionOf(
        english,
        fields,
        words.map((word) => word.text).join(' '),
        words.flatMap((word) => word.folded),
      )
      if (mention === undefined) continue
      add(mention)
      break
    }
  }
  return [...found.values()]
    .toSorted((a, b) => b.weight - a.weight || (a.head < b.head ? -1 : 1))
    .slice(0, MAX_MENTIONS)
}

/** Rare words weigh most, and those that suit the likeliest field. A patch of a synthesizer is none of cloth. */
function mentionOf(
  english: English,
  fields: readonly Guess[],
  text: string,
  words: readonly string[],
  head?: string,
): Mention | undefined {
  const stems = words.map(stemOf)
  const key = stems.join(' ')
  const theme = english.themeAt(key)
  if (english.weak.has(key) || (theme === undefined && head === undefined)) return undefined
  const [guess] = fields
  const spread = Math.min(...stems.map(english.byField.spread))
  const isPhrase = stems.length > 1
  const rarity = isPhrase ? 1 : 1 - Math.log(1 + spread) / 7
  const suits = guess === undefined ? 0 : Math.max(...stems.map((stem) => english.byField.weight(stem, guess.nth))) / 5
  const about = theme === undefined ? [] : english.fieldsOf(theme)
  const isElse = about.length > 0 && (english.isFrame(about[0]!) || !fields.some(({ nth }) => about.includes(nth)))
  const weight =
    (rarity + 0.5 * suits * (guess?.surety ?? 0)) *
    (isPhrase ? 1.3 : 1) *
    (isElse ? 0.4 : 1) *
    (!isPhrase && spread > BROAD ? 0.3 : 1)
  return { text, theme, weight, head: head ?? theme?.words[0] ?? key }
}

/** Short plain words, fit to be half of a name; words that say little only where there are no others. */
function ownWords({ english, isClean }: Knowledge, words: readonly string[]): readonly string[] {
  const isFit = (word: string) =>
    /^[a-z]{3,12}$/.test(word) && cluesOf([word]).size > 0 && !/(?:ing|ed|ly|ful|ous)$/.test(word) && isClean(word)
  const spread = (word: string) => english.byField.spread(stemOf(word))
  const isTelling = (word: string) =>
    word.length < 10 && !english.weak.has(word) && !english.weak.has(stemOf(word)) && spread(word) < COMMON
  const fit = [...new Set(words.filter(isFit).map(singular))]
  const telling = fit.filter(isTelling)
  return (telling.length > 0 ? telling : fit).toSorted((a, b) => spread(a) - spread(b)).slice(0, MAX_OWN)
}
