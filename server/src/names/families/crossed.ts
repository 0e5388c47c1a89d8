/**
 * Two aspects played against each other: a word that opens names about the one, a word that ends names about the
 * other ("Cropclock": farming and time), and the caller's own words in either place.
 */
import type { Knowledge } from '../knowledge/knowledge.ts'
import type { Understanding } from '../understand/understand.ts'
import type { Draft } from './draft.ts'
import type { Halves } from './parts.ts'
import { joinsWell } from './parts.ts'

const MAX_LEADS = 6
const MAX_SINGLES = 6
const LETTERS = { min: 6, max: 11 }

interface NearWord {
  readonly word: string
  readonly near: number
}

interface Pair {
  readonly value: number
  readonly first: string
  readonly second: string
  readonly one: { readonly half: Halves }
  readonly other: { readonly half: Halves }
}

export function crossed(
  knowledge: Knowledge,
  understanding: Understanding,
  halves: readonly Halves[],
  most: number,
): Draft[] {
  const near = nearnessTo(knowledge, understanding.vector)
  const few = halves.slice(0, MAX_LEADS).map((half) => ({
    half,
    firsts: [...ownWords(understanding, half), ...half.firsts, ...half.singles.slice(0, MAX_SINGLES)].map(near),
    seconds: half.seconds.map(near),
  }))
  const pairs: Pair[] = []
  for (const one of few) {
    for (const other of few) {
      if (one === other) continue
      const weight = one.half.lead.weight + other.half.lead.weight
      for (const first of one.firsts) {
        for (const second of other.seconds) {
          const letters = first.word.length + second.word.length
          if (letters < LETTERS.min || letters > LETTERS.max || !joinsWell(first.word, second.word)) continue
          const value = weight + 1.5 * first.near + second.near - letters / 20
          pairs.push({ value, first: first.word, second: second.word, one, other })
        }
      }
    }
  }
  return best(pairs, most).map(({ first, second, one, other }) => draftOf(first, second, one.half, other.half))
}

/** The highest values, highest first. */
function best(pairs: readonly Pair[], most: number): Pair[] {
  const least = new Float64Array(pairs.map(({ value }) => value)).toSorted().at(-most) ?? -Infinity
  return pairs
    .filter(({ value }) => value >= least)
    .toSorted((a, b) => b.value - a.value || (a.first + a.second < b.first + b.second ? -1 : 1))
    .slice(0, most)
}

function ownWords({ own }: Understanding, { lead }: Halves): string[] {
  return own.filter((word) => word === lead.because.toLowerCase())
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

function nearnessTo({ words }: Knowledge, vector: Int8Array): (word: string) => NearWord {
  return (word) => {
    const place = words.find(word)
    return { word, near: place < 0 ? 0 : words.nearness(place, vector) }
  }
}
