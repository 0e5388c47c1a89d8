/**
 * The English lists: what projects are about (fields), names written for each, and themes that words of a description
 * lead to. Everything is read from text when the process starts.
 */
import { type AddClue, type Classifier, clueOf, type Guess, guessesOf, openClassifier, SCALE } from './classifier.ts'
import { type Draft, written } from './draft.ts'
import { fold, foldedWords, shareOf, stemOf, wordsOf } from './text.ts'

export interface English {
  readonly fields: readonly string[]
  readonly byField: Classifier
  /** Fields that say how something is sold, run or organised, not what it is about. */
  readonly isFrame: (field: number) => boolean
  /** `unnamed`: how much a field that no word speaks for counts in the total that sureties are shares of. */
  readonly guess: (clues: ReadonlySet<string>, unnamed?: number) => readonly Guess[]
  /** What the words of a text say it does, and its manners. */
  readonly traitsIn: (text: string) => readonly Trait[]
  /** Names written for the field, best first for this description; `all`: those too that hardly suit it. */
  readonly fieldNames: (field: number, surety: number, described: Described, all?: boolean) => readonly Draft[]
  readonly themeAt: (phrase: string) => Theme | undefined
  /** The themes that the commonest words for a field name. */
  readonly themesOf: (field: number) => readonly Theme[]
  readonly themeNames: (theme: Theme, because: string | undefined, weight: number, salt: number) => readonly ThemeName[]
  /** The fields that the theme's own words are plainly about; none where they say nothing. */
  readonly fieldsOf: (theme: Theme) => readonly number[]
  readonly weak: ReadonlySet<string>
  /** Whether somebody may have meant the English word. */
  readonly knows: (word: string) => boolean
}

export interface Described {
  readonly clues: ReadonlySet<string>
  readonly traits: readonly Trait[]
  readonly salt: number
}

export interface Trait {
  readonly name: string
  /** How the project is, and not what it does. */
  readonly isManner: boolean
}

export interface Theme {
  readonly words: readonly string[]
  /** The share of descriptions that mention it. */
  readonly usage: number
  readonly names: string
}

export interface ThemeName {
  readonly draft: Draft
  /** False where others' answers shall have it: no name may lead everywhere. */
  readonly isInTurn: boolean
}

// They join other words, and tell nothing alone.
const EMPTY = new Set(
  (
    'a an the and or of for to in on with that your you our we my i is are it its so at by from who as be their them ' +
    'this which into up out not no can all more than have has they he she his her but when what where just one us do ' +
    'dont every any some get make made new help want'
  ).split(' '),
)
const LONGEST_EMPTY = Math.max(...Array.from(EMPTY, ({ length }) => length))
const NINE = '9'.charCodeAt(0)
// The name of a field and its first phrases are the commonest of those that tell it.
const COMMONEST = 6
const FIRST = 8
const LISTED = 2
const SMOOTHING = { mixed: 1000, unclassed: 0.5 }
const FRAME = 2 * SCALE
// So much of all answers may lead with one name of a theme.
const THEME_SHARE = 0.003
// How many places the seed may move a name of a theme.
const SEED_PLACES = 3
const MAX_PHRASE = 5

// The weights of a logistic regression over 391 names that two readers marked (eval/readings/2026-11-17).
const NEAR = 0.5
const LETTER = -0.32
const FREE_LETTERS = 7
const PLACE = -0.3
const LAST_PLACE = 5
const PHRASE = -0.44
const UNSTATED = -1.07
const MIN_SCORE = -3.2
const SEED_SPREAD = 0.6

/** The words of a text without their endings, each once. */
export function cluesOf(words: readonly string[]): Set<string> {
  const clues = new Set<string>()
  for (const word of words) if (!isEmpty(word)) clues.add(stemOf(word))
  return clues
}

function isEmpty(word: string): boolean {
  return (word.length <= LONGEST_EMPTY && EMPTY.has(word)) || (word.charCodeAt(0) <= NINE && /^\d+$/.test(word))
}

export function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
}

