/**
 * Pools: the parts of all keywords in one order, so that heavy keywords come often and none is forgotten.
 *
 * The next part always comes from the keyword that has had least for its weight. A pool is laid out only as far as it
 * is read, so a short answer costs little and a long one begins the same. A seed other than 0 changes places only
 * among near neighbours, so that another answer to the same question is as good as the first.
 */
import type { Keyword } from './keywords.ts'
import type { Part } from './part.ts'
import { isNoun } from './part.ts'

export interface Pick {
  readonly part: Part
  readonly keyword: Keyword
  /** 0..1 */
  readonly relevance: number
}

export interface Pool {
  readonly size: number
  at(place: number): Pick | undefined
}

const NEIGHBOURS = 4
const PLACE_COST = 0.02
const NO_PARTS: readonly Part[] = []

export function openPool(
  keywords: readonly Keyword[],
  partsOf: (keyword: Keyword) => readonly Part[],
  seed: number,
): Pool {
  const lists = keywords.map((keyword) => partsOf(keyword))
  const taken = new Uint16Array(keywords.length)
  const size = lists.reduce((sum, { length }) => sum + length, 0)
  const picks: Pick[] = []

  function extend(): void {
    const from = picks.length
    const to = Math.min(size, from + NEIGHBOURS)
    while (picks.length < to) {
      const next = leastServed(keywords, lists, taken)
      const place = taken[next]!++
      const keyword = keywords[next]!
      const relevance = Math.max(0, Math.min(1, keyword.weight) * (1 - PLACE_COST * place))
      picks.push({ part: lists[next]![place]!, keyword, relevance })
    }
    if (seed !== 0) mix(picks, from, seed)
  }

  return {
    size,
    at(place) {
      while (place >= picks.length && picks.length < size) extend()
      return picks[place]
    },
  }
}

export function poolOf(picks: readonly Pick[]): Pool {
  return { size: picks.length, at: (place) => picks[place] }
}

/** The word itself first, then what its aspect offers. */
export function withOwn(keyword: Keyword, offered: 'firsts' | 'heads'): readonly Part[] {
  const parts = keyword.aspect?.[offered] ?? NO_PARTS
  const { own } = keyword
  if (own === undefined || (offered === 'heads' && !isNoun(own))) return parts
  return [own, ...parts]
}

/** The keyword whose list is not used up and that has had least for its weight. */
function leastServed(keywords: readonly Keyword[], lists: readonly (readonly Part[])[], taken: Uint16Array): number {
  let best = -1
  let least = Infinity
  for (let at = 0; at < keywords.length; at++) {
    if (taken[at]! >= lists[at]!.length) continue
    const served = (taken[at]! + 1) / keywords[at]!.weight
    if (served < least) {
      least = served
      best = at
    }
  }
  return best
}

function mix(picks: Pick[], from: number, seed: number): void {
  let state = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(from + 1, 0x85ebca6b)) >>> 0
  for (let at = picks.length - 1; at > from; at--) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    const other = from + ((state >>> 16) % (at - from + 1))
    const kept = picks[at]!
    picks[at] = picks[other]!
    picks[other] = kept
  }
}
