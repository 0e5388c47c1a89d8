/**
 * The fields in other languages, read as they are written in `server/data/names/fields/languages/`, and what the
 * classifier of each language learns from them.
 */
import { readdirSync } from 'node:fs'
import { packClassifier } from '../../server/src/names/knowledge/classifier.ts'
import type { ClueCounts } from '../../server/src/names/knowledge/classifier.ts'
import type { NativeFieldName } from '../../server/src/names/knowledge/native-fields.ts'
import type { Section } from '../../server/src/names/knowledge/packed.ts'
import { packTexts } from '../../server/src/names/knowledge/texts.ts'
import { entryClue, nativeClues } from '../../server/src/names/understand/native-clues.ts'
import { fold, tokensOf } from '../../server/src/names/understand/tokens.ts'
import { listed } from './fields.ts'
import { readLines, wordsIn } from './sources.ts'

export interface NativeField {
  readonly field: string
  readonly words: readonly string[]
  /** Descriptions as people write them. */
  readonly descriptions: readonly string[]
  readonly names: readonly NativeFieldName[]
}

const FOLDER = 'fields/languages'
// Tuned on held-out descriptions: `pnpm eval fields`.
const SMOOTHING = { mixed: 200, unclassed: 8 }
const LISTED = 2
const ENTRY = 1
// A description names a place and a grandmother as well, so its words count for much less than those of the list.
const DESCRIBED = 0.3
const NAME = /^([a-z]+(?: [a-z]+)*)(?:\(([^()=]+)\))?=(.+)$/

/** By language. */
export function readNativeFields(root: URL, known: ReadonlySet<string>): Map<string, readonly NativeField[]> {
  const files = readdirSync(new URL(`${FOLDER}/`, root)).filter((file) => file.endsWith('.txt'))
  return new Map(files.toSorted().map((file) => [file.slice(0, -4), readLanguage(root, `${FOLDER}/${file}`, known)]))
}

/** By language: words that stand in descriptions of every field, with a star for any ending. */
export function readGenericWords(root: URL): Map<string, string> {
  return new Map(
    readLines(root, 'fields/generic.txt').map(({ text }) => {
      const [language = '', ...words] = text.split(' ')
      return [language, fold(words.join(' '))]
    }),
  )
}

function readLanguage(root: URL, file: string, known: ReadonlySet<string>): NativeField[] {
  const fields: { -readonly [Key in keyof NativeField]: NativeField[Key] }[] = []
  for (const { text, where } of readLines(root, file)) {
    const [, what = '', rest = ''] = /^(FIELD|words:|says:|names:) (.+)$/.exec(text) ?? []
    const last = fields.at(-1)
    if (what === 'FIELD') {
      if (!known.has(rest)) throw new Error(`${where}: fields.txt has no ${rest}`)
      fields.push({ field: rest, words: [], descriptions: [], names: [] })
    } else if (what === '' || last === undefined) {
      throw new Error(`${where}: write "FIELD field", then "words:", "says:" and "names:"`)
    } else if (what === 'words:') last.words = listed(rest)
    else if (what === 'says:') last.descriptions = listed(rest, ' / ')
    else last.names = listed(rest).map((one) => readName(one, where))
  }
  return fields
}

function readName(text: string, where: string): NativeFieldName {
  const [, name, native = '', making = ''] = NAME.exec(text) ?? []
  if (name === undefined) throw new Error(`${where}: write "name=making" or "name(native)=making", not "${text}"`)
  return { text: name, native, making }
}

/** By field, in the order of `order`. */
export function countNativeClues(order: readonly string[], fields: readonly NativeField[]): ClueCounts {
  const byName = new Map(fields.map((one) => [one.field, one]))
  return order.map((name) => {
    const counts = new Map<number, number>()
    const { words = [], descriptions = [] } = byName.get(name) ?? {}
    for (const text of words) {
      addClues(counts, text, LISTED)
      addClue(counts, entryClue(tokensOf(text)), ENTRY)
    }
    for (const text of descriptions) addClues(counts, text, DESCRIBED)
    return counts
  })
}

function addClues(counts: Map<number, number>, text: string, weight: number): void {
  for (const clue of nativeClues(tokensOf(text))) addClue(counts, clue, weight)
}

function addClue(counts: Map<number, number>, clue: number, weight: number): void {
  counts.set(clue, (counts.get(clue) ?? 0) + weight)
}

export function packNativeClassifier(section: string, counts: ClueCounts): [string, Section][] {
  return packClassifier(section, counts, SMOOTHING)
}

/** `order`: the fields by number. `isNameable`: what may be shown at all. A name stays in the first field that has it. */
export function packNativeFields(
  order: readonly string[],
  languages: ReadonlyMap<string, readonly NativeField[]>,
  isNameable: (text: string) => boolean,
  generic: ReadonlyMap<string, string>,
): [string, Section][] {
  return [
    ...packTexts('native-fields', [...languages.keys()]),
    ...[...languages.keys()].map((language): [string, Section] => [
      `fields-${language}.generic`,
      generic.get(language) ?? '',
    ]),
    ...[...languages].flatMap(([language, fields]) => packLanguage(`fields-${language}`, order, fields, isNameable)),
  ]
}

function packLanguage(
  section: string,
  order: readonly string[],
  fields: readonly NativeField[],
  isNameable: (text: string) => boolean,
): [string, Section][] {
  const byName = new Map(fields.map((one) => [one.field, one]))
  const seen = new Set<string>()
  const starts = [0]
  const names: NativeFieldName[] = []
  for (const field of order) {
    for (const name of byName.get(field)?.names ?? []) {
      const label = wordsIn(name.text).join('')
      if (!seen.has(label) && isNameable(name.text)) names.push(name)
      seen.add(label)
    }
    starts.push(names.length)
  }
  const texts = (what: keyof NativeFieldName) =>
    packTexts(
      `${section}.${what === 'text' ? 'name' : what}s`,
      names.map((name) => name[what]),
    )
  return [
    ...packNativeClassifier(`${section}.clues`, countNativeClues(order, fields)),
    [`${section}.starts`, Uint32Array.from(starts)],
    ...texts('text'),
    ...texts('native'),
    ...texts('making'),
  ]
}
