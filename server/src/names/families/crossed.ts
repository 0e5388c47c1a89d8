/**
 * Two aspects played against each other: a word that opens names about the one, a word that ends names about the
 * other ("Cropclock": farming and time), and the caller's own words in either place.
 */
import type { Knowledge } from '../knowledge/knowledge.ts'
import { nearness } from '../vectors.ts'
import type { Understanding } from '../understand/understand.ts'
import type { Draft } from './draft.ts'
import type { Halves } from './parts.ts'
import { joinsWell } from './parts.ts'

const MAX_LEADS = 6
const LETTERS = { min: 6, max: 11 }

export function crossed(
  knowledge: Knowledge,
  understanding: Understanding,
  halves: readonly Halves[],
  most: number,
): Draft[] {
  const rated: { draft: Draft; value: number }[] = []
  const near = nearnessTo(knowledge, understanding.vector)
  const few = halves.slice(0, MAX_LEADS)
  for (const one of few) {
    for (const other of few) {
      if (one === other) continue
      const own = understanding.own.filter((word) => word === one.lead.because.toLowerCase())
      for (const first of [...own, ...one.firsts, ...one.singles.slice(0, 6)]) {
        for (const second of other.seconds) {
          const letters = first.length + second.length
          if (letters < LETTERS.min || letters > LETTERS.max || !joinsWell(first, second)) continue
          const value = one.lead.weight + other.lead.weight + 1.5 * near(first) + near(second) - letters / 20
          rated.push({ value, draft: draftOf(first, second, one, other) })
        }
      }
    }
  }
  return rated
    .toSorted((a, b) => b.value - a.value || (a.draft.label < b.draft.label ? -1 : 1))
    .slice(0, most)
    .map(({ draft }) => draft)
}

function draftOf(first: string, second: string, one: Halves, other: Halves): Draft {
  return {
    label: first + second,
    parts: [first, second],
    apart: false,
    family: 'crossed',
    kind: 'coined',
    style: 'compound',
    lead: one.lead,
    second: other.lead,
    rank: 0.5,
    written: -1,
    image: '',
  }
}

/** Each word is compared once. */
function nearnessTo(knowledge: Knowledge, vector: Int8Array): (word: string) => number {
  const known = new Map<string, number>()
  return (word) => {
    let value = known.get(word)
    if (value === undefined) {
      const place = knowledge.words.find(word)
      value = place < 0 ? 0 : nearness(knowledge.words.vector(place), vector)
      known.set(word, value)
    }
    return value
  }
}
