/**
 * Blends by strict overlap only: the end of one word is the beginning of another ("harmo|ney").
 *
 * Three letters are shared, both words are long enough to be heard in the result, and they come from different
 * keywords. Most descriptions give none or one; a forced blend costs more than it adds.
 */
import type { Pick, Pool } from '../pool.ts'
import type { Draft, Stream } from './draft.ts'

const OVERLAP = 3
const SHORTEST = 5
const LONGEST = 11
// Past these the associations are too far from the description to be guessed inside a blend.
const DEEPEST = 24

export function blended(pool: Pool): Stream {
  let drafts: Draft[] | undefined
  let at = 0
  return () => {
    drafts ??= blendAll(Array.from({ length: Math.min(pool.size, DEEPEST) }, (_, place) => pool.at(place)!))
    return drafts[at++]
  }
}

function blendAll(picks: readonly Pick[]): Draft[] {
  const words = picks.filter(({ part }) => !part.phrase && part.text.length >= SHORTEST)
  const byStart = Map.groupBy(words, ({ part }) => part.start)
  const drafts: Draft[] = []
  for (const first of words) {
    for (const second of byStart.get(first.part.end) ?? []) {
      if (first.keyword !== second.keyword) drafts.push(blend(first, second))
    }
  }
  return drafts.filter(({ label, parts }) => label.length <= LONGEST && label !== parts[0])
}

function blend(first: Pick, second: Pick): Draft {
  return {
    style: 'blend',
    parts: [first.part.text, second.part.text],
    label: first.part.text + second.part.text.slice(OVERLAP),
    keyword: first.keyword,
    relevance: (first.relevance + second.relevance) / 2,
    sound: Math.min(first.part.sound, second.part.sound),
    seam: first.part.text.length,
    halves: undefined,
  }
}
