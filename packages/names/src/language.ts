/**
 * The lists of one other language: its words for our themes, names of its own, and for eleven languages the words and
 * names of each field. Read when a description of that language first comes.
 */
import { type AddClue, type Classifier, clueOf, openClassifier } from './classifier.ts'
import { type Draft, type DraftFacts, glued, phrase } from './draft.ts'
import { cutAt, linesOf } from './english.ts'
import { fold, foldedWords, isSpaceless, shareOf, stemOf } from './text.ts'

export interface Language {
  /** The themes that a word names, in English; also of a bent word, and of a compound of known ones. */
  readonly themesOf: (word: string) => readonly string[]
  /** Those of exactly these words. */
  readonly themesOfPhrase: (phrase: string) => readonly string[]
  /** The longest known run at this place of a text without spaces. */
  readonly longestAt: (
    text: string,
    at: number,
  ) => { readonly size: number; readonly themes: readonly string[] } | undefined
  /** Names for an English theme, best first. */
  readonly themeNames: (theme: string, facts: DraftFacts, idn: boolean) => readonly Draft[]
  /** Absent where the language has no lists of fields. */
  readonly fields: NativeFields | undefined
}

export interface NativeFields {
  readonly byField: Classifier
  /** What the classifier sees of these words. Words that stand in descriptions of every field count only alone. */
  readonly cluesOf: (words: readonly string[]) => ReadonlySet<string>
  /** Names for the field, best first for this salt. */
  readonly names: (field: number, facts: DraftFacts, salt: number, idn: boolean) => readonly Draft[]
}

const MAX_RUN = 14
const MIN_STEM = 4
const MAX_BENT = 4
const MIN_PART = 3
// Korean words are two signs and more, with their particles behind them.
const MIN_HANGUL = 2
const MAX_ENDING = 2
// The article and short words that Arabic writes together with the next.
const ARTICLES = /^(?:وال|بال|لل|ال|و|ب|ل)(?=..)/
const HANGUL = /^[\uac00-\ud7af]/

export interface LanguageOptions {
  /** Our fields, in their order. */
  readonly fields: readonly string[]
  /** Words that stand in descriptions of every field; a star stands for any ending. */
  readonly generic: readonly string[]
  /** How names are written in a label where their letters cannot be. */
  readonly unfold: (name: string) => string
}

export function openLanguage(text: string, { fields, generic, unfold }: LanguageOptions): Language {
  const [lists = '', ...blocks] = text.split('\nFIELD ')
  const [words = '', names = ''] = lists.split('\nNAMES\n')
  const themes = readWords(words)
  const namesOf = new Map<string, string[]>()
  for (const line of linesOf(names)) {
    const [theme, list] = cutAt(line, ': ')
    const known = namesOf.get(keyOf(theme))
    if (known === undefined) namesOf.set(keyOf(theme), list.split('; '))
    else known.push(...list.split('; '))
  }

  function exact(word: string): readonly string[] {
    return themes.get(word) ?? []
  }

  function bent(word: string): readonly string[] {
    for (let cut = 0; cut <= MAX_BENT && word.length - cut >= MIN_STEM; cut++) {
      const found = exact(`${word.slice(0, word.length - cut)}~`)
      if (found.length > 0) return found
    }
    return []
  }

  const known = (word: string) => (exact(word).length > 0 || word.length < MIN_STEM + 1 ? exact(word) : bent(word))

  /** The longest known word it begins with: what follows is a particle or an ending. */
  function beginning(word: string, shortest: number): readonly string[] {
    for (let size = word.length - 1; size >= shortest; size--) {
      const found = exact(word.slice(0, size))
      if (found.length > 0) return found
    }
    return []
  }

  /** "kaffeerösterei" is coffee and roasting; of a half-known one the end says what it is, the beginning of what. */
  function compound(word: string): readonly string[] {
    let tailOnly: readonly string[] = []
    let headOnly: readonly string[] = []
    for (let cut = word.length - MIN_PART; cut >= MIN_PART; cut--) {
      const head = known(word.slice(0, cut).replace(/(?<=.{4})[sn]$/, ''))
      const tail = known(word.slice(cut))
      if (head.length > 0 && tail.length > 0) return [...head, ...tail]
      if (tail.length > 0 && word.length - cut > MIN_PART) tailOnly = tail
      if (head.length > 0 && headOnly.length === 0 && cut > MIN_PART + 1) headOnly = head
    }
    return tailOnly.length > 0 ? tailOnly : headOnly
  }

  function themesOf(word: string): readonly string[] {
    const found = known(word)
    if (found.length > 0) return found
    if (HANGUL.test(word)) return beginning(word, MIN_HANGUL)
    if (/^[a-z]/.test(word)) return /^[a-z]{7,}$/.test(word) ? compound(word) : []
    const begun = beginning(word, Math.max(MIN_PART, word.length - MAX_ENDING))
    if (begun.length > 0) return begun
    return ARTICLES.test(word) ? known(word.replace(ARTICLES, '')) : []
  }

  return {
    themesOf,
    themesOfPhrase: exact,
    longestAt(run, at) {
      for (let size = Math.min(MAX_RUN, run.length - at); size > 0; size--) {
        const found = exact(run.slice(at, at + size))
        if (found.length > 0) return { size, themes: found }
      }
      return undefined
    },
    themeNames(theme, facts, idn) {
      // "coffee shop" has none of its own, but coffee has.
      const key = keyOf(theme)
      const own = namesOf.get(key) ?? key.split(' ').flatMap((word) => namesOf.get(word) ?? [])
      return own.map((entry) => themeName(entry, facts, idn, unfold))
    },
    fields: blocks.length === 0 ? undefined : openFields(blocks, fields, generic),
  }
}

