/**
 * The halves that the written names of an aspect are made of: "crop" opens names about farming, "clock" ends names
 * about time. A namer chose them once for one name; other names are made of them here.
 */
import { codaOf, onsetOf } from '../judge/spelling.ts'
import type { Kind } from '../knowledge/kinds.ts'
import type { Knowledge } from '../knowledge/knowledge.ts'
import type { Section } from '../knowledge/packed.ts'
import type { Words } from '../knowledge/words.ts'
import type { Safety } from '../safety.ts'
import type { Lead } from '../understand/understand.ts'

export interface Halves {
  readonly lead: Lead
  readonly firsts: readonly string[]
  readonly seconds: readonly string[]
  /** Short plain words of the aspect. */
  readonly singles: readonly string[]
}

/** The build has chosen them (`packHalves`). */
export function halvesOf({ words, aspects }: Knowledge, lead: Lead): Halves {
  const { halves, halfEnds } = aspects
  const list = (nth: number) => {
    const found: string[] = []
    for (let at = halfEnds[3 * lead.aspect + nth]!; at < halfEnds[3 * lead.aspect + nth + 1]!; at++)
      found.push(words.at(halves[at]!))
    return found
  }
  return { lead, firsts: list(0), seconds: list(1), singles: list(2) }
}

const MAX_HALF_LENGTH = 6
const MIN_HALF_LENGTH = 3
const SOLID = new Set<Kind>(['word', 'object', 'nature', 'place', 'role'])

/** For the build: by aspect its written names → the places of its first halves, its second halves and its singles. */
export function packHalves(
  aspects: Iterable<Iterable<{ readonly text: string; readonly kind: Kind }>>,
  words: Words,
  safety: Safety,
): [string, Section][] {
  const fits = (word: string) =>
    word.length >= MIN_HALF_LENGTH && word.length <= MAX_HALF_LENGTH && words.find(word) >= 0 && safety.isClean(word)
  const halves: number[] = []
  const ends = [0]
  for (const names of aspects) {
    const lists = [new Set<string>(), new Set<string>(), new Set<string>()] as const
    for (const { text, kind } of names) {
      const cut = text.indexOf('+')
      if (cut > 0) {
        lists[0].add(text.slice(0, cut))
        lists[1].add(text.slice(cut + 1))
      } else if (SOLID.has(kind) && !text.includes(' ')) lists[2].add(text)
    }
    for (const list of lists) {
      for (const word of list) if (fits(word)) halves.push(words.find(word))
      ends.push(halves.length)
    }
  }
  return [
    ['halves', Uint32Array.from(halves)],
    ['halves.ends', Uint32Array.from(ends)],
  ]
}

/** False where two halves would be misspelt or could not be said. */
export function joinsWell(first: string, second: string): boolean {
  if (first.at(-1) === second[0] || first === second) return false
  const consonants = codaOf(first) + onsetOf(second)
  return consonants <= 3 && consonants > 0
}
