/** A plain word of the description or of an aspect, and a light second part: "Benchwise", "Wattwick". */
import type { Knowledge } from '../knowledge/knowledge.ts'
import type { Understanding } from '../understand/understand.ts'
import { hashOf } from '../hash.ts'
import type { Draft } from './draft.ts'
import type { Halves } from './parts.ts'
import { joinsWell } from './parts.ts'

const LETTERS = { min: 6, max: 10 }
const MAX_FIRST_LENGTH = 6
const MAX_FIRSTS = 30

export function* tailed(
  knowledge: Knowledge,
  understanding: Understanding,
  halves: readonly Halves[],
  each: number,
): Iterable<Draft> {
  const general = knowledge.patterns.tails
  for (const { lead, firsts, singles } of halves) {
    const own = understanding.own.filter((word) => word === lead.because.toLowerCase())
    for (const first of [...new Set([...own, ...firsts, ...singles])].slice(0, Math.min(2 * each, MAX_FIRSTS))) {
      if (first.length > MAX_FIRST_LENGTH) continue
      // Each word starts elsewhere in the list, so that one second part does not fill an answer.
      const start = hashOf(first) % general.length
      const tails = [...understanding.tails, ...general.slice(start), ...general.slice(0, start)]
      let made = 0
      for (const tail of tails) {
        const letters = first.length + tail.length
        if (letters < LETTERS.min || letters > LETTERS.max || !joinsWell(first, tail)) continue
        yield {
          label: first + tail,
          parts: [first, tail],
          apart: false,
          family: 'tailed',
          kind: 'coined',
          style: 'compound',
          lead,
          rank: made / each,
          written: -1,
          image: '',
        }
        if (++made === each) break
      }
    }
  }
}
