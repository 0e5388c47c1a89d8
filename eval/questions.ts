/** What the engine is asked in a run, in groups: companies, our own descriptions, abstract ones, parallel ones, a sample. */
import { answer, type Answer } from './answers.ts'
import { pickCompanies, type Company, type Split } from './companies.ts'
import { readAbstract, readDescriptions, readParallel, type Described } from './descriptions.ts'
import { readAnswer, type ReadAnswer } from './maker.ts'
import type { Progress } from './progress.ts'
import type { World } from './world.ts'

export interface NamesOptions {
  readonly split: Split
  readonly size: number
  /** Only the parallel descriptions. */
  readonly onlyLanguages: boolean
  readonly sampleSeed: string
}

/** `english` is what the judge is given. */
interface Question extends Pick<Described, 'text' | 'english'> {
  /** The language the names are asked in, where it is not the description's: the judge reads only English. */
  readonly namesIn?: string
}

export interface Asked {
  readonly text: string
  readonly answer: Answer
  readonly read: ReadAnswer
}

export interface Questions {
  /** More companies than are asked about, those first: their own names make the scale. */
  readonly scale: readonly Company[]
  readonly picked: readonly Company[]
  readonly groups: Readonly<Record<'companies' | 'ours' | 'abstract' | 'sample', readonly Question[]>>
  readonly byLanguage: Readonly<Record<string, readonly Question[]>>
}

// The sample that the figures are made of never changes; only what is read by eye is fresh.
const FROZEN = 'frozen'
const SAMPLE_SIZE = 20
// The step from a stranger's name to the own is small beside its spread: 150 companies would know it to a half.
const SCALE_SIZE = 700

export function listQuestions(companies: readonly Company[], options: NamesOptions): Questions {
  const { split, size, sampleSeed, onlyLanguages } = options
  const scale = pickCompanies(companies, { split, size: Math.max(SCALE_SIZE, size), seed: FROZEN })
  const picked = onlyLanguages ? [] : scale.slice(0, size)
  const fresh = onlyLanguages
    ? []
    : pickCompanies(companies, { split, size: SAMPLE_SIZE, seed: `sample ${sampleSeed}` })
  const parallel = readParallel()
  const languages = Object.keys(parallel[0]?.texts ?? {})
  return {
    scale,
    picked,
    groups: {
      companies: picked.map(({ description }) => ({ text: description })),
      ours: onlyLanguages ? [] : readDescriptions(),
      abstract: onlyLanguages ? [] : readAbstract(),
      sample: fresh.map(({ description }) => ({ text: description })),
    },
    byLanguage: Object.fromEntries(
      languages.map((language) => [
        language,
        parallel.map(({ texts }) => ({ text: texts[language] ?? '', english: texts['en'] ?? '', namesIn: 'en' })),
      ]),
    ),
  }
}

/** Every question of every group, one after the other: the engine is measured for its names, not for its speed. */
export async function askAll<Group extends string>(
  world: World,
  groups: Readonly<Record<Group, readonly Question[]>>,
  progress: (done: number) => void,
): Promise<Record<Group, Asked[]>> {
  const asked = {} as Record<Group, Asked[]>
  let done = 0
  for (const group of Object.keys(groups) as Group[]) {
    asked[group] = []
    for (const { text, english, namesIn } of groups[group]) {
      const given = await answer(world.engine, world.pressure, text, namesIn)
      asked[group].push({ text, answer: given, read: readAnswer(world.read, given, english) })
      progress(++done)
    }
  }
  return asked
}

export function countQuestions(groups: Readonly<Record<string, readonly Question[]>>): number {
  return Object.values(groups).reduce((sum, list) => sum + list.length, 0)
}

export function progressOf(progress: Progress, what: string, of: number): (done: number) => void {
  return (done) => progress(what, done, of)
}
