/**
 * From what was understood to drafts, best first.
 *
 * What a language model proposed comes first; then what the caller typed or insists on; then names that people wrote for
 * the field, for the themes of the words, and for the language; and only at the very end names put together here. Lists
 * are made when they are reached: most answers need the first few only.
 */
import type { Classifier, Guess } from './classifier.ts'
import { type Draft, type DraftFacts, glued, inTurns, phrase } from './draft.ts'
import type { ThemeName } from './english.ts'
import type { Language } from './language.ts'
import { aroundName, behindHalves, hacked, partsOf, respelled, withHalves } from './made.ts'
import type { NameProposal, NameRequest } from './request.ts'
import { fold, hashOf, labelLetters, stemOf } from './text.ts'
import { type Knowledge, SURE, type Understanding } from './understand.ts'

export interface Naming extends Knowledge {
  /** Light second parts of names: works, field, house … */
  readonly halves: readonly string[]
  readonly isAllowed: (draft: Draft) => boolean
}

// Of fields that are only likely: so many names of the first, and fewer of the others.
const LIKELY = 0.12
// From here on they take turns with the names of the themes.
const PROBABLE = 0.25
const LIKELY_NAMES = 12
const FAINT = 0.02
// A field that is less likely than this is a guess that readers take for a misreading.
const PLAUSIBLE = 0.15
// The score of the last name in a native field's list, relative to the first one.
const LAST_NATIVE = 0.5
// Of names in turn: the strongest theme gives three, the next two, each other one.
const TAKES = [3, 2, 1]
// Of two subjects: three names of the first, two of the second, or one of it where the first is much likelier.
const SUBJECT_TAKES = [3, 2]
const MAIN_SUBJECT_TAKES = [3, 1]
const MUCH = 2
const COMPOUNDS_FIRST = 12
const LIKED_NAMES = 6
// A word that was heard may not come again; later once or three times, and at last as often as it likes.
const REPEATS = { never: 0, once: 1, some: 3, any: Infinity }
// So many letters at the beginning or end of two names make them sound alike.
const PIECE = 4
const MAX_WORDS = 3
const MAX_LETTERS = 30

export function draftsFor(naming: Naming, told: Understanding, request: NameRequest, wanted: number): Draft[] {
  const drafts: Draft[] = []
  const seen = new Set<string>()
  const heard = new Map<string, number>()
  for (const { list, repeats, most = Infinity } of sourcesFor(naming, told, request)) {
    const until = Math.min(wanted, drafts.length + most)
    for (const draft of drafts.length < until ? list : []) {
      if (drafts.length >= until) break
      const pieces = piecesOf(draft)
      if (seen.has(draft.label) || pieces.some((piece) => (heard.get(piece) ?? 0) > repeats)) continue
      if (!naming.isAllowed(draft)) continue
      seen.add(draft.label)
      for (const piece of pieces) heard.set(piece, (heard.get(piece) ?? 0) + 1)
      drafts.push(draft)
    }
  }
  return drafts
}

/** Small words, such as "of" and "und", may stand in any number of names. */
function piecesOf({ label, parts }: Draft): readonly string[] {
  const words = parts.filter((part) => part.length >= PIECE)
  return words.length > 1 ? words : [...words, `${label.slice(0, PIECE)}…`, `…${label.slice(-PIECE)}`]
}

interface Source {
  readonly list: Iterable<Draft>
  readonly repeats: number
  readonly most?: number
}

function* sourcesFor(naming: Naming, told: Understanding, request: NameRequest): Generator<Source, undefined> {
  yield { list: proposed(naming, request.proposals ?? []), repeats: REPEATS.any }
  if (request.onlyProposals === true) return
  const salt = hashOf(request.description, request.seed)
  const language = request.language?.split('-')[0] ?? told.language
  const lists = language === told.language ? told.lists : naming.open(language)
  const themes = told.mentions.flatMap(({ theme, text, weight }) =>
    theme === undefined ? [] : [naming.english.themeNames(theme, text, weight, salt)],
  )
  yield* sourcesAskedFor(naming, told, request, themes.flat(), salt)
  const isNative = lists !== undefined && told.typed === undefined
  const native = {
    ofFields: isNative ? nativeFieldNames(told, lists, request, salt) : [],
    ofThemes: isNative ? nativeThemeNames(told, lists, request) : [],
  }
  // Another language is never answered with compounds of its words.
  const words = language === 'en' || lists === undefined ? told.own : []
  yield* sourcesOfLists(naming, told, { native, themes, words, salt })
}