export function openEnglish(read: (file: string) => string): English {
  const listed = linesOf(read('fields.txt')).map((line) => cutAt(line, ': '))
  const fields = listed.map(([name]) => name)
  const placeOf = new Map(fields.map((name, nth) => [name, nth]))
  const byField = openClassifier(listed.length, (nth, add) => addClues(listed[nth] ?? ['', ''], add), SMOOTHING)
  const frames = new Set(linesOf(read('frames.txt')).map((name) => placeOf.get(name)))
  const cells = readCells(read('names.txt'), placeOf)
  const traits = new Map([...readTraits(read('functions.txt'), false), ...readTraits(read('manners.txt'), true)])
  const themes = readThemes(read('themes.txt'))
  const weak = new Set(linesOf(read('weak.txt')).flatMap((word) => [word, stemOf(word)]))
  const aboutOf = new Map<Theme, readonly number[]>()

  function guess(clues: ReadonlySet<string>, unnamed = 1): readonly Guess[] {
    const { sums, known } = byField.score(clues)
    if (known === 0) return []
    for (const frame of frames) if (frame !== undefined) sums[frame]! -= FRAME
    return guessesOf(sums, 1, (nth) => (sums[nth]! > 0 ? 1 : unnamed))
  }

  function fieldsOf(theme: Theme): readonly number[] {
    const known = aboutOf.get(theme)
    if (known !== undefined) return known
    const found = guess(cluesOf(foldedWords(`${theme.words.join(' ')} ${theme.names}`)))
    const about = (found[0]?.surety ?? 0) > 0.5 ? found.filter(({ surety }) => surety > 0.02) : []
    const places = about.map(({ nth }) => nth)
    aboutOf.set(theme, places)
    return places
  }

  function fieldNames(
    field: number,
    surety: number,
    { clues, traits: stated, salt }: Described,
    all = false,
  ): readonly Draft[] {
    const statedNames = new Set(stated.map(({ name }) => name))
    return (cells.get(field) ?? [])
      .flatMap(({ trait, names }) => {
        const isStated = trait === '' || statedNames.has(trait)
        return names.split(';').map((text, place) => {
          const [name, reason] = cutAt(text.trim(), '=')
          const draft = written(name, { relevance: surety, ...(reason === '' ? {} : { reason }) })
          const score =
            NEAR * Math.min(2, countShared(clues, `${reason} ${draft.parts.join(' ')}`)) +
            LETTER * Math.max(0, draft.label.length - FREE_LETTERS) +
            PLACE * Math.min(place, LAST_PLACE) +
            (draft.style === 'short_phrase' ? PHRASE : 0) +
            (isStated ? 0 : UNSTATED)
          return { draft: withStyle(draft), score: score + SEED_SPREAD * (shareOf(draft.label, salt) - 0.5) }
        })
      })
      .filter(({ score }) => all || score > MIN_SCORE)
      .toSorted((a, b) => b.score - a.score)
      .map(({ draft }) => draft)
  }

  function themeNames(
    { names, usage }: Theme,
    because: string | undefined,
    weight: number,
    salt: number,
  ): readonly ThemeName[] {
    const share = Math.min(1, THEME_SHARE / Math.max(usage, Number.EPSILON))
    return names
      .split(', ')
      .map((text, place) => ({ text, place: place + SEED_PLACES * shareOf(text, salt) }))
      .toSorted((a, b) => a.place - b.place)
      .map(({ text }) => ({
        draft: themeName(text, because, Math.min(1, weight)),
        isInTurn: shareOf(text, salt ^ 1) < share,
      }))
  }

  return {
    fields,
    byField,
    isFrame: (field) => frames.has(field),
    guess,
    traitsIn: (text) => statedIn(text, traits),
    fieldNames,
    themeAt: (phrase) => themes.get(phrase),
    themesOf(field) {
      const phrases = cutAt(listed[field]?.join(';') ?? '', ' | ')[0]
        .split(';')
        .slice(0, FIRST + 1)
      const keys = phrases.map((phrase) => foldedWords(phrase).map(stemOf).join(' '))
      return keys.flatMap((key) => (weak.has(key) ? [] : (themes.get(key) ?? [])))
    },
    themeNames,
    fieldsOf,
    weak,
    knows: (word) => EMPTY.has(word) || (word.length > 2 && byField.spread(stemOf(word)) >= 2),
  }
}

export function cutAt(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + mark.length)]
}

