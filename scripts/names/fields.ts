/**
 * The fields, their descriptions and the names of their cells, read as they are written in `server/data/names/fields/`,
 * and what the classifiers learn from them.
 */
import { NO_TRAIT } from '../../server/src/names/knowledge/fields.ts'
import type { ClueCounts } from '../../server/src/names/knowledge/classifier.ts'
import { packClassifier } from '../../server/src/names/knowledge/classifier.ts'
import type { Section } from '../../server/src/names/knowledge/packed.ts'
import { packTexts } from '../../server/src/names/knowledge/texts.ts'
import { cluesOf, pairClues } from '../../server/src/names/understand/clues.ts'
import { tokensOf } from '../../server/src/names/understand/tokens.ts'
import { meanVector } from '../../server/src/names/vectors.ts'
import { DIMENSIONS } from '../../server/src/names/knowledge/nearness.ts'
import { readLines, wordsIn } from './sources.ts'

export interface Field {
  readonly name: string
  readonly words: readonly string[]
}

export interface FieldDescription {
  readonly field: string
  readonly text: string
}

export interface WrittenCell {
  readonly field: string
  readonly trait: string | undefined
  readonly names: readonly { readonly text: string; readonly making: string }[]
}

export interface FieldSources {
  readonly fields: readonly Field[]
  /** Those that say how something is sold or run, not what it is about. */
  readonly frames: ReadonlySet<string>
  readonly descriptions: readonly FieldDescription[]
  /** What projects do for people, and their manners, each with words that show it. */
  readonly functions: ReadonlyMap<string, readonly string[]>
  readonly manners: ReadonlyMap<string, readonly string[]>
  readonly cells: readonly WrittenCell[]
}

// Tuned on held-out descriptions: `pnpm eval fields`.
const FIELD_SMOOTHING = { mixed: 1000, unclassed: 0.5 }
const TRAIT_SMOOTHING = { mixed: 200, unclassed: 0.5 }
// A word of a field's list says as much as two descriptions that have it.
const LISTED = 2
// How much the descriptions and the list say of what a field means.
const DESCRIBED_MEANING = 2
const LISTED_MEANING = 1
// Most pairs of words that came once came by chance.
const PAIR_DISCOUNT = 0.8

export function readFields(root: URL): FieldSources {
  const fields = readLines(root, 'fields/fields.txt').map(({ text, where }) => {
    const [, name = '', words = ''] = /^([^:]+): (.+)$/.exec(text) ?? []
    if (name === '') throw new Error(`${where}: write "field: word; several words; …"`)
    return { name, words: listed(words) }
  })
  const known = new Set(fields.map(({ name }) => name))
  if (known.size < fields.length) throw new Error('fields/fields.txt: a field stands there twice')
  const descriptions = readLines(root, 'fields/descriptions.tsv').map(({ text, where }) => {
    const [field = '', description] = text.split('\t')
    if (description === undefined || !known.has(field)) throw new Error(`${where}: write a field, a tab, a description`)
    return { field, text: description }
  })
  const frames = new Set(
    readLines(root, 'fields/frames.txt').map(({ text, where }) => {
      if (!known.has(text)) throw new Error(`${where}: fields.txt has no ${text}`)
      return text
    }),
  )
  const functions = readTraits(root, 'fields/functions.txt')
  const manners = readTraits(root, 'fields/manners.txt')
  return { fields, frames, descriptions, functions, manners, cells: readCells(root, known, functions, manners) }
}

function readTraits(root: URL, file: string): Map<string, readonly string[]> {
  return new Map(
    readLines(root, file).map(({ text }) => {
      const at = text.indexOf(': ')
      return [text.slice(0, at), listed(text.slice(at + 2))]
    }),
  )
}

function readCells(
  root: URL,
  known: ReadonlySet<string>,
  functions: ReadonlyMap<string, unknown>,
  manners: ReadonlyMap<string, unknown>,
): WrittenCell[] {
  let field = ''
  return readLines(root, 'fields/names.txt').flatMap(({ text, where }) => {
    if (text.startsWith('FIELD ')) {
      field = text.slice(6)
      if (!known.has(field)) throw new Error(`${where}: fields.txt has no ${field}`)
      return []
    }
    const [, kind, trait = '', rest = ''] = /^(any|does|manner)(?:: ([^:]+))?: (.+)$/.exec(text) ?? []
    const isKnown = kind === 'any' || (kind === 'does' ? functions : manners).has(trait)
    if (!isKnown) throw new Error(`${where}: write "any: …", "does: function: …" or "manner: manner: …"`)
    const names = listed(rest).map((one) => {
      const [name = '', making = ''] = one.split('=')
      if (!/^[a-z]+(?:[ +][a-z]+)*$/.test(name)) throw new Error(`${where}: "${name}" is not a name`)
      return { text: name, making }
    })
    return [{ field, trait: kind === 'any' ? undefined : trait, names }]
  })
}

