/**
 * The judge: would somebody with taste register this name for this description?
 *
 * A small network taught on tens of thousands of pairs that were read and marked by hand, holding out
 * whole descriptions. It sees the form of the name, where it comes from and how it relates to the description; never
 * the letters themselves, so it cannot learn a list by heart. Only additions, products and comparisons: the same
 * answer on every machine.
 */
import type { Packed } from '../knowledge/packed.ts'
import { KIND_LIST } from '../knowledge/kinds.ts'
import { FORM } from './form.ts'

/** `judge.json` names its features by these words. `told`: proposed by a language model. */
export const FAMILIES = [
  'written',
  'tailed',
  'crossed',
  'swapped',
  'blended',
  'rooted',
  'own',
  'native',
  'told',
  'respelled',
] as const
/** Names of a field keep the order of a reviewer, so the judge does not know them. */
export type Family = (typeof FAMILIES)[number] | 'field'

/** What depends on the description and on how the name was made. */
export const FIT = [
  'rank',
  'weight',
  'usage',
  'leadCommon',
  'leadSolid',
  'place',
  'near',
  'aspectNear',
  'linkNear',
  'spread',
  'crowded',
  'hits',
  'starred',
  'echo',
  'secondWeight',
  'secondNear',
  'tail',
  ...KIND_LIST.map((kind) => `kind.${kind}` as const),
  ...FAMILIES.map((family) => `family.${family}` as const),
] as const

/** Where the name stands in meaning, along the directions words differ most in. */
export const MEANING = 32

/** What readers thought of other names of its aspect, and of the name itself beside other descriptions. */
export const TASTE = ['taste.aspect', 'taste.name'] as const

export const FEATURES: readonly string[] = [
  ...FORM,
  ...FIT,
  ...Array.from({ length: MEANING }, (_, at) => `meaning.${at}`),
  ...TASTE,
]

export interface Judge {
  /** The sums of its hidden units when every feature is 0. */
  readonly biases: Float64Array
  /** Adds a feature, by its place in FEATURES, to the sums of the hidden units. */
  add(sums: Float64Array, feature: number, value: number): void
  /** From the sums over all features. Higher is better; 0 is as likely liked as not. */
  decide(sums: Float64Array): number
  /** Of all features at once, in the order of FEATURES. */
  rate(features: Float64Array): number
}

/** Shape of the packed weights: means, scales, then one row per hidden unit (weights, bias, output), then the last bias. */
export function openJudge(packed: Packed): Judge {
  const weights = Float64Array.from(packed.real('judge'))
  const size = FEATURES.length
  const hidden = (weights.length - 2 * size - 1) / (size + 2)
  if (!Number.isInteger(hidden)) throw new Error('the judge was trained with different features')
  // One row per feature, and the scaling of the features in the weights: most features of a name are 0, and cost nothing.
  const byFeature = new Float64Array(size * hidden)
  const biases = new Float64Array(hidden)
  const outputs = new Float64Array(hidden)
  for (let unit = 0; unit < hidden; unit++) {
    const row = 2 * size + unit * (size + 2)
    biases[unit] = weights[row + size]!
    outputs[unit] = weights[row + size + 1]!
    for (let at = 0; at < size; at++) {
      const scaled = weights[row + at]! * weights[size + at]!
      byFeature[at * hidden + unit] = scaled
      biases[unit]! -= scaled * weights[at]!
    }
  }

  function add(sums: Float64Array, feature: number, value: number): void {
    if (value === 0) return
    const row = feature * hidden
    for (let unit = 0; unit < hidden; unit++) sums[unit]! += value * byFeature[row + unit]!
  }

  function decide(sums: Float64Array): number {
    let sum = weights[weights.length - 1]!
    for (let unit = 0; unit < hidden; unit++) if (sums[unit]! > 0) sum += sums[unit]! * outputs[unit]!
    return sum
  }

  function rate(features: Float64Array): number {
    const sums = biases.slice()
    for (const [feature, value] of features.entries()) add(sums, feature, value)
    return decide(sums)
  }

  return { biases, add, decide, rate }
}
