/**
 * Which of many classes a text belongs to, by what its words count for.
 *
 * A clue that was learned with a class counts for it by how much likelier it is there than anywhere; every other clue
 * counts against it by the class's toll. Sums are whole numbers, so that they are the same on every machine.
 */
import { hashOf } from './text.ts'

/** By class: how often each clue came with it. */
export type ClueCounts = readonly ReadonlyMap<string, number>[]

export interface Classifier {
  readonly knows: (clue: string) => boolean
  /** How many classes it speaks for. */
  readonly spread: (clue: string) => number
  /** How much it speaks for this class, in natural logarithms. */
  readonly weight: (clue: string, nth: number) => number
  /** One sum per class in units of 1 / `SCALE`, and how many of the clues are known at all. */
  readonly score: (clues: Iterable<string>) => { readonly sums: Int32Array; readonly known: number }
}

export interface Smoothing {
  /** How many clues of no class in particular each class is mixed with. */
  readonly mixed: number
  /** How often each clue is taken to have come with no class at all: rare clues count for less. */
  readonly unclassed: number
}

export interface Guess {
  readonly nth: number
  /** 0..1: about how often such a guess is right. */
  readonly surety: number
}

/** So many units are one natural logarithm. */
export const SCALE = 24
const MAX_WEIGHT = 255
// Of all classes' share; what is fainter is not worth naming.
const FAINT = 0.01
// A thousand classes so far behind are together not worth counting.
const HOPELESS = 14
const MAX_GUESSES = 5

export function openClassifier(counts: ClueCounts, { mixed, unclassed }: Smoothing): Classifier {
  // Clues are known by their hash: two of a hundred thousand that share one do no harm, and no text is kept.
  const rows = new Map<number, number>()
  const totals: number[] = []
  const spreads: number[] = []
  const found: number[] = []
  let sum = 0
  for (const [nth, own] of counts.entries()) {
    for (const [clue, count] of own) {
      const hash = hashOf(clue)
      let row = rows.get(hash)
      if (row === undefined) rows.set(hash, (row = rows.size))
      totals[row] = (totals[row] ?? 0) + count
      spreads[row] = (spreads[row] ?? 0) + 1
      sum += count
      found.push(row, nth, count)
    }
  }
  const starts = new Uint32Array(rows.size + 1)
  for (const [row, spread] of spreads.entries()) starts[row + 1] = starts[row]! + spread
  const ends = starts.slice()
  const classes = new Uint16Array(found.length / 3)
  const weights = new Uint8Array(found.length / 3)
  for (let at = 0; at < found.length; at += 3) {
    const row = found[at]!
    const expected = (mixed * (totals[row]! + unclassed)) / sum
    const place = ends[row]!++
    classes[place] = found[at + 1]!
    weights[place] = Math.min(MAX_WEIGHT, Math.round(SCALE * Math.log(1 + found[at + 2]! / expected)))
  }
  const tolls = counts.map((own) => {
    let size = 0
    for (const count of own.values()) size += count
    return Math.round(SCALE * Math.log(1 + size / mixed))
  })

  return {
    knows: (clue) => rows.has(hashOf(clue)),
    spread(clue) {
      const row = rows.get(hashOf(clue))
      return row === undefined ? 0 : starts[row + 1]! - starts[row]!
    },
    weight(clue, nth) {
      const row = rows.get(hashOf(clue))
      if (row === undefined) return 0
      const at = classes.subarray(starts[row], starts[row + 1]).indexOf(nth)
      return at < 0 ? 0 : weights[starts[row]! + at]! / SCALE
    },
    score(clues) {
      const sums = new Int32Array(tolls.length)
      let known = 0
      for (const clue of clues) {
        const row = rows.get(hashOf(clue))
        if (row === undefined) continue
        known++
        for (let at = starts[row]!; at < starts[row + 1]!; at++) sums[classes[at]!]! += weights[at]!
      }
      for (let nth = 0; nth < sums.length; nth++) sums[nth]! -= known * tolls[nth]!
      return { sums, known }
    },
  }
}

/**
 * The likeliest classes, best first. Clues of one text repeat each other, so their sum exaggerates by `repetition`.
 * `share` is how much a class counts in the total that sureties are shares of.
 */
export function guessesOf(sums: Int32Array, repetition: number, share: (nth: number) => number = () => 1): Guess[] {
  let best = -Infinity
  for (const sum of sums) best = Math.max(best, sum)
  let total = 0
  const likely: Guess[] = []
  for (let nth = 0; nth < sums.length; nth++) {
    const behind = (best - sums[nth]!) / (SCALE * repetition)
    if (behind > HOPELESS) continue
    const odds = Math.exp(-behind)
    total += odds * share(nth)
    if (odds >= FAINT) likely.push({ nth, surety: odds })
  }
  return likely
    .map(({ nth, surety }) => ({ nth, surety: Math.min(1, surety / total) }))
    .toSorted((a, b) => b.surety - a.surety || a.nth - b.nth)
    .slice(0, MAX_GUESSES)
}