/** Of a theme in English, whatever its ending: flower is flowers. */
function keyOf(theme: string): string {
  return foldedWords(theme).map(stemOf).join(' ')
}

/** By each word, and by the stem of it, which has a mark so that it is no word itself. */
function readWords(text: string): ReadonlyMap<string, readonly string[]> {
  const themes = new Map<string, string[]>()
  const add = (key: string, theme: string) => {
    const known = themes.get(key)
    if (known === undefined) themes.set(key, [theme])
    else if (!known.includes(theme)) known.push(theme)
  }
  for (const line of linesOf(text)) {
    const [theme, list] = cutAt(line, ': ')
    for (const written of list.split(', ')) {
      const word = foldedWords(written).join(' ')
      if (word === '') continue
      add(word, theme)
      const isBent = !word.includes(' ') && word.length > MIN_STEM && !isSpaceless(word)
      if (isBent) add(`${word.slice(0, Math.max(MIN_STEM, word.length - (word.length > 6 ? 2 : 1)))}~`, theme)
    }
  }
  return themes
}

const LISTED = 2
// A word or phrase that stands in a field's list by itself, and not only inside of another, says so once more.
const ENTRY = '='
const SMOOTHING = { mixed: 200, unclassed: 8 }
// How many places the seed may move a name: the ten of a field are nearly equal.
const SEED_PLACES = 4

function openFields(blocks: readonly string[], fields: readonly string[], generic: readonly string[]): NativeFields {
  const byName = new Map(
    blocks.map((block) => {
      const [field = '', ...lines] = block.split('\n')
      const line = (mark: string) => lines.find((one) => one.startsWith(mark))?.slice(mark.length) ?? ''
      return [field, { words: line('words: '), names: line('names: ') }]
    }),
  )
  const addClues = (nth: number, add: AddClue) => {
    const counts = countClues(byName.get(fields[nth] ?? '')?.words ?? '')
    for (const [clue, count] of counts) add(clueOf(clue), count)
  }
  const byField = openClassifier(fields.length, addClues, SMOOTHING)
  const tellingOf = openGeneric(generic)
  return {
    byField,
    cluesOf(words) {
      const telling = words.flatMap(tellingOf)
      const counted = [...partClues(telling)].some(byField.knows) ? telling : words
      return new Set([...partClues(counted), ...entryClues(counted)])
    },
    names: (field, facts, salt, idn) =>
      (byName.get(fields[field] ?? '')?.names ?? '')
        .split(';')
        .filter((text) => text.includes('='))
        .map((text, place) => ({
          draft: fieldName(text.trim(), facts, idn),
          place: place + SEED_PLACES * shareOf(text, salt),
        }))
        .toSorted((a, b) => a.place - b.place)
        .map(({ draft }) => draft),
  }
}

function countClues(list: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const phrased of list.split(';')) {
    const words = foldedWords(phrased)
    if (words.length === 0) continue
    for (const clue of partClues(words)) counts.set(clue, (counts.get(clue) ?? 0) + LISTED)
    counts.set(ENTRY + words.map(bare).join(' '), 1)
  }
  return counts
}

const bare = (word: string) => (isSpaceless(word) ? word : word.replace(ARTICLES, ''))

