/**
 * Fluency: how easily a name reads, as a percentile among real companies' names.
 *
 * The letter model learns from names of the split `tune`; the scale is made of names that it has not seen. The aim is a
 * band and not the top: what reads smoother than nearly all real names is a plain word, and what reads rougher is noise.
 */
import { meanOf, medianOf, percentileOf } from '../statistics.ts'
import { lettersOf } from '../words-of-name.ts'
import { trainLetters } from './letter-model.ts'

export interface Fluency {
  percentile(name: string): number
  medianOf(names: readonly string[]): number
}

// Four letters see "ight" and "tion"; a longer memory would only know the training names by heart.
const ORDER = 4

export function createFluency(trainingNames: readonly string[], realNames: readonly string[]): Fluency {
  const model = trainLetters(trainingNames.map(lettersOf), ORDER)
  const fluencyOf = (name: string) => meanOf(model.logsOf(lettersOf(name)))
  const scale = realNames.map(fluencyOf).toSorted((a, b) => a - b)
  const percentile = (name: string) => percentileOf(fluencyOf(name), scale)
  return { percentile, medianOf: (names) => medianOf(names.map(percentile)) }
}
