/**
 * Distinctness: whether ten names are ten ideas.
 *
 * A name repeats an earlier one of the same answer when they share a word, or begin or end with the same four letters.
 * The share of names that repeat nothing is the figure: 1 means that no two are alike.
 */
import { meanOf } from '../statistics.ts'
import { stemOf } from '../stems.ts'
import { lettersOf } from '../words-of-name.ts'
import type { Worded } from './echo.ts'

const SHORTEST = 3
const SAME_ENDS = 4

export function distinctness(answers: readonly (readonly Worded[])[]): number {
  return meanOf(answers.filter((names) => names.length > 1).map(shareOfDistinct))
}

function shareOfDistinct(names: readonly Worded[]): number {
  const seen = new Set<string>()
  let distinct = 0
  for (const named of names) {
    const marks = marksOf(named)
    if (marks.every((mark) => !seen.has(mark))) distinct++
    for (const mark of marks) seen.add(mark)
  }
  return distinct / names.length
}

function marksOf({ name, words }: Worded): string[] {
  const letters = lettersOf(name)
  return [
    ...words.filter((word) => word.length >= SHORTEST).map((word) => `word ${stemOf(word)}`),
    `begins ${letters.slice(0, SAME_ENDS)}`,
    `ends ${letters.slice(-SAME_ENDS)}`,
  ]
}
