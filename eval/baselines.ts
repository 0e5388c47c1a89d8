/**
 * Two makers that anyone could write in an afternoon; whoever is not clearly better than both has built nothing.
 *
 * `randomWords` joins two words without looking at the description: what relevance 0 looks like. `keywordSuffix` puts a
 * fashionable ending behind the description's own words: near in meaning, and what nobody wants. Both give only names
 * that are free under pressure, like the engine.
 */
import type { Dictionary } from './dictionary.ts'
import { createRandom } from './picks.ts'
import type { Pressure } from './pressure.ts'
import { contentWords } from './stems.ts'
import { lettersOf, type Named } from './words-of-name.ts'

const SUFFIXES = 'ify ly hub io lab base flow wise pro ster nest zen verse mate'.split(' ')
// Words that people say now and then: neither "the" nor what only a dictionary knows.
const COMMON = { least: 300, most: 20_000 }

export function createRandomWords(
  dictionary: Dictionary,
  pressure: Pressure,
): (seed: string, wanted: number) => Named[] {
  const words = [...dictionary.counts]
    .filter(([word, count]) => count >= COMMON.least && count <= COMMON.most && /^[a-z]{3,7}$/.test(word))
    .map(([word]) => word)
    .toSorted()
  return (seed, wanted) => {
    const random = createRandom(seed)
    const draw = () => words[Math.floor(random() * words.length)] ?? ''
    const found: Named[] = []
    while (found.length < wanted) {
      const parts = [draw(), draw()]
      if (!pressure.isTaken(parts.join(''))) found.push({ name: capitalise(parts.join('')), parts })
    }
    return found
  }
}

/** Fewer than wanted when the description has too few words. */
export function keywordSuffix(description: string, pressure: Pressure, wanted: number): Named[] {
  const keywords = contentWords(description)
    .map(lettersOf)
    .filter((word) => word.length >= 3 && word.length <= 9)
  const found: Named[] = []
  // Diagonally, so that the words take turns and no ending comes twice before all have come once.
  for (let at = 0; at < keywords.length * SUFFIXES.length && found.length < wanted; at++) {
    const round = Math.floor(at / keywords.length)
    const parts = [keywords[at % keywords.length] ?? '', SUFFIXES[(at + round) % SUFFIXES.length] ?? '']
    const label = parts.join('')
    if (!pressure.isTaken(label) && found.every(({ name }) => lettersOf(name) !== label)) {
      found.push({ name: capitalise(label), parts })
    }
  }
  return found
}

function capitalise(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
