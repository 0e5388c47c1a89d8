/**
 * `eval names`: ask, judge, measure.
 *
 * Read `evaluateNames` top to bottom. First all answers under pressure, then the judge reads everything once, then the
 * same measures are laid on the engine and on the makers it is compared with.
 *
 * Without the company list only our own descriptions are asked, and what needs real names stays a dash; parity then
 * has names of random words for its zero.
 */
import { measure, type Figures, type Yardstick } from './figures.ts'
import { textsOf, toJudged, type ReadAnswer } from './maker.ts'
import { openMakers } from './makers.ts'
import { parityOf } from './measures/parity.ts'
import { makeScale, type Scale } from './measures/relevance.ts'
import type { Progress } from './progress.ts'
import { askAll, countQuestions, listQuestions, progressOf, type Asked, type NamesOptions } from './questions.ts'
import type { World } from './world.ts'
import { openYardstick } from './yardstick.ts'

// Enough other names for a steady zero.
const STRANGERS = 150
const FOUNDERS = 'the founders'

export interface Evaluation {
  readonly asked: Readonly<Record<'companies' | 'ours' | 'abstract' | 'sample', readonly Asked[]>>
  readonly parallel: Readonly<Record<string, readonly Asked[]>>
  readonly ofGroup: ReadonlyMap<string, Figures>
  readonly makers: ReadonlyMap<string, Figures>
  readonly parity: ReadonlyMap<string, number>
  readonly yardstick: Yardstick
}

export async function evaluateNames(world: World, options: NamesOptions, progress: Progress): Promise<Evaluation> {
  const { scale: many, picked, groups, byLanguage } = listQuestions(world.companies ?? [], options)
  const asked = await askAll(world, groups, progressOf(progress, 'the engine answers', countQuestions(groups)))
  const inLanguages = progressOf(progress, 'the engine answers in other languages', countQuestions(byLanguage))
  const parallel = await askAll(world, byLanguage, inLanguages)

  const makers = openMakers(world)
  const founders = many.map(makers.founders)
  const questions = asked.companies.map(({ read }) => read)
  const compared = new Map<string, readonly ReadAnswer[]>([
    ['random words', questions.map(makers.randomWords)],
    ['keyword + suffix', questions.map(makers.keywordSuffix)],
    [FOUNDERS, founders.slice(0, picked.length)],
  ])
  const strangers =
    founders.length > 0 ? founders.slice(0, STRANGERS) : readsOf(parallel['en'] ?? []).map(makers.randomWords)
  const everything = [...Object.values(asked), ...Object.values(parallel)].flatMap(readsOf)
  await world.judge.read(
    textsOf([...everything, ...founders, ...strangers, ...[...compared.values()].flat()]),
    (done, of) => progress('the judge reads', done, of),
  )

  const { similarity } = world.judge
  const zero = strangers.flatMap((answer) => toJudged(answer).names)
  const scale = founders.length > 0 ? makeScale(founders.map(toJudged), zero, similarity) : undefined
  const yardstick = openYardstick(world, options.split, scale)
  const unrelated = [...asked.companies, ...asked.ours, ...asked.abstract]
  const measured = { 'all of these': unrelated, companies: asked.companies, ours: asked.ours, abstract: asked.abstract }
  return {
    asked,
    parallel,
    ofGroup: new Map(
      Object.entries(measured)
        .filter(([, list]) => list.length > 0)
        .map(([group, list]) => [group, measure(readsOf(list), yardstick)]),
    ),
    makers: new Map([...compared].map(([maker, answers]) => [maker, measureMaker(maker, answers, yardstick)])),
    parity: measureParity(parallel, zero, yardstick),
    yardstick,
  }
}

function measureMaker(maker: string, answers: readonly ReadAnswer[], yardstick: Yardstick): Figures {
  const figures = measure(answers, yardstick)
  // The founders' names would be compared with themselves.
  return maker === FOUNDERS ? { ...figures, form: yardstick.realForm ?? NaN } : figures
}

function measureParity(
  parallel: Readonly<Record<string, readonly Asked[]>>,
  strangers: Scale['strangers'],
  { similarity }: Yardstick,
): Map<string, number> {
  const judgedIn = (language: string) => readsOf(parallel[language] ?? []).map(toJudged)
  return new Map(
    Object.keys(parallel)
      .filter((language) => language !== 'en')
      .map((language) => [language, parityOf(judgedIn('en'), judgedIn(language), strangers, similarity)]),
  )
}

function readsOf(asked: readonly Asked[]): ReadAnswer[] {
  return asked.map(({ read }) => read)
}
