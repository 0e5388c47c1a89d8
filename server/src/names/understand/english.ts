/** An English word → its aspects: by itself, by what it is a form of, or by its nearest neighbour in meaning. */
import type { Knowledge } from '../knowledge/knowledge.ts'
import { splitLabel } from './split.ts'

/** How sure the way from a word to its aspects is. */
export const SURE = { known: 1, bent: 0.8, near: 0.6, unknown: 0.5 }

// A word without an aspect of its own stands for the nearest one, if that is at least so near.
const NEAR_ENOUGH = 0.55
// Everyday words ("next", "long") are near to everything and mean nothing by it.
const MAX_COMMON = 11
const MIN_INSIDE = 5
// Endings and what may stand in their place: "roasters" is roast, "studies" is study, "baking" is bake.
const ENDINGS: readonly (readonly [string, readonly string[]])[] = [
  ['ies', ['y']],
  ['es', ['e', '']],
  ['s', ['']],
  ['ied', ['y']],
  ['ed', ['e', '']],
  ['ing', ['e', '']],
  ['ers', ['e', '', 'er']],
  ['er', ['e', '']],
  ['or', ['e', '']],
  ['ation', ['ate', 'e', '']],
  ['ion', ['e', '']],
  ['ment', ['']],
  ['ness', ['']],
  ['ity', ['', 'e']],
  ['al', ['', 'e']],
  ['ic', ['', 'y']],
  ['ly', ['', 'e']],
  ['y', ['', 'e']],
  ['ist', ['', 'e', 'y']],
  ['ive', ['e', '', 'ion']],
  ['able', ['', 'e']],
  ['less', ['']],
  ['ful', ['']],
  ['ive', ['e']],
]

export function readEnglish(knowledge: Knowledge, word: string): { aspects: readonly number[]; surety: number } {
  const forms = knowledge.forms.get('en')!
  const exact = forms.exact(word)
  if (exact.length > 0) return { aspects: exact, surety: SURE.known }
  for (const base of basesOf(word)) {
    const found = forms.exact(base)
    if (found.length > 0) return { aspects: found, surety: SURE.bent }
  }
  const place = knowledge.words.find(word)
  if (knowledge.patterns.weak.has(word)) return { aspects: [], surety: SURE.unknown }
  if (place < 0) return { aspects: readInside(knowledge, word), surety: SURE.near }
  const nearest = nearestAspect(knowledge, place)
  return nearest < 0 ? { aspects: [], surety: SURE.unknown } : { aspects: [nearest], surety: SURE.near }
}

/** Of a word no dictionary has, what the longest known word in it leads to: "biomedical" is medical. */
function readInside({ words, forms }: Knowledge, word: string): readonly number[] {
  const longest = splitLabel(words, word).toSorted((a, b) => b.length - a.length)[0] ?? ''
  return longest.length < MIN_INSIDE ? [] : forms.get('en')!.exact(longest)
}

/** The aspect nearest in meaning to a word; -1 when none is near. */
function nearestAspect({ words, aspects }: Knowledge, place: number): number {
  let nearest = -1
  let most = NEAR_ENOUGH
  if (place < 0 || words.commonness(place) > MAX_COMMON) return nearest
  const vector = words.vector(place)
  for (let aspect = 0; aspect < aspects.count; aspect++) {
    if (aspects.single[aspect] === 0) continue
    const near = aspects.nearness(aspect, vector)
    if (near > most) [nearest, most] = [aspect, near]
  }
  return nearest
}

export function basesOf(word: string): string[] {
  const bases: string[] = []
  for (const [ending, endings] of ENDINGS) {
    if (!word.endsWith(ending) || word.length - ending.length < 3) continue
    const stem = word.slice(0, -ending.length)
    for (const other of endings) bases.push(stem + other)
    if (/([bdgklmnprt])\1$/.test(stem)) bases.push(stem.slice(0, -1))
  }
  return bases
}
