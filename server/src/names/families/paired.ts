/** Compounds of two words the description led to, from two different keywords: a modifier and a thing. */
import { fit } from '../joint.ts'
import type { Pick, Pool } from '../pool.ts'
import type { Draft, Stream } from './draft.ts'
import { joinHalves } from './draft.ts'
import type { Care } from './partnered.ts'

const STEP = 3
// Two full words carry more letters than a word and a tail, so they are held to a better fit.
const PICKY: Care = { window: 4, leastFit: 0.7 }

export function paired(firsts: Pool, heads: Pool, { window, leastFit }: Care = PICKY): Stream {
  let at = 0
  let round = 0

  function tryWindow(first: Pick, place: number): Draft | undefined {
    let best: Pick | undefined
    let bestFit = leastFit
    for (let step = 0; step < window; step++) {
      const head = heads.at((place * STEP + round * window + step) % heads.size)!
      if (head.keyword === first.keyword && first.part !== first.keyword.own) continue
      const value = fit(first.part, head.part)
      if (value >= 0 && value > bestFit) {
        bestFit = value
        best = head
      }
    }
    if (best === undefined) return undefined
    const relevance = (first.relevance + best.relevance) / 2
    return joinHalves({ first: first.part, second: best.part }, first.keyword, relevance, bestFit)
  }

  return () => {
    while (round * window < heads.size) {
      const first = firsts.at(at)
      if (first === undefined) {
        if (at === 0) return undefined
        at = 0
        round++
        continue
      }
      const draft = tryWindow(first, at++)
      if (draft !== undefined) return draft
    }
    return undefined
  }
}
