/**
 * The marked pairs: descriptions with the names that a careful reader would register for them, and those not.
 *
 * One JSON line per description and reader in `eval/labels/`. The features of a pair are counted by the engine as it
 * is now; a name it no longer makes drops out.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { featuresOf } from '../../server/src/names/judge/features.ts'
import type { Knowledge } from '../../server/src/names/knowledge/knowledge.ts'
import { proposed } from '../../server/src/names/families/proposed.ts'
import { plainNameRequest } from '../../server/src/names/plain-name-request.ts'
import { gather } from '../../server/src/names/propose.ts'
import { readRules } from '../../server/src/names/rules.ts'
import { understand } from '../../server/src/names/understand/understand.ts'

import type { Case } from './cases.ts'

export interface Marked {
  readonly description: string
  readonly reader: string
  readonly yes: readonly string[]
  readonly no: readonly string[]
}

export interface Pair {
  readonly group: number
  /** Head of the aspect that led to it. */
  readonly aspect: string
  readonly name: string
  readonly liked: boolean
  /** The share of names that its reader likes: some are easier to please than others. */
  readonly generosity: number
  readonly features: Float64Array
}

const FOLDER = new URL('../labels/', import.meta.url)

export function readMarks(): Marked[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.jsonl'))
    .toSorted()
    .flatMap((file) => readFileSync(new URL(file, FOLDER), 'utf8').split('\n').filter(Boolean))
    .map((line) => JSON.parse(line) as Marked)
}

/** Everything the engine could say to a description, with what the judge would see of it. */
export function draftsFor(knowledge: Knowledge, description: string) {
  const ask = plainNameRequest(description)
  const understanding = understand(knowledge, ask)
  return gather(knowledge, understanding, readRules(ask, understanding.banned), ask, 'best').map(({ draft, hits }) => ({
    draft,
    features: featuresOf(knowledge, understanding, draft, hits),
  }))
}

/** Names that somebody else gave, with what the judge would see of each. */
function draftsOfNames(knowledge: Knowledge, description: string, names: readonly string[]) {
  const understanding = understand(knowledge, plainNameRequest(description))
  const proposals = names.map((name) => ({ name }))
  return [...proposed(knowledge, understanding, proposals)].map((draft) => ({
    draft,
    features: featuresOf(knowledge, understanding, draft, 1),
  }))
}

export function labelOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
}

export function pairsOf(knowledge: Knowledge, marks: readonly Marked[], cases: readonly Case[]): Pair[] {
  const groups = new Map(cases.map(({ description }, at) => [description, at]))
  const generous = generosityOf(marks)
  return [...Map.groupBy(marks, ({ description }) => description)].flatMap(([description, readers]) => {
    const group = groups.get(description)
    if (group === undefined) throw new Error(`marked, but in no case: ${description}`)
    const drafts = new Map(draftsFor(knowledge, description).map((made) => [made.draft.label, made]))
    return readers.flatMap(({ yes, no, reader }) =>
      [...yes.map((name) => [name, true] as const), ...no.map((name) => [name, false] as const)].flatMap(
        ([name, liked]) => {
          const made = drafts.get(labelOf(name))
          if (made === undefined) return []
          const aspect = knowledge.aspects.head(made.draft.lead.aspect)
          const generosity = generous.get(reader)!
          return [{ group, aspect, name: made.draft.label, liked, generosity, features: made.features }]
        },
      ),
    )
  })
}

function generosityOf(marks: readonly Marked[]): Map<string, number> {
  return new Map(
    [...Map.groupBy(marks, ({ reader }) => reader)].map(([reader, own]) => {
      const yes = own.reduce((sum, mark) => sum + mark.yes.length, 0)
      const no = own.reduce((sum, mark) => sum + mark.no.length, 0)
      return [reader, yes / (yes + no)]
    }),
  )
}

/**
 * The casebook as pairs: what a namer gave to a description, against what was given to another one. They teach the judge what
 * fits, on names that no family of ours made.
 */
export function toldPairs(knowledge: Knowledge, cases: readonly Case[]): Pair[] {
  return cases.flatMap(({ description, names }, group) => {
    const strangers = cases[(group + 1 + Math.floor(cases.length / 2)) % cases.length]!.names
    const drafts = draftsOfNames(knowledge, description, [...names, ...strangers])
    const own = new Set(names.map(labelOf))
    return drafts.map(({ draft, features }) => ({
      group,
      aspect: '',
      name: draft.label,
      liked: own.has(draft.label),
      generosity: NaN,
      features,
    }))
  })
}
