/**
 * Which aspects lie next to each other: those that reach for a word, and those that reach for much the same.
 *
 * Only what is asked for is worked out, and kept: most aspects are never the only one of a description.
 */
import type { Aspect } from './aspects.ts'

export interface Neighbours {
  /** The aspects that reach for this word, those that reach for it first in front. */
  reaching(word: string): readonly Aspect[]
  relatedTo(aspect: Aspect): readonly Aspect[]
}

interface Place {
  readonly aspect: Aspect
  readonly place: number
}

// A word that many aspects reach for says little about any; the closest few are enough.
const MOST = 3
// Two associations that only these two aspects share, or more that others share too.
const LEAST_SHARED = 0.6

export function createNeighbours(aspects: readonly Aspect[]): Neighbours {
  const sharers = new Map<string, Place[]>()
  for (const aspect of aspects) {
    for (const [place, { text }] of aspect.all.entries()) {
      const row = sharers.get(text)
      if (row === undefined) sharers.set(text, [{ aspect, place }])
      else row.push({ aspect, place })
    }
  }
  const known = new Map<Aspect, readonly Aspect[]>()

  function reaching(word: string): readonly Aspect[] {
    const row = sharers.get(word)
    if (row === undefined) return []
    const closest = row.length === 1 ? row : row.toSorted((a, b) => a.place - b.place).slice(0, MOST)
    return closest.map(({ aspect }) => aspect)
  }

  function relatedTo(aspect: Aspect): readonly Aspect[] {
    const kept = known.get(aspect)
    if (kept !== undefined) return kept
    const closeness = new Map<Aspect, number>()
    for (const { text } of aspect.all) {
      const row = sharers.get(text) ?? []
      // What many share brings nobody closer.
      for (const { aspect: other } of row) closeness.set(other, (closeness.get(other) ?? 0) + 1 / row.length)
    }
    closeness.delete(aspect)
    const near = [...closeness].filter(([, shared]) => shared >= LEAST_SHARED).toSorted((a, b) => b[1] - a[1])
    const related = near.slice(0, MOST).map(([other]) => other)
    known.set(aspect, related)
    return related
  }

  return { reaching, relatedTo }
}
