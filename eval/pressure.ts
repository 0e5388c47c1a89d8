/**
 * The pressured registry: which names are gone when a good name is hard to get.
 *
 * Taken is every dictionary word, every label of a popular domain, and every one of the ten million likeliest compounds
 * of two words. A compound's likelihood is the product of its words' frequencies; the threshold that leaves ten million
 * pairs above it is found once by counting, and a label is then taken when one of its splits passes. The pairs are
 * never listed. Under this registry a single dictionary word never counts, so whatever is left of an answer is coined
 * or of several words.
 *
 * It knows nothing of suffixes: a label is free everywhere or nowhere.
 */
import type { Dictionary } from './dictionary.ts'

export interface Pressure {
  isTaken(label: string): boolean
  /** Counts multiplied: pairs at or above it are taken. */
  readonly threshold: number
  /** How many pairs that are. */
  readonly pairs: number
}

export const COMPOUNDS = 10_000_000

export function openPressure(dictionary: Dictionary, popular: ReadonlySet<string>, compounds = COMPOUNDS): Pressure {
  const parts = [...dictionary.counts].filter(([word]) => word.length >= 2)
  const counts = Float64Array.from(parts, ([, count]) => count).toSorted()
  const threshold = findThreshold(counts, compounds)
  const countOf = (word: string) => (word.length < 2 ? 0 : dictionary.countOf(word))
  const isCompound = (label: string) => {
    for (let at = 2; at <= label.length - 2; at++) {
      const first = countOf(label.slice(0, at))
      if (first > 0 && first * countOf(label.slice(at)) >= threshold) return true
    }
    return false
  }
  return {
    threshold,
    pairs: countPairs(counts, threshold),
    isTaken: (label) => dictionary.has(label) || popular.has(label) || isCompound(label),
  }
}

/** The product that about `wanted` ordered pairs reach; counts ascending. */
export function findThreshold(counts: Float64Array, wanted: number): number {
  const most = counts.at(-1) ?? 1
  let [low, high] = [0, Math.log(most * most) + 1]
  // Forty halvings of a range of some thirty nepers are exact to the last countable pair.
  for (let round = 0; round < 40; round++) {
    const middle = (low + high) / 2
    if (countPairs(counts, Math.exp(middle)) > wanted) low = middle
    else high = middle
  }
  return Math.exp(high)
}

/** How many ordered pairs have a product of at least `threshold`: one walk from both ends. */
export function countPairs(counts: Float64Array, threshold: number): number {
  let pairs = 0
  let start = counts.length
  for (const count of counts) {
    while (start > 0 && (counts[start - 1] ?? 0) * count >= threshold) start--
    pairs += counts.length - start
  }
  return pairs
}
