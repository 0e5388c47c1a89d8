/**
 * Which of many classes a text belongs to, by what its clues count for: whole numbers, added up.
 *
 * A clue that the build has seen with a class counts for it by how much likelier it is there than anywhere; every other
 * clue counts against it by the class's toll. The sums are the same on every machine.
 */
import type { Packed, Section } from './packed.ts'

export interface Classifier {
  /** One sum per class, in units of 1 / `SCALE`, and how many of the clues are known at all. */
  score(clues: readonly number[]): { readonly sums: Int32Array; readonly known: number }
  /** Whether the build has seen it. */
  readonly knows: (clue: number) => boolean
}

/** So many units are one natural logarithm. */
export const SCALE = 24
const MAX_WEIGHT = 255

/** By class: how often each clue came with it. */
export type ClueCounts = readonly ReadonlyMap<number, number>[]

export interface Smoothing {
  /** How many clues of no class in particular each class is mixed with. */
  readonly mixed: number
  /** How often each clue is taken to have come with no class at all: rare clues count for less. */
  readonly unclassed: number
}

export function packClassifier(name: string, counts: ClueCounts, smoothing: Smoothing): [string, Section][] {
  const { mixed, unclassed } = smoothing
  const totals = new Map<number, number>()
  let sum = 0
  for (const [clue, count] of counts.flatMap((one) => [...one])) {
    totals.set(clue, (totals.get(clue) ?? 0) + count)
    sum += count
  }
  const clues = Uint32Array.from(totals.keys()).toSorted()
  const places = new Map(Array.from(clues, (clue, place) => [clue, place]))
  const rows: number[][] = Array.from(clues, () => [])
  for (const [at, known] of counts.entries()) {
    for (const [clue, count] of known) {
      const expected = (mixed * (totals.get(clue)! + unclassed)) / sum
      const weight = Math.min(MAX_WEIGHT, Math.round(SCALE * Math.log(1 + count / expected)))
      if (weight > 0) rows[places.get(clue)!]!.push(at * 256 + weight)
    }
  }
  const starts = new Uint32Array(clues.length + 1)
  for (const [at, row] of rows.entries()) starts[at + 1] = starts[at]! + row.length
  const tolls = counts.map((known) => {
    const size = known.values().reduce((total, count) => total + count, 0)
    return Math.min(MAX_WEIGHT, Math.round(SCALE * Math.log(1 + size / mixed)))
  })
  return [
    [`${name}.clues`, clues],
    [`${name}.starts`, starts],
    [`${name}.weights`, Uint32Array.from(rows.flat())],
    [`${name}.tolls`, Uint8Array.from(tolls)],
  ]
}

export function openClassifier(packed: Packed, name: string): Classifier {
  const clues = packed.whole(`${name}.clues`)
  const starts = packed.whole(`${name}.starts`)
  const weights = packed.whole(`${name}.weights`)
  const tolls = packed.bytes(`${name}.tolls`)

  function find(clue: number): number {
    let [low, high] = [0, clues.length - 1]
    while (low <= high) {
      const middle = (low + high) >>> 1
      if (clues[middle] === clue) return middle
      if (clues[middle]! < clue) low = middle + 1
      else high = middle - 1
    }
    return -1
  }

  return {
    knows: (clue) => find(clue) >= 0,
    score(asked) {
      const sums = new Int32Array(tolls.length)
      let known = 0
      for (const clue of asked) {
        const place = find(clue)
        if (place < 0) continue
        known++
        for (let at = starts[place]!; at < starts[place + 1]!; at++) sums[weights[at]! >>> 8]! += weights[at]! & 255
      }
      for (let at = 0; at < sums.length; at++) sums[at]! -= known * tolls[at]!
      return { sums, known }
    },
  }
}
