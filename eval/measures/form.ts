/**
 * Form: can a classifier distinguish our names from real ones by their form alone?
 *
 * Logistic regression on form features, five-fold cross-validated; the figure is the mean area under the curve of the
 * folds. 0.5: indistinguishable; 1: distinguished every time. Each spelling counts once, so that none is known already.
 */
import { areaUnderCurve } from '../statistics.ts'
import { lettersOf } from '../words-of-name.ts'
import { shuffleByHash } from '../picks.ts'
import { trainLogistic } from './logistic.ts'

const FOLDS = 5

export function formArea(
  real: readonly string[],
  ours: readonly string[],
  featuresOf: (name: string) => readonly number[],
): number {
  const examples = [...examplesOf(real, false, featuresOf), ...examplesOf(ours, true, featuresOf)]
  const scores = Array.from({ length: FOLDS }, (_, fold) => {
    const train = examples.filter((example) => example.fold !== fold)
    const score = trainLogistic(train)
    return examples
      .filter((example) => example.fold === fold)
      .map(({ features, isPositive }) => ({ isPositive, score: score(features) }))
  })
  // Scores of different folds come from different models, so each fold is measured by itself.
  const areas = scores.map((fold) =>
    areaUnderCurve(
      fold.filter(({ isPositive }) => isPositive).map(({ score }) => score),
      fold.filter(({ isPositive }) => !isPositive).map(({ score }) => score),
    ),
  )
  return areas.reduce((sum, area) => sum + area, 0) / FOLDS
}

function examplesOf(names: readonly string[], isPositive: boolean, featuresOf: (name: string) => readonly number[]) {
  const distinct = [...new Map(names.map((name) => [lettersOf(name), name])).values()]
  return shuffleByHash(distinct, 'fold', lettersOf).map((name, at) => ({
    features: featuresOf(name),
    isPositive,
    fold: at % FOLDS,
  }))
}
