/** A short root and an ending that turns it into a name: "Crumbery", "Lumetta". Few of them, and only short ones. */
import type { Ending } from '../partners.ts'
import type { Pick, Pool } from '../pool.ts'
import type { Draft, Stream } from './draft.ts'
import { isVowel } from '../part.ts'

const LONGEST_ROOT = 6
const SHORTEST_STEM = 3

export function affixed(pool: Pool, endings: readonly Ending[], seed: number): Stream {
  let at = 0
  let round = 0
  return () => {
    while (round < endings.length) {
      const pick = pool.at(at)
      if (pick === undefined) {
        if (at === 0) return undefined
        at = 0
        round++
        continue
      }
      // Each root starts at another ending, so that one ending does not fill a whole round.
      const draft = affix(pick, endings[(round + at++ + seed) % endings.length]!)
      if (draft !== undefined) return draft
    }
    return undefined
  }
}

function affix(pick: Pick, ending: Ending): Draft | undefined {
  const { text, last, sound } = pick.part
  if (text.length > LONGEST_ROOT) return undefined
  const stem = ending.vowel && isVowel(last) ? text.slice(0, -1) : text
  if (stem.length < SHORTEST_STEM || stem.endsWith(ending.text.charAt(0))) return undefined
  if (ending.vowel === isVowel(stem.charCodeAt(stem.length - 1))) return undefined
  const label = stem + ending.text
  return {
    style: 'affix',
    parts: [text, ending.text],
    label,
    keyword: pick.keyword,
    relevance: pick.relevance * 0.8,
    sound: (sound + ending.rating) / 2,
    seam: stem.length,
    halves: undefined,
  }
}
