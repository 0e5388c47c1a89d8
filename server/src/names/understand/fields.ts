/**
 * What a description is about, as one of the known fields, and which functions and manners it speaks of.
 *
 * Names of a wrong field are worse than names of no field, so only a field that is sure is used. How sure is a share of
 * one, calibrated on held-out descriptions: of a hundred with a surety of 0.8, about eighty are right
 * (`pnpm eval fields`).
 */
import type { Classifier } from '../knowledge/classifier.ts'
import { SCALE } from '../knowledge/classifier.ts'
import type { ProjectFields } from '../knowledge/fields.ts'

export interface FieldGuess {
  readonly field: number
  /** 0..1: how often such a guess is right. */
  readonly surety: number
}

// A description that means the same as a field counts as much as a few clues of it. In another language its meaning is
// that of a few translated words.
const MEANING = 20 * SCALE
const TRANSLATED_MEANING = 6 * SCALE
// English words for those of another language are guesses: they count for less than its own words.
const TRANSLATED = 0.6
// Clues of one description repeat each other, so their sum exaggerates by about so much.
const REPETITION = 2.6
const NATIVE_REPETITION = 2
// A thousand fields that no native word speaks for are together nearly as likely as one that a single word names. They
// count for so much in its surety.
const UNNAMED = 0.1
// What a field must have over the others that says only how something is sold or run.
const FRAME = 14 * SCALE
// Of the likeliest field's share; what is fainter is not worth naming.
const FAINT = 0.01
// Of a hundred guesses from here on about 72 name the very field, and half of the others an equally good one.
const SURE = 0.6
// By so much a trait's words must outweigh none at all before its cells count as meant.
const MEANT = 4 * SCALE
const MAX_MEANT = 3

/** What the description says in another language, for the classifier of that language. */
export interface NativeEvidence {
  readonly byField: Classifier
  readonly clues: readonly number[]
}

/** The likeliest fields, best first. `clues` and `vector` are of the English description, or of English words for it. */
export function guessFields(
  { byField, nearness, isFrame }: Pick<ProjectFields, 'byField' | 'nearness' | 'isFrame'>,
  clues: readonly number[],
  vector: Int8Array,
  most: number,
  native?: NativeEvidence,
): FieldGuess[] {
  const { sums, known } = byField.score(clues)
  const own = native?.byField.score(native.clues)
  if (known === 0 && (own?.known ?? 0) === 0) return []
  if (own) for (let field = 0; field < sums.length; field++) sums[field] = own.sums[field]! + sums[field]! * TRANSLATED
  for (let field = 0; field < sums.length; field++)
    sums[field]! += Math.round((own ? TRANSLATED_MEANING : MEANING) * nearness(field, vector))
  if (own) for (let field = 0; field < sums.length; field++) if (isFrame(field)) sums[field]! -= FRAME
  let best = -Infinity
  for (let field = 0; field < sums.length; field++) best = Math.max(best, sums[field]!)
  const unit = SCALE * (own ? NATIVE_REPETITION : REPETITION)
  let total = 0
  const likely: { field: number; share: number }[] = []
  for (let field = 0; field < sums.length; field++) {
    const share = Math.exp((sums[field]! - best) / unit)
    total += own === undefined || own.sums[field]! > 0 ? share : share * UNNAMED
    if (share > FAINT) likely.push({ field, share })
  }
  const guesses = likely.map(({ field, share }): FieldGuess => ({ field, surety: Math.min(1, share / total) }))
  return guesses.toSorted((a, b) => b.surety - a.surety || a.field - b.field).slice(0, most)
}

export function isSure(guess: FieldGuess | undefined): guess is FieldGuess {
  return guess !== undefined && guess.surety >= SURE
}

/** The traits that the description speaks of, the plainest first. */
export function statedTraits(classifier: Classifier, clues: readonly number[]): number[] {
  const { sums } = classifier.score(clues)
  const stated: number[] = []
  for (const [trait, sum] of sums.entries()) if (sum > MEANT) stated.push(trait)
  return stated.toSorted((a, b) => sums[b]! - sums[a]!).slice(0, MAX_MEANT)
}
