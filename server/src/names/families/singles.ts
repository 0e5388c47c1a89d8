/** Real words and set phrases: what an aspect reaches for, used as it is. The best names, and the most taken. */
import type { Part } from '../part.ts'
import type { Pool } from '../pool.ts'
import type { Stream } from './draft.ts'

export function singles(pool: Pool): Stream {
  let at = 0
  return () => {
    const pick = pool.at(at++)
    if (pick === undefined) return undefined
    const { part, keyword, relevance } = pick
    const { text, words, sound } = part
    return { style: styleOf(part), parts: words, label: text, keyword, relevance, sound, seam: 0, halves: undefined }
  }
}

function styleOf(part: Part) {
  if (part.phrase) return 'short_phrase'
  return part.words.length > 1 ? 'compound' : 'real_word'
}
