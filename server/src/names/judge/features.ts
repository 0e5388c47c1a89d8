/** A draft and what is known of the description → the numbers the judge sees, in the order of FEATURES. */
import { KIND_LIST } from '../knowledge/kinds.ts'
import type { Knowledge } from '../knowledge/knowledge.ts'
import type { Draft } from '../families/draft.ts'
import type { Understanding } from '../understand/understand.ts'
import { UNIT } from '../knowledge/words.ts'
import { nearness } from '../vectors.ts'
import { FORM, measureForm } from './form.ts'
import { FAMILIES, FEATURES, MEANING } from './judge.ts'

export function featuresOf(
  knowledge: Knowledge,
  understanding: Understanding,
  draft: Draft,
  /** How many of the leads lead to it: a name two aspects agree on is about both. */
  hits: number,
): Float64Array {
  const { written, words } = knowledge
  const out = new Float64Array(FEATURES.length)
  let at = FORM.length
  if (draft.written >= 0) out.set(written.form.subarray(draft.written * at, (draft.written + 1) * at))
  else out.set(measureForm(words, knowledge.letters, draft))
  const vectors = vectorsOf(knowledge, draft)
  const { lead, second } = draft
  const put = (value: number) => {
    out[at++] = value
  }
  put(draft.rank)
  put(lead.weight)
  put(knowledge.aspects.usage[lead.aspect]! * 10)
  put(knowledge.aspects.common[lead.aspect]! / 15)
  put(knowledge.aspects.solid[lead.aspect]!)
  put(lead.weight / (understanding.leads[0]?.weight ?? 1))
  put(average(vectors, understanding.vector))
  put(lead.near)
  put(average(vectors, knowledge.aspects.vector(lead.aspect)))
  put(draft.written < 0 ? 0 : Math.log2(written.spread[draft.written]!) / 4)
  put(crowding(knowledge, draft))
  put(hits - 1)
  put(draft.starred ?? 0)
  put(draft.parts.some((part) => understanding.said.has(part)) ? 1 : 0)
  put(second?.weight ?? 0)
  put(second?.near ?? 0)
  put(draft.family === 'tailed' ? 1 : 0)
  out[at + KIND_LIST.indexOf(draft.kind)] = 1
  at += KIND_LIST.length
  out[at + FAMILIES.findIndex((family) => family === draft.family)] = 1
  at += FAMILIES.length
  putMean(vectors, out, at)
  at += MEANING
  put(knowledge.aspects.taste[lead.aspect]!)
  put(draft.written < 0 ? 0 : written.taste[draft.written]!)
  return out
}

function putMean(vectors: readonly Int8Array[], out: Float64Array, start: number): void {
  const scale = vectors.length * UNIT
  for (const vector of vectors) for (let at = 0; at < MEANING; at++) out[start + at]! += vector[at]!
  if (scale > 0) for (let at = start; at < start + MEANING; at++) out[at]! /= scale
}

/** How many aspects use the most used of its parts: such a word would turn up in every second answer. */
function crowding({ words }: Knowledge, { parts }: Draft): number {
  let most = 0
  for (const part of parts) most = Math.max(most, words.spread(words.find(part)))
  return Math.log2(1 + most) / 8
}

function vectorsOf({ words, written }: Knowledge, draft: Draft): Int8Array[] {
  const vectors: Int8Array[] = []
  if (draft.written >= 0) {
    for (const place of written.parts(draft.written)) if (place > 0) vectors.push(words.vector(place - 1))
    return vectors
  }
  for (const part of draft.parts) {
    const place = words.find(part)
    if (place >= 0) vectors.push(words.vector(place))
  }
  return vectors
}

function average(vectors: readonly Int8Array[], to: Int8Array): number {
  if (vectors.length === 0) return 0
  let sum = 0
  for (const vector of vectors) sum += nearness(vector, to)
  return sum / vectors.length
}