export function listed(text: string, separator = ';'): string[] {
  return text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

/** By field, in the order of `fields`. */
export function countFieldClues(fields: readonly Field[], descriptions: readonly FieldDescription[]): ClueCounts {
  const counts = new Map(fields.map(({ name }) => [name, new Map<number, number>()]))
  const pairs = new Set<number>()
  for (const { field, text } of descriptions) {
    addClues(counts.get(field)!, text, 1)
    for (const pair of pairClues(foldedWords(text))) pairs.add(pair)
  }
  for (const own of counts.values()) {
    for (const [clue, count] of own) if (pairs.has(clue)) own.set(clue, count - PAIR_DISCOUNT)
  }
  for (const { name, words } of fields) {
    for (const text of [name, ...words]) addClues(counts.get(name)!, text, LISTED)
  }
  return [...counts.values()]
}

/** The mean meaning of each field's descriptions and words, in the order of `fields`. */
export function fieldVectors(
  fields: readonly Field[],
  descriptions: readonly FieldDescription[],
  vectorOf: (words: readonly string[]) => Int8Array,
): Int8Array {
  const texts = Map.groupBy(descriptions, ({ field }) => field)
  return joinVectors(
    fields.map(({ name, words }) => {
      const described = vectorOf((texts.get(name) ?? []).flatMap(({ text }) => foldedWords(text)))
      const listedVector = vectorOf(foldedWords([name, ...words].join(' ')))
      return meanVector([described, listedVector], [DESCRIBED_MEANING, LISTED_MEANING])
    }),
  )
}

export function packFieldClassifier(counts: ClueCounts): [string, Section][] {
  return packClassifier('field-clues', counts, FIELD_SMOOTHING)
}

function joinVectors(vectors: readonly Int8Array[]): Int8Array {
  const joined = new Int8Array(vectors.length * DIMENSIONS)
  for (const [at, vector] of vectors.entries()) joined.set(vector, at * DIMENSIONS)
  return joined
}

function addClues(counts: Map<number, number>, text: string, weight: number): void {
  for (const clue of cluesOf(foldedWords(text))) counts.set(clue, (counts.get(clue) ?? 0) + weight)
}

/** The words of a text, as the classifiers take them. */
export function foldedWords(text: string): string[] {
  return tokensOf(text).map(({ folded }) => folded)
}

/** `isNameable`: what may be shown at all. A name of several cells stays in the one that values it most. */
export function packFields(
  sources: FieldSources,
  isNameable: (text: string) => boolean,
  vectorOf: (words: readonly string[]) => Int8Array,
): [string, Section][] {
  const { fields, frames, descriptions, functions, manners, cells } = sources
  const traits = [...functions.keys(), ...manners.keys()]
  const places = new Map<string, { readonly cell: WrittenCell; readonly place: number }>()
  for (const cell of cells) {
    for (const [place, { text }] of cell.names.entries()) {
      const label = wordsIn(text).join('')
      const before = places.get(label)
      if (isNameable(text) && (before === undefined || place < before.place)) places.set(label, { cell, place })
    }
  }
  const byField = Map.groupBy(cells, ({ field }) => field)
  const cellStarts = [0]
  const nameStarts = [0]
  const traitOf: number[] = []
  const names: { text: string; making: string }[] = []
  for (const { name } of fields) {
    for (const cell of byField.get(name) ?? []) {
      names.push(...cell.names.filter(({ text }) => places.get(wordsIn(text).join(''))?.cell === cell))
      nameStarts.push(names.length)
      traitOf.push(cell.trait === undefined ? NO_TRAIT : traits.indexOf(cell.trait))
    }
    cellStarts.push(traitOf.length)
  }
  const traitCounts = [...functions, ...manners].map(([trait, words]) => {
    const counts = new Map<number, number>()
    for (const text of [trait, ...words]) addClues(counts, text, 1)
    return counts
  })
  return [
    ...packTexts(
      'fields',
      fields.map(({ name }) => name),
    ),
    ...packFieldClassifier(countFieldClues(fields, descriptions)),
    ['fields.frames', Uint8Array.from(fields, ({ name }) => Number(frames.has(name)))],
    ['fields.vectors', fieldVectors(fields, descriptions, vectorOf)],
    ...packClassifier('trait-clues', traitCounts, TRAIT_SMOOTHING),
    ...packTexts('traits', traits),
    ['traits.functions', Uint32Array.of(functions.size)],
    ['fields.cells', Uint32Array.from(cellStarts)],
    ['cells.trait', Uint8Array.from(traitOf)],
    ['cells.names', Uint32Array.from(nameStarts)],
    ...packTexts(
      'cell-names',
      names.map(({ text }) => text),
    ),
    ...packTexts(
      'cell-makings',
      names.map(({ making }) => making),
    ),
    ['cell-names.vectors', joinVectors(names.map(({ making }) => vectorOf(foldedWords(making))))],
  ]
}
