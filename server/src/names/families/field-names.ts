/**
 * Names written for the very kind of project the description is about: its field, with what it does or its manner.
 *
 * Which of them suit this description was learned from reviewers' marks (docs/decisions/0044): short single words near
 * to its meaning, early in the order of the reviewer who kept them, and not those of a function or manner that it does
 * not speak of. What reviewers would accept less often than a name of the other families is left out.
 */
import { hashOf } from '../hash.ts'
import { spell } from '../judge/form.ts'
import type { CellName, ProjectFields } from '../knowledge/fields.ts'
import type { FieldGuess } from '../understand/fields.ts'
import { statedTraits } from '../understand/fields.ts'
import type { Lead, Understanding } from '../understand/understand.ts'
import type { Draft } from './draft.ts'

// The weights of a logistic regression over 391 names that two reviewers marked.
const BASE = -0.41
const NEAR = 1.17
const PHRASE = -0.44
const LETTER = -0.32
const FREE_LETTERS = 7
const PLACE = -0.3
const LAST_PLACE = 5
const UNSTATED = -1.07
// The same reviewers accepted 11 % of what the other families made: the logarithm of those odds.
const MIN_SCORE = -2.09
// How much the seed may move a name.
const SEED_SPREAD = 0.6
// So many letters at the beginning or end of two names make them sound alike.
const PIECE = 4
const NO_LEAD: Lead = { aspect: 0, weight: 0, because: '', near: 0 }

/** Best first. */
export function fieldNames(
  fields: ProjectFields,
  { field }: FieldGuess,
  understanding: Understanding,
  salt: number,
): Draft[] {
  const stated = statedTraits(fields.byTrait, understanding.clues)
  const rated = fields.cells(field).flatMap(({ trait, names }) =>
    names.map((name, place) => {
      const isUnstated = trait !== undefined && !stated.includes(trait)
      const score = rate(name, place, understanding.vector) + (isUnstated ? UNSTATED : 0)
      return { name, score, seededScore: score + SEED_SPREAD * (hashOf(name.text, salt) / 2 ** 32 - 0.5) }
    }),
  )
  const good = rated.filter(({ score }) => score > MIN_SCORE).toSorted((a, b) => b.seededScore - a.seededScore)
  return putRepeatsLast(good.map(({ name }) => name)).map((name, place) => draftOf(name, place / good.length))
}

function rate({ text, nearness }: CellName, place: number, described: Int8Array): number {
  const { label, apart } = spell(text)
  return (
    BASE +
    NEAR * nearness(described) +
    LETTER * Math.max(0, label.length - FREE_LETTERS) +
    PLACE * Math.min(place, LAST_PLACE) +
    (apart ? PHRASE : 0)
  )
}

function draftOf({ text, making }: CellName, rank: number): Draft {
  const spelled = spell(text)
  return {
    ...spelled,
    family: 'field',
    kind: 'coined',
    style: spelled.apart ? 'short_phrase' : spelled.parts.length > 1 ? 'compound' : 'blend',
    lead: NO_LEAD,
    rank,
    written: -1,
    image: '',
    // Not the field: where that is a misreading, the rest is still true.
    ...(making === '' ? {} : { reason: making }),
  }
}

/** A name with a word, a beginning or an ending that an earlier one has comes after all others. */
function putRepeatsLast(names: readonly CellName[]): CellName[] {
  const used = new Set<string>()
  const { fresh = [], repeats = [] } = Object.groupBy(names, ({ text }) => {
    const { label, parts } = spell(text)
    const pieces = [...parts, label.slice(0, PIECE), label.slice(-PIECE)]
    if (pieces.some((piece) => used.has(piece))) return 'repeats'
    for (const piece of pieces) used.add(piece)
    return 'fresh'
  })
  return [...fresh, ...repeats]
}
