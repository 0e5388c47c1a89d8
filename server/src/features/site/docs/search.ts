/**
 * Search: finds the passages that contain all the typed words, best first.
 *
 * The index is built once, from the passages of all pages. A typed word also matches the words that begin with it. A
 * word in a title or heading scores higher than one in the text, and a whole word higher than a prefix. Must never
 * store what is typed.
 */
import { setImmediate } from 'node:timers/promises'

export interface Findable {
  readonly href: string
  readonly page: string
  /** '' for the page itself. */
  readonly heading: string
  readonly text: string
}

export interface SearchHit {
  readonly href: string
  readonly page: string
  readonly heading: string
  /** Words around the first hit. */
  readonly excerpt: string
}

export type Search = (typed: string) => SearchHit[]

const MAX_TYPED_LENGTH = 100
const MAX_WORDS = 8
const MAX_FOUND = 20
const EXCERPT = 160
const WEIGHT = { page: 6, heading: 8, text: 1 } as const
/** The factor for a prefix match. */
const BEGUN = 0.5
/** Further repetitions of a word in a text do not raise its score. */
const MAX_REPEATS = 3

/** Passages to index before yielding to the event loop, so that no request has to wait for the index. */
const AT_ONCE = 40

type SearchField = keyof typeof WEIGHT

export async function openSearch(all: readonly Findable[]): Promise<Search> {
  /** word → passage → weight */
  const index = new Map<string, Map<number, number>>()
  for (const [at, one] of all.entries()) {
    if (at % AT_ONCE === AT_ONCE - 1) await setImmediate()
    for (const field of Object.keys(WEIGHT) as SearchField[]) {
      const times = new Map<string, number>()
      for (const word of wordsOf(one[field])) times.set(word, Math.min((times.get(word) ?? 0) + 1, MAX_REPEATS))
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
    // A single letter is a prefix of thousands of words, so it must match a whole word.
    const to = typed.length > 1 ? firstFrom(words, `${typed}\u{10ffff}`) : from + Number(words[from] === typed)
    for (const word of words.slice(from, to)) {
      for (const [place, weight] of index.get(word) ?? []) {
        places.set(place, Math.max(places.get(place) ?? 0, word === typed ? weight : weight * BEGUN))
      }
    }
    return places
  }

  return (typed) => {
    const asked = [...new Set(wordsOf(typed.slice(0, MAX_TYPED_LENGTH), { parts: false }))].slice(0, MAX_WORDS)
    const [first, ...rest] = asked.map(placesOf)
    if (!first) return []
    const scored = [...first].flatMap(([place, weight]) => {
      const others = rest.map((places) => places.get(place) ?? 0)
      return others.includes(0) ? [] : [{ place, score: others.reduce((sum, one) => sum + one, weight) }]
    })
    return scored
      .toSorted((a, b) => b.score - a.score || a.place - b.place)
      .slice(0, MAX_FOUND)
      .flatMap(({ place }) => {
        const one = all[place]
        return one
          ? [{ href: one.href, page: one.page, heading: one.heading, excerpt: excerptOf(one.text, asked) }]
          : []
      })
  }
}

/** `quota_exceeded` matches as a whole and by its parts. */
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
