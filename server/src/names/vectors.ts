/**
 * Meaning as numbers: the vector of a description.
 *
 * The vector of a description is the weighted mean of its words, turned by a learned matrix into what a sentence model
 * says of the whole (docs/decisions/0017). It is rounded to whole numbers at once, so that every later comparison
 * is exact.
 */
import type { Words } from './knowledge/words.ts'
import { DIMENSIONS, UNIT } from './knowledge/nearness.ts'

// A word this common counts half.
const HALF_AT = 11

/** How much a word says of a description: the commonest next to nothing. */
export function wordWeight(commonness: number): number {
  return 1 / (1 + 2 ** (commonness - HALF_AT))
}

/** The direction of a weighted sum; all zero when there is nothing to add. */
export function meanVector(vectors: readonly Int8Array[], weights: readonly number[]): Int8Array {
  return toVector(addUp(vectors, weights))
}

/** The meaning of a text as a whole, by its folded English words. */
export function textVector(words: Words, map: Float32Array, said: readonly string[]): Int8Array {
  const places = said.map((word) => words.find(word)).filter((place) => place >= 0)
  return sentenceVector(
    map,
    places.map((place) => words.vector(place)),
    places.map((place) => wordWeight(words.commonness(place))),
  )
}

function sentenceVector(map: Float32Array, vectors: readonly Int8Array[], weights: readonly number[]): Int8Array {
  const sum = addUp(vectors, weights)
  const turned = new Float64Array(DIMENSIONS)
  for (let from = 0; from < DIMENSIONS; from++) {
    const value = sum[from]!
    if (value === 0) continue
    for (let to = 0; to < DIMENSIONS; to++) turned[to]! += value * map[from * DIMENSIONS + to]!
  }
  return toVector(turned)
}

function addUp(vectors: readonly Int8Array[], weights: readonly number[]): Float64Array {
  const sum = new Float64Array(DIMENSIONS)
  for (const [at, vector] of vectors.entries()) {
    const weight = weights[at] ?? 1
    for (let place = 0; place < DIMENSIONS; place++) sum[place]! += weight * vector[place]!
  }
  return sum
}

function toVector(sum: Float64Array): Int8Array {
  let square = 0
  for (const value of sum) square += value * value
  const scale = square === 0 ? 0 : UNIT / Math.sqrt(square)
  return Int8Array.from(sum, (value) => Math.max(-127, Math.min(127, Math.round(value * scale))))
}
