/**
 * Search: which passages have all the words that somebody typed, best first.
 *
 * The index is made once, from the passages of all pages. A typed word also finds the words that begin with it. A word in
 * a title or heading counts for more than one in the text, and one that is whole for more than one that is begun.
 * Nothing that is typed is kept.
 */
import { setImmediate } from 'node:timers/promises'

export interface Findable {
  readonly href: string
  readonly page: string
  /** '' for the page itself. */
  readonly heading: string
  readonly text: string
}

export interface Found {
  readonly href: string
  readonly page: string
  readonly heading: string
  /** Words around the first hit. */
  readonly excerpt: string
}

export type Search = (typed: string) => Found[]

const MOST_TYPED = 100
const MOST_WORDS = 8
const MOST_FOUND = 20
const EXCERPT = 160
const WEIGHT = { page: 6, heading: 8, text: 1 } as const
/** What a word counts that was only begun. */
const BEGUN = 0.5
/** A word that a text says over and over says little more. */
const MOST_TIMES = 3

/** Passages between which others get their turn: a request must not wait for the index. */
const AT_ONCE = 40

type Field = keyof typeof WEIGHT

export async function openSearch(all: readonly Findable[]): Promise<Search> {
  /** word → passage → weight */
  const index = new Map<string, Map<number, number>>()
  for (const [at, one] of all.entries()) {
    if (at % AT_ONCE === AT_ONCE - 1) await setImmediate()
    for (const field of Object.keys(WEIGHT) as Field[]) {
      const times = new Map<string, number>()
      for (const word of wordsOf(one[field])) times.set(word, Math.min((times.get(word) ?? 0) + 1, MOST_TIMES))
      for (const [word, count] of times) {
        const places = index.get(word) ?? new Map<number, number>()
        places.set(at, (places.get(at) ?? 0) + WEIGHT[field] * Math.sqrt(count))
        index.set(word, places)
      }
    }
  }
  const words = [...index.keys()].toSorted()

  function placesOf(typed: string): Map<number, number> {
    const places = new Map<number, number>()
    const from = firstFrom(words, typed)
    // A single letter begins thousands of words and says nothing.
    const to = typed.length > 1 ? firstFrom(words, `${typed}\u{10ffff}`) : from + Number(words[from] === typed)
    for (const word of words.slice(from, to)) {
      for (const [place, weight] of index.get(word) ?? []) {
        places.set(place, Math.max(places.get(place) ?? 0, word === typed ? weight : weight * BEGUN))
      }
    }
    return places
  }

  return (typed) => {
    const asked = [...new Set(wordsOf(typed.slice(0, MOST_TYPED), { parts: false }))].slice(0, MOST_WORDS)
    const [first, ...rest] = asked.map(placesOf)
    if (!first) return []
    const scored = [...first].flatMap(([place, weight]) => {
      const others = rest.map((places) => places.get(place) ?? 0)
      return others.includes(0) ? [] : [{ place, score: others.reduce((sum, one) => sum + one, weight) }]
    })
    return scored
      .toSorted((a, b) => b.score - a.score || a.place - b.place)
      .slice(0, MOST_FOUND)
      .flatMap(({ place }) => {
        const one = all[place]
        return one
          ? [{ href: one.href, page: one.page, heading: one.heading, excerpt: excerptOf(one.text, asked) }]
          : []
      })
  }
}

/** `quota_exceeded` is found as it stands and by its parts. */
function wordsOf(text: string, { parts = true } = {}): string[] {
  const whole = text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []
  return parts
    ? whole.flatMap((word) => (word.includes('_') ? [word, ...word.split('_').filter(Boolean)] : [word]))
    : whole
}

function firstFrom(sorted: readonly string[], from: string): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? '') < from) low = middle + 1
    else high = middle
  }
  return low
}

function excerptOf(text: string, asked: readonly string[]): string {
  const flat = text.replace(/\s+/g, ' ')
  const lower = flat.toLowerCase()
  const hits = asked.map((word) => lower.indexOf(word)).filter((at) => at >= 0)
  const hit = hits.length === 0 ? 0 : Math.min(...hits)
  const start = hit < EXCERPT / 2 ? 0 : flat.indexOf(' ', hit - EXCERPT / 3) + 1
  const end = flat.length <= start + EXCERPT ? flat.length : flat.lastIndexOf(' ', start + EXCERPT)
  return `${start > 0 ? '… ' : ''}${flat.slice(start, Math.max(end, start))}${end < flat.length ? ' …' : ''}`
}