/** What the request names itself: its styles, its words, the name that was typed, names that are liked. */
function* sourcesAskedFor(
  { halves }: Naming,
  told: Understanding,
  request: NameRequest,
  themed: readonly ThemeName[],
  salt: number,
): Generator<Source, undefined> {
  yield { list: onRequest(request, themed), repeats: REPEATS.some }
  if (told.typed !== undefined) yield { list: aroundName(told.typed, halves, salt), repeats: REPEATS.any }
  const insisted = request.includeWords.map(labelLetters).filter(Boolean)
  const themselves = insisted.map((word) => glued([word], { style: 'real_word', because: word }))
  yield { list: themselves, repeats: REPEATS.any }
  for (const word of insisted) yield { list: withHalves(word, halves, salt), repeats: REPEATS.any }
  for (const word of insisted) yield { list: behindHalves(word, halves, salt), repeats: REPEATS.any }
  for (const word of told.liked) yield { list: withHalves(word, halves, salt), repeats: REPEATS.any, most: LIKED_NAMES }
}

interface Lists {
  /** Of another language. */
  readonly native: Record<'ofFields' | 'ofThemes', readonly Draft[]>
  readonly themes: readonly (readonly ThemeName[])[]
  /** Words of the description that compounds may be made of. */
  readonly words: readonly string[]
  readonly salt: number
}

function* sourcesOfLists(naming: Naming, told: Understanding, lists: Lists): Generator<Source, undefined> {
  const { halves } = naming
  const { native, themes, words, salt } = lists
  const { sure, likely } = subjectsOf(told)
  const namesIn = (fields: readonly Guess[], all = false) => fieldNames(naming, told, fields, salt, all)
  const inTurn = inTurns(
    themes.map((list) => list.filter((one) => one.isInTurn).map(draftOfTheme)),
    TAKES,
  )
  const isProbable = sure.length === 0 && (likely[0]?.surety ?? 0) >= PROBABLE
  // Readers prefer any name of their language for the field to all others.
  yield { list: native.ofFields, repeats: REPEATS.never }
  yield { list: native.ofFields, repeats: REPEATS.once }
  yield { list: inTurns([native.ofThemes, namesIn(sure)], [3, 2]), repeats: REPEATS.never }
  if (isProbable) yield { list: inTurns([namesIn(likely).take(LIKELY_NAMES), inTurn], [2]), repeats: REPEATS.never }
  yield { list: inTurn, repeats: REPEATS.never }
  yield { list: namesIn(likely).take(LIKELY_NAMES), repeats: REPEATS.never }
  yield { list: aroundField(naming, told, salt), repeats: REPEATS.some }
  const compounds = () => words.map((word) => withHalves(word, halves, salt))
  const firstCompounds = compounds().map((list) => list.take(COMPOUNDS_FIRST))
  yield { list: inTurns(firstCompounds, TAKES), repeats: REPEATS.some }
  yield { list: [...native.ofThemes, ...namesIn([...sure, ...likely])], repeats: REPEATS.some }
  const outOfTurn = themes.map((list) => list.map(draftOfTheme))
  yield { list: inTurns(outOfTurn, TAKES), repeats: REPEATS.some }
  yield { list: inTurns(compounds(), TAKES), repeats: REPEATS.any }
  const behind = words.map((word) => behindHalves(word, halves, salt))
  yield { list: inTurns(behind, [1]), repeats: REPEATS.any }
  yield { list: namesIn(told.typed === undefined ? told.fields : [], true), repeats: REPEATS.any }
}

const draftOfTheme = ({ draft }: ThemeName): Draft => draft