/** Words, their beginnings and ends, pairs of neighbours; runs of two and three signs where words are not spaced. */
function partClues(words: readonly string[]): Set<string> {
  const clues = new Set<string>()
  for (const [at, full] of words.entries()) {
    if (isSpaceless(full)) {
      if (Array.from(full).length === 1) clues.add(full)
      // Japanese writes endings and particles in these.
      for (const run of runsOf(full, [2, 3])) if (!/^[\u3041-\u309f]+$/.test(run)) clues.add(run)
      continue
    }
    const word = bare(full)
    clues.add(word)
    const before = words[at - 1]
    if (before !== undefined) clues.add(`${before} ${full}`)
    const isHangul = HANGUL.test(word)
    for (const length of isHangul ? [2, 3] : [4, 5]) if (word.length > length) clues.add(`<${word.slice(0, length)}`)
    if (!isHangul && word.length > 6) clues.add(`${word.slice(-5)}>`)
  }
  return clues
}

function entryClues(words: readonly string[]): string[] {
  return words.flatMap((word, at) => {
    if (isSpaceless(word)) return runsOf(word, [1, 2, 3, 4, 5, 6]).map((run) => ENTRY + run)
    const before = words[at - 1]
    const pair = before === undefined || isSpaceless(before) ? [] : [`${ENTRY}${bare(before)} ${bare(word)}`]
    return [ENTRY + bare(word), ...pair]
  })
}

function runsOf(text: string, sizes: readonly number[]): string[] {
  const signs = Array.from(text)
  return sizes.flatMap((size) => signs.slice(size - 1).map((_, at) => signs.slice(at, at + size).join('')))
}

type Generic = (word: string) => readonly string[]

/** What a word says beyond words that stand in descriptions of every field; of text without spaces what lies between. */
function openGeneric(generic: readonly string[]): Generic {
  const spaceless = generic.filter(isSpaceless).toSorted((a, b) => b.length - a.length)
  const between = spaceless.length === 0 ? undefined : new RegExp(spaceless.join('|'))
  const whole = new Set(generic.filter((one) => !one.endsWith('*')))
  const beginnings = generic.flatMap((one) => (one.endsWith('*') ? one.slice(0, -1) : []))
  const isGeneric = (word: string) => whole.has(word) || beginnings.some((one) => word.startsWith(one))
  return (word) => {
    if (isSpaceless(word)) return between === undefined ? [word] : word.split(between).filter(Boolean)
    return isGeneric(word) || isGeneric(bare(word)) ? [] : [word]
  }
}

/** "tassenzeit=Tasse + Zeit"; in another script "kissabiyori(喫茶びより)=喫茶 + 日和". */
function fieldName(text: string, facts: DraftFacts, idn: boolean): Draft {
  const [entry, reason] = cutAt(text, '=')
  const [latin, native] = cutAt(entry, '(')
  return nativeName(latin, native.replace(/\)$/, ''), { ...facts, reason }, idn)
}

/** "Kunstgriff=clever trick"; in another script "式神|shikigami=summoned spirit servant". */
function themeName(text: string, facts: DraftFacts, idn: boolean, unfold: (name: string) => string): Draft {
  const [entry, image] = cutAt(text, '=')
  const [name, romanised] = cutAt(entry, '|')
  return nativeName(romanised === '' ? unfold(name.toLowerCase()) : romanised, name, { ...facts, image }, idn)
}

const UMLAUTS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue' }

/** Germans write two letters for one with dots. */
export function unfoldUmlauts(name: string): string {
  return name.replaceAll(/[äöü]/g, (letter) => UMLAUTS[letter] ?? letter)
}

/** People read it in its own letters; the label is what they would type instead, or on request these letters. */
function nativeName(latin: string, native: string, facts: DraftFacts, idn: boolean): Draft {
  const words = fold(latin)
    .split(/[\s'’-]+/)
    .filter(Boolean)
  const own = { ...facts, style: words.length > 1 ? ('short_phrase' as const) : ('foreign' as const) }
  const draft = words.length > 1 ? phrase(words, own) : glued(words, own)
  if (native === '') return draft
  const label = idn ? asciiLabel(native.replaceAll(/[\s'’-]/g, '')) : draft.label
  return { ...draft, name: native, ...(label === draft.label ? {} : { label, parts: [label] }) }
}

/** The label in the form that DNS knows (RFC 5890); empty for what is none. */
export function asciiLabel(text: string): string {
  return URL.parse(`http://${text}.com`)?.hostname.slice(0, -'.com'.length) ?? ''
}
