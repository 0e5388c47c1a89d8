/**
 * Which of many classes a text belongs to, by what its words count for.
 *
 * A clue that was learned with a class counts for it by how much likelier it is there than anywhere; every other clue
 * counts against it by the class's toll. Sums are whole numbers, so that they are the same on every machine.
 */
import { hashOf } from './text.ts'

/** Says of one class how often a clue came with it; the same clue may come again. */
export type AddClue = (clue: number, count: number) => void

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

// Clues are known by their hash: two of a hundred thousand that share one do no harm, and no text is kept. Signed, because
// V8 allocates memory for each larger number.
export function clueOf(text: string, from = 0, to = text.length): number {
  return hashOf(text, 0, from, to) | 0
}

/** `addClues` is called for each class in turn. */
export function openClassifier(
  classCount: number,
  addClues: (nth: number, add: AddClue) => void,
  { mixed, unclassed }: Smoothing,
): Classifier {
  const rows = new Map<number, number>()
  const totals: number[] = []
  const spreads: number[] = []
  /** By row, where its latest entry is. */
  const latest: number[] = []
  // Of each entry its row, class and count.
  const [entryRows, entryClasses, entryCounts]: [number[], number[], number[]] = [[], [], []]
  const sizes = new Float64Array(classCount)
  let sum = 0
  for (let nth = 0; nth < classCount; nth++) {
    addClues(nth, (clue, count) => {
      sum += count
      sizes[nth]! += count
      let row = rows.get(clue)
      if (row === undefined) {
        rows.set(clue, (row = totals.length))
        totals.push(0)
        spreads.push(0)
        latest.push(-1)
      }
      totals[row]! += count
      const at = latest[row]!
      if (at >= 0 && entryClasses[at] === nth) {
        entryCounts[at]! += count
        return
      }
      latest[row] = entryRows.length
      spreads[row]! += 1
      entryRows.push(row)
      entryClasses.push(nth)
      entryCounts.push(count)
    })
  }
  const starts = new Uint32Array(totals.length + 1)
  for (let row = 0; row < spreads.length; row++) starts[row + 1] = starts[row]! + spreads[row]!
  const ends = starts.slice()
  const classes = new Uint16Array(entryRows.length)
  const weights = new Uint8Array(entryRows.length)
  for (let at = 0; at < entryRows.length; at++) {
    const row = entryRows[at]!
    const expected = (mixed * (totals[row]! + unclassed)) / sum
    const place = ends[row]!++
    classes[place] = entryClasses[at]!
    weights[place] = Math.min(MAX_WEIGHT, Math.round(SCALE * Math.log(1 + entryCounts[at]! / expected)))
  }
  const tolls = Array.from(sizes, (size) => Math.round(SCALE * Math.log(1 + size / mixed)))

  return {
    knows: (clue) => rows.has(clueOf(clue)),
    spread(clue) {
      const row = rows.get(clueOf(clue))
      return row === undefined ? 0 : starts[row + 1]! - starts[row]!
    },
    weight(clue, nth) {
      const row = rows.get(clueOf(clue))
      if (row === undefined) return 0
      const at = classes.subarray(starts[row], starts[row + 1]).indexOf(nth)
      return at < 0 ? 0 : weights[starts[row]! + at]! / SCALE
    },
    score(clues) {
      const sums = new Int32Array(tolls.length)
      let known = 0
      for (const clue of clues) {
        const row = rows.get(clueOf(clue))
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
