/**
 * Compounds of a word of the description and a curated partner: "Crumbkin" with a tail, "Wildcrumb" with a lead.
 *
 * Trying every pair and sorting would cost most of a request, and the best partner would end every name. Instead each
 * word looks at a few partners per round, takes the one that fits best, and partners rest after use. The window moves
 * so that no pair is looked at twice; good partners stand in front of the list, so they are spent first.
 */
import { fit } from '../joint.ts'
import type { Part } from '../part.ts'
import type { Pick, Pool } from '../pool.ts'
import type { Draft, Stream } from './draft.ts'
import { joinHalves } from './draft.ts'

const BAND = 40
// How many names later a partner may be used again.
const REST = 20
// A prime to 40, so that neighbours in the pool look at different partners.
const STEP = 7
// Between the first partner of the list and the fortieth.
const PLACE_COST = 0.006

/** How many partners a word looks at before it takes one, and what it will not put up with. */
export interface Care {
  readonly window: number
  readonly leastFit: number
}

export const CAREFUL: Care = { window: 5, leastFit: 0.5 }
/** When every name must hold one of a few words, there is nothing to choose from: every pair is taken. */
export const THOROUGH: Care = { window: 1, leastFit: -0.3 }

export function partnered(
  side: 'lead' | 'tail',
  pool: Pool,
  partners: readonly Part[],
  seed: number,
  { window, leastFit }: Care = CAREFUL,
): Stream {
  const roundsPerBand = BAND / window
  const lastUse = new Int32Array(partners.length).fill(-REST)
  let at = 0
  let round = 0
  let made = 0

  function next(): Draft | undefined {
    while (round * window < partners.length) {
      const pick = pool.at(at)
      if (pick === undefined) {
        if (at === 0) return undefined
        at = 0
        round++
        continue
      }
      const draft = tryWindow(pick, at++)
      if (draft !== undefined) return draft
    }
    return undefined
  }

  function tryWindow(pick: Pick, place: number): Draft | undefined {
    const band = Math.floor(round / roundsPerBand) * BAND
    const size = Math.min(BAND, partners.length - band)
    const start = place * STEP + (round % roundsPerBand) * window + (seed % BAND)
    let best = -1
    let bestFit = leastFit
    for (let step = 0; step < window; step++) {
      const index = band + ((start + step) % size)
      if (made - lastUse[index]! < REST) continue
      const partner = partners[index]!
      const fitting = side === 'tail' ? fit(pick.part, partner) : fit(partner, pick.part)
      const value = fitting - PLACE_COST * (index - band)
      if (fitting >= 0 && value > bestFit && !echoes(pick.part.text, partner.text)) {
        bestFit = value
        best = index
      }
    }
    if (best < 0) return undefined
    lastUse[best] = made++
    return compose(side, pick, partners[best]!, bestFit)
  }

  return next
}

function compose(side: 'lead' | 'tail', pick: Pick, partner: Part, sound: number): Draft {
  const halves = side === 'tail' ? { first: pick.part, second: partner } : { first: partner, second: pick.part }
  return joinHalves(halves, pick.keyword, pick.relevance, sound)
}

function echoes(word: string, partner: string): boolean {
  return word.endsWith(partner) || word.startsWith(partner) || partner.startsWith(word)
}
