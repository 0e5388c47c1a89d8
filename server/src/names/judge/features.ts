/**
 * A draft and what is known of the description → the numbers the judge sees, by their places in FEATURES.
 *
 * In three groups: those of the name, which the build counts once for every written name; those of the lead, which all
 * of its drafts share; and those of this draft for this description. A feature that is 0 may be left out.
 */
import { KIND_LIST } from '../knowledge/kinds.ts'
import type { Knowledge, Written } from '../knowledge/knowledge.ts'
import type { Draft } from '../families/draft.ts'
import type { Lead, Understanding } from '../understand/understand.ts'
import type { Words } from '../knowledge/words.ts'
import { DIMENSIONS, UNIT } from '../knowledge/nearness.ts'
import type { Spelled } from './form.ts'
import { measureForm } from './form.ts'
import { FAMILIES, FEATURES, MEANING } from './judge.ts'

type Put = (feature: number, value: number) => void
export type Named = Spelled & Pick<Draft, 'written'>
type NameKnowledge = Pick<Knowledge, 'words' | 'letters' | 'written'>

const [SPREAD, CROWDED, MEANINGS, TASTE] = placesOf('spread', 'crowded', 'meaning.0', 'taste.name')
const [WEIGHT, USAGE, COMMON, SOLID] = placesOf('weight', 'usage', 'leadCommon', 'leadSolid')
const [PLACE, ASPECT_NEAR, ASPECT_TASTE, HITS] = placesOf('place', 'aspectNear', 'taste.aspect', 'hits')
const [RANK, NEAR, LINK_NEAR, STARRED] = placesOf('rank', 'near', 'linkNear', 'starred')
const [ECHO, SECOND_WEIGHT, SECOND_NEAR, TAIL] = placesOf('echo', 'secondWeight', 'secondNear', 'tail')
const KINDS = new Map(KIND_LIST.map((kind) => [kind, FEATURES.indexOf(`kind.${kind}`)]))
const FAMILY_PLACES = new Map<string, number>(FAMILIES.map((family) => [family, FEATURES.indexOf(`family.${family}`)]))

/** All of them at once, for teaching the judge. */
export function featuresOf(
  knowledge: Knowledge,
  understanding: Understanding,
  draft: Draft,
  hits: number,
): Float64Array {
  const out = new Float64Array(FEATURES.length)
  const put: Put = (feature, value) => {
    out[feature] = value
  }
  const shown = shownPlaces(knowledge.words, draft)
  const places = meantPlaces(knowledge, draft, shown)
  putName(knowledge, draft, shown, put)
  putMeaning(knowledge.words, places, put)
  putLead(knowledge, understanding, draft.lead, put)
  putDraft(knowledge, understanding, draft, places, nearTo(knowledge.words, places, understanding.vector), hits, put)
  return out
}

/** Where its parts stand among the words; -1 for what is no known word. */
export function shownPlaces(words: Words, { parts }: Spelled): number[] {
  return parts.map((part) => words.find(part))
}

/** Where the words that a name means stand: those that the build has found, or those of its parts that are known. */
export function meantPlaces({ written }: NameKnowledge, { written: name }: Named, shown: readonly number[]): number[] {
  if (name < 0) return shown.filter((place) => place >= 0)
  const places: number[] = []
  for (let at = written.partEnds[name]!; at < written.partEnds[name + 1]!; at++)
    if (written.parts[at]! > 0) places.push(written.parts[at]! - 1)
  return places
}

export function putName(
  { words, letters, written }: NameKnowledge,
  draft: Named,
  shown: readonly number[],
  put: Put,
): void {
  const form = measureForm(words, letters, draft, shown)
  for (let at = 0; at < form.length; at++) put(at, form[at]!)
  put(SPREAD, spreadOf(written, draft))
  put(CROWDED, crowding(words, shown))
  put(TASTE, draft.written < 0 ? 0 : written.taste[draft.written]!)
}

/** Where the words that a name means stand: on average, if there are several. */
export function putMeaning(words: Words, places: readonly number[], put: Put): void {
  for (let at = 0; at < MEANING; at++) {
    let sum = 0
    for (const place of places) sum += words.vectors[place * DIMENSIONS + at]!
    if (sum !== 0) put(MEANINGS + at, sum / (places.length * UNIT))
  }
}

export function putLead({ aspects }: Knowledge, { leads }: Understanding, lead: Lead, put: Put): void {
  put(WEIGHT, lead.weight)
  put(USAGE, aspects.usage[lead.aspect]! * 10)
  put(COMMON, aspects.common[lead.aspect]! / 15)
  put(SOLID, aspects.solid[lead.aspect]!)
  put(PLACE, lead.weight / (leads[0]?.weight ?? 1))
  put(ASPECT_NEAR, lead.near)
  put(ASPECT_TASTE, aspects.taste[lead.aspect]!)
}

/**
 * `near`: of the name to the description. `hits`: how many of the leads lead to it; a name two aspects agree on is about
 * both.
 */
export function putDraft(
  { words, aspects }: Knowledge,
  { said }: Understanding,
  { rank, lead, second, starred, parts, kind, family }: Draft,
  places: readonly number[],
  near: number,
  hits: number,
  put: Put,
): void {
  put(RANK, rank)
  put(NEAR, near)
  put(LINK_NEAR, nearTo(words, places, aspects.vectors, lead.aspect))
  put(HITS, hits - 1)
  put(STARRED, starred ?? 0)
  put(ECHO, parts.some((part) => said.has(part)) ? 1 : 0)
  put(SECOND_WEIGHT, second?.weight ?? 0)
  put(SECOND_NEAR, second?.near ?? 0)
  put(TAIL, family === 'tailed' ? 1 : 0)
  put(KINDS.get(kind)!, 1)
  const place = FAMILY_PLACES.get(family)
  if (place !== undefined) put(place, 1)
}

/** How near words are to a meaning, on average. */
export function nearTo(words: Words, places: readonly number[], to: Int8Array, at = 0): number {
  if (places.length === 0) return 0
  let sum = 0
  for (const place of places) sum += words.nearness(place, to, at)
  return sum / places.length
}

export function spreadOf({ spread }: Written, { written }: Named): number {
  return written < 0 ? 0 : Math.log2(spread[written]!) / 4
}

/** How many aspects use the most used of its parts: such a word would turn up in every second answer. */
export function crowding(words: Words, shown: readonly number[]): number {
  let most = 0
  for (const place of shown) most = Math.max(most, words.spread(place))
  return Math.log2(1 + most) / 8
}

function placesOf<const Names extends readonly string[]>(...names: Names): { [At in keyof Names]: number } {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one number for each name
  return names.map((name) => FEATURES.indexOf(name)) as { [At in keyof Names]: number }
}