/** The field that is sure and a second one where there is one, and those that are likely. */
function subjectsOf({ typed, fields, second }: Understanding): Record<'sure' | 'likely', readonly Guess[]> {
  const [first] = fields
  if (first === undefined || typed !== undefined) return { sure: [], likely: [] }
  const isSure = first.surety >= SURE || second !== undefined
  const sure = isSure ? [first, ...(second === undefined ? [] : [second])] : []
  // The fields beside one that is sure are mostly its neighbours: a bakery is next to a patisserie.
  const least = isSure ? FAINT : LIKELY
  return { sure, likely: fields.filter((guess) => guess.surety >= least && !sure.includes(guess)) }
}

function* fieldNames(
  { english }: Naming,
  told: Understanding,
  fields: readonly Guess[],
  salt: number,
  all: boolean,
): Generator<Draft, undefined> {
  const [first, second] = fields
  if (first === undefined) return
  const described = { clues: told.clues, traits: told.traits, salt }
  const lists = fields.map(({ nth, surety }) => english.fieldNames(nth, surety, described, all))
  const isMain = second === undefined || first.surety > MUCH * second.surety || !told.fields.includes(second)
  yield* inTurns(lists, isMain ? MAIN_SUBJECT_TAKES : SUBJECT_TAKES)
}

/** Names of the themes that the commonest words for the likeliest field name. */
function* aroundField(
  { english }: Naming,
  { typed, fields: [field] }: Understanding,
  salt: number,
): Generator<Draft, undefined> {
  if (field === undefined || typed !== undefined) return
  const lists = english
    .themesOf(field.nth)
    .map((theme) => english.themeNames(theme, undefined, field.surety, salt).map(draftOfTheme))
  yield* inTurns(lists, [1])
}

/** Names of another language for its fields, the likeliest first. */
function nativeFieldNames(
  { fields }: Understanding,
  { fields: lists }: Language,
  request: NameRequest,
  salt: number,
): Draft[] {
  return fields
    .filter(({ surety }) => surety >= PLAUSIBLE)
    .flatMap(({ nth, surety }) => {
      const names = lists?.names(nth, { relevance: surety }, salt, request.idn === true) ?? []
      return names.map((draft, place) => ({
        draft,
        score: surety * (1 - ((1 - LAST_NATIVE) * place) / names.length),
      }))
    })
    .toSorted((a, b) => b.score - a.score)
    .map(({ draft }) => draft)
}

/** Names of another language for the themes of its words. */
function nativeThemeNames({ mentions }: Understanding, lists: Language, request: NameRequest): Draft[] {
  const names = mentions.map(({ head, text, weight }) => {
    const facts: DraftFacts = { relevance: Math.min(1, weight), because: text }
    return lists.themeNames(head, facts, request.idn === true)
  })
  return [...inTurns(names, TAKES)]
}

/** Spellings and domain hacks, which nobody gets without asking. */
function* onRequest({ styles = [], hackSuffixes = [] }: NameRequest, names: readonly ThemeName[]): Iterable<Draft> {
  const words = new Set(names.flatMap(({ draft }) => (draft.parts.length === 1 ? [draft.label] : draft.parts)))
  if (styles.includes('domain_hack')) yield* hacked(words, hackSuffixes)
  if (styles.includes('respelling')) yield* respelled(words)
}

/** A proposal is data: what is not plain letters and spaces, too long or of too many words is dropped. */
function* proposed({ english }: Naming, proposals: readonly NameProposal[]): Iterable<Draft> {
  for (const { name, native, reason } of proposals) {
    const words = fold(name).trim().split(/\s+/)
    const label = words.join('')
    if (words.length > MAX_WORDS || label.length > MAX_LETTERS || !/^[a-z]+$/.test(label)) continue
    const draft = draftOf(words, english.byField)
    yield { ...draft, name: native ?? draft.name, ...(reason === undefined ? {} : { reason }) }
  }
}

/** A name that somebody else wrote, as words of letters. */
export function draftOf(words: readonly string[], byField: Pick<Classifier, 'spread'>): Draft {
  if (words.length > 1) return phrase(words)
  const [label = ''] = words
  const isWord = (word: string) => byField.spread(stemOf(word)) >= 2
  return isWord(label) ? glued([label], { style: 'real_word' }) : glued(partsOf(label, isWord))
}
