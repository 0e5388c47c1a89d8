/**
 * Blends by overlap: the end of one word is the beginning of another ("harmo|ney"), of two different aspects.
 *
 * Three letters are shared and both words stay readable. Most descriptions give none or one; a forced blend costs
 * more than it adds.
 */
import type { Halves } from './parts.ts'
import type { Draft } from './draft.ts'

const OVERLAP = 3
const MIN_LENGTH = 4
const MAX_LENGTH = 11

export function* blended(halves: readonly Halves[]): Iterable<Draft> {
  const words = halves.flatMap(({ lead, singles, firsts }) =>
    [...new Set([...singles, ...firsts])].filter((word) => word.length >= MIN_LENGTH).map((word) => ({ lead, word })),
  )
  const byStart = Map.groupBy(words, ({ word }) => word.slice(0, OVERLAP))
  for (const one of words) {
    for (const other of byStart.get(one.word.slice(-OVERLAP)) ?? []) {
      const label = one.word + other.word.slice(OVERLAP)
      if (one.lead === other.lead || label.length > MAX_LENGTH || label === one.word || label === other.word) continue
      yield {
        label,
        parts: [one.word, other.word],
        apart: false,
        family: 'blended',
        kind: 'coined',
        style: 'blend',
        lead: one.lead,
        second: other.lead,
        rank: 0.5,
        written: -1,
        image: `${one.word} + ${other.word}`,
      }
    }
  }
}
