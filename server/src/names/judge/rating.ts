/**
 * What the judge thinks of each draft for one description, corrected for the answer as a whole.
 *
 * The first layer of the judge is a sum over features, and most features are the same for many drafts: those of a
 * written name are summed by the build, those of a lead and of the meaning of a word once for each description.
 */
import type { Draft } from '../families/draft.ts'
import type { Knowledge } from '../knowledge/knowledge.ts'
import type { Lead, Understanding } from '../understand/understand.ts'
import {
  crowding,
  meantPlaces,
  nearTo,
  putDraft,
  putLead,
  putMeaning,
  putName,
  shownPlaces,
  spreadOf,
} from './features.ts'
import type { Named } from './features.ts'
import { spell } from './form.ts'

// Corrections to the judge, which scores each description alone: a bonus for relevance to the project, and penalties for
// words that appear in many answers.
const RELEVANCE = 2.5
const CROWDED = 2.5
const UNCROWDED = 0.5
const SPREAD = 1
const NONE: readonly number[] = []

export function createRating(
  knowledge: Knowledge,
  understanding: Understanding,
): (draft: Draft, hits: number) => number {
  const { judge, words, written } = knowledge
  const units = judge.biases.length
  const sums = new Float64Array(units)
  const put = (feature: number, value: number) => judge.add(sums, feature, value)
  const leads = new Map<Lead, Float64Array>()
  const meanings = new Map<number, Float64Array>()

  function sumsOf(lead: Lead): Float64Array {
    let known = leads.get(lead)
    if (known === undefined) {
      sums.set(judge.biases)
      putLead(knowledge, understanding, lead, put)
      leads.set(lead, (known = sums.slice()))
    }
    return known
  }

  function addMeaning(place: number, share: number): void {
    let known = meanings.get(place)
    if (known === undefined) {
      const meaning = new Float64Array(units)
      putMeaning(words, [place], (feature, value) => judge.add(meaning, feature, value))
      meanings.set(place, (known = meaning))
    }
    for (let unit = 0; unit < units; unit++) sums[unit]! += share * known[unit]!
  }

  return (draft, hits) => {
    sums.set(sumsOf(draft.lead))
    const shown = draft.written < 0 ? shownPlaces(words, draft) : NONE
    const places = meantPlaces(knowledge, draft, shown)
    const near = nearTo(words, places, understanding.vector)
    putDraft(knowledge, understanding, draft, places, near, hits, put)
    if (draft.written < 0) {
      putName(knowledge, draft, shown, put)
      for (const place of places) addMeaning(place, 1 / places.length)
      return RELEVANCE * near - overuse(knowledge, draft, shown) + judge.decide(sums)
    }
    const row = draft.written * (units + 1)
    for (let unit = 0; unit < units; unit++) sums[unit]! += written.judged[row + unit]!
    return RELEVANCE * near - written.judged[row + units]! + judge.decide(sums)
  }
}

/** For the build. A row for each written name: what its features add to the judge's sums, then its overuse. */
export function judgeNames(knowledge: Knowledge): Float64Array {
  const { judge, written } = knowledge
  const units = judge.biases.length
  const rows = new Float64Array(written.texts.count * (units + 1))
  for (let name = 0; name < written.texts.count; name++) {
    const row = rows.subarray(name * (units + 1), (name + 1) * (units + 1))
    const named = { ...spell(written.texts.at(name)), written: name }
    const put = (feature: number, value: number) => judge.add(row, feature, value)
    const shown = shownPlaces(knowledge.words, named)
    putName(knowledge, named, shown, put)
    putMeaning(knowledge.words, meantPlaces(knowledge, named, shown), put)
    row[units] = overuse(knowledge, named, shown)
  }
  return rows
}

function overuse({ words, written }: Knowledge, named: Named, shown: readonly number[]): number {
  return CROWDED * Math.max(0, crowding(words, shown) - UNCROWDED) + SPREAD * spreadOf(written, named)
}
