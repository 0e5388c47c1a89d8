/** What names are held against: real names by their form and fluency, and the lists of what must not be said. */
import { findBareName } from './bare-name.ts'
import type { Split } from './companies.ts'
import type { Yardstick } from './figures.ts'
import { createFluency } from './measures/fluency.ts'
import { createFormReader } from './measures/form-features.ts'
import { formArea } from './measures/form.ts'
import type { Scale } from './measures/relevance.ts'
import { createBrandFinder, readOffensive } from './measures/safety.ts'
import type { World } from './world.ts'

export function openYardstick(world: World, split: Split, scale: Scale | undefined): Yardstick {
  const { companies, dictionary, popular, judge } = world
  const always = {
    similarity: judge.similarity,
    offensive: readOffensive(),
    findBrand: createBrandFinder(popular, dictionary),
  }
  if (companies === undefined || scale === undefined) return always
  const bareNames = (wanted: Split) =>
    companies.filter((company) => company.split === wanted).flatMap(({ name }) => findBareName(name) ?? [])
  const real = bareNames(split)
  const featuresOf = createFormReader(dictionary.words)
  return {
    ...always,
    scale,
    // Trained on one split and scaled by the other: the model must not know the names that make the scale.
    fluency: createFluency(bareNames('tune'), bareNames('test')),
    formOf: (names) => formArea(real, names, featuresOf),
    realForm: formArea(real, bareNames(split === 'test' ? 'tune' : 'test'), featuresOf),
  }
}