/** Its name and its phrases count as listed; after the bar each learned word with how often it came. */
function addClues([name, texts]: readonly [string, string], add: AddClue): void {
  const [phrases, learned] = cutAt(texts, ' | ')
  const addPhrase = (phrase: string, count: number) => {
    const added: number[] = []
    for (const word of wordsOf(phrase)) {
      if (isEmpty(word)) continue
      const clue = clueOf(stemOf(word))
      if (!added.includes(clue)) add(clue, count)
      added.push(clue)
    }
  }
  addPhrase(fold(name), COMMONEST)
  for (const [place, phrase] of fold(phrases).split(';').entries())
    addPhrase(phrase, place < FIRST ? COMMONEST : LISTED)
  // Without cutting it up: these are two hundred thousand words.
  for (let at = 0, end = 0; at < learned.length; at = end + 1) {
    end = learned.indexOf(' ', at)
    if (end < 0) end = learned.length
    const mark = learned.indexOf(':', at)
    const isCounted = mark >= 0 && mark < end
    const to = isCounted ? mark : end
    if (to > at) add(clueOf(learned, at, to), isCounted ? Number(learned.slice(mark + 1, end)) : 1)
  }
}

interface Cell {
  /** What such a project does or how it is; empty where its names suit any. */
  readonly trait: string
  readonly names: string
}

function readCells(text: string, placeOf: ReadonlyMap<string, number>): ReadonlyMap<number, Cell[]> {
  const cells = new Map<number, Cell[]>()
  let own: Cell[] = []
  for (const line of linesOf(text)) {
    if (line.startsWith('FIELD ')) {
      own = []
      cells.set(placeOf.get(line.slice('FIELD '.length)) ?? -1, own)
      continue
    }
    const [, kind, trait = '', names = ''] = /^(any|does|manner)(?:: ([^:]+))?: (.+)$/.exec(line) ?? []
    own.push({ trait: kind === 'any' ? '' : trait, names })
  }
  return cells
}

/** By each phrase that tells of one. */
function readTraits(text: string, isManner: boolean): [string, Trait][] {
  return linesOf(text).flatMap((line) => {
    const [name, phrases] = cutAt(line, ': ')
    const trait = { name, isManner }
    return phrases.split(';').map((phrase): [string, Trait] => [foldedWords(phrase).map(stemOf).join(' '), trait])
  })
}

function statedIn(text: string, traits: ReadonlyMap<string, Trait>): readonly Trait[] {
  const stems = foldedWords(text).map(stemOf)
  const found = new Set<Trait>()
  for (let at = 0; at < stems.length; at++) {
    for (let size = 1; size <= MAX_PHRASE && at + size <= stems.length; size++) {
      const trait = traits.get(stems.slice(at, at + size).join(' '))
      if (trait !== undefined) found.add(trait)
    }
  }
  return [...found]
}

/** By the stems of its head and of the other words for it; a head goes before another theme's other word. */
function readThemes(text: string): ReadonlyMap<string, Theme> {
  const heads = new Map<string, Theme>()
  const others = new Map<string, Theme>()
  for (const line of linesOf(text)) {
    const [told, names] = cutAt(line, ': ')
    const [, phrases = '', usage = '0'] = /^(.+) (\d+)$/.exec(told) ?? []
    const words = phrases.split(', ')
    const theme = { words, names, usage: Number(usage) / 10_000 }
    for (const [nth, word] of words.entries()) {
      const key = foldedWords(word).map(stemOf).join(' ')
      const map = nth === 0 ? heads : others
      if (!map.has(key)) map.set(key, theme)
    }
  }
  return new Map([...others, ...heads])
}

function themeName(text: string, because: string | undefined, relevance: number): Draft {
  const [entry, image] = cutAt(text, '=')
  const [name, kind] = cutAt(entry, '/')
  const draft = withStyle(
    written(name, {
      relevance,
      ...(because === undefined ? {} : { because }),
      ...(image === '' ? {} : image.includes(' + ') ? { reason: image } : { image }),
    }),
  )
  return kind === '' ? draft : { ...draft, style: kind === 'x' ? 'foreign' : 'real_word' }
}

/** "milk + round" says of a name in one piece that two words are in it. */
function withStyle(draft: Draft): Draft {
  return draft.style === 'invented' && draft.reason?.includes(' + ') === true ? { ...draft, style: 'blend' } : draft
}

function countShared(clues: ReadonlySet<string>, text: string): number {
  let shared = 0
  for (const clue of cluesOf(foldedWords(text))) if (clues.has(clue)) shared++
  return shared
}
