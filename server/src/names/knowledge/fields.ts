/**
 * The fields a project can be about, and the names written for their cells.
 *
 * A *cell* is a field with something such a project does for people, or with its manner; the cell of a field alone holds
 * the names that suit any project of it. Names stand in the order of a strict reader, best first.
 */
import type { Classifier } from './classifier.ts'
import { openClassifier } from './classifier.ts'
import { openNativeFields } from './native-fields.ts'
import type { NativeFields } from './native-fields.ts'
import type { Nearness } from './nearness.ts'
import type { Packed } from './packed.ts'
import { openTexts } from './texts.ts'

export interface ProjectFields {
  readonly name: (field: number) => string
  readonly byField: Classifier
  /** Of its descriptions to another one. */
  nearness(field: number, vector: Int8Array): number
  /** Whether it says how something is sold or run, not what it is about. */
  isFrame(field: number): boolean
  /** Its classes are the traits. */
  readonly byTrait: Classifier
  /** What projects do for people, then their manners; by the number that a cell has. */
  readonly trait: (trait: number) => string
  isManner(trait: number): boolean
  /** By language. */
  readonly native: ReadonlyMap<string, NativeFields>
  /** In the order in which such projects have them. */
  cells(field: number): readonly NamingCell[]
}

export interface NamingCell {
  /** Absent for the field alone. */
  readonly trait: number | undefined
  readonly names: readonly CellName[]
}

export interface CellName {
  /** As written: "warm knock", "night+super", "autothaw". */
  readonly text: string
  /** How it is made: "quota + autopilot". */
  readonly making: string
  /** Of its making to a description. */
  readonly nearness: (vector: Int8Array) => number
}

/** The trait of a field alone, in the compiled knowledge. */
export const NO_TRAIT = 255

export function openFields(packed: Packed, nearness: Nearness): ProjectFields {
  const vectors = packed.small('fields.vectors')
  const names = openTexts(packed, 'fields')
  const frames = packed.bytes('fields.frames')
  const traits = openTexts(packed, 'traits')
  const functions = packed.whole('traits.functions')[0]!
  const cellStarts = packed.whole('fields.cells')
  const traitOf = packed.bytes('cells.trait')
  const nameStarts = packed.whole('cells.names')
  const texts = openTexts(packed, 'cell-names')
  const makings = openTexts(packed, 'cell-makings')
  const meanings = packed.small('cell-names.vectors')

  function readCell(cell: number): NamingCell {
    const own: CellName[] = []
    for (let at = nameStarts[cell]!; at < nameStarts[cell + 1]!; at++)
      own.push({
        text: texts.at(at),
        making: makings.at(at),
        nearness: (vector) => nearness(meanings, at, vector),
      })
    return { trait: traitOf[cell] === NO_TRAIT ? undefined : traitOf[cell], names: own }
  }

  return {
    name: names.at,
    nearness: (field, vector) => nearness(vectors, field, vector),
    isFrame: (field) => frames[field] === 1,
    byField: openClassifier(packed, 'field-clues'),
    byTrait: openClassifier(packed, 'trait-clues'),
    trait: traits.at,
    native: openNativeFields(packed),
    isManner: (trait) => trait >= functions,
    cells(field) {
      const cells: NamingCell[] = []
      for (let cell = cellStarts[field]!; cell < cellStarts[field + 1]!; cell++) cells.push(readCell(cell))
      return cells
    },
  }
}
