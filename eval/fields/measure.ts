/**
 * How often the field of a description is found: `pnpm eval fields`.
 *
 * Every tenth description is held out in turn, the classifier learns from the others and from the words of the fields,
 * and the held-out ones are asked. So the figures are of descriptions that it has not seen, by the same writers. The other
 * languages follow in the same way.
 */
import { readPacked, writePacked } from '../../server/src/names/knowledge/packed.ts'
import { openClassifier } from '../../server/src/names/knowledge/classifier.ts'
import { cluesOf } from '../../server/src/names/understand/clues.ts'
import { guessFields } from '../../server/src/names/understand/fields.ts'
import { textVector } from '../../server/src/names/vectors.ts'
import { readKnowledge } from '../../server/src/names/names.ts'
import type { Knowledge } from '../../server/src/names/knowledge/knowledge.ts'
import { nearnessAt } from '../../server/src/names/knowledge/nearness.ts'
import {
  countFieldClues,
  fieldVectors,
  foldedWords,
  packFieldClassifier,
  readFields,
} from '../../scripts/names/fields.ts'
import type { FieldSources } from '../../scripts/names/fields.ts'
import { measureLanguages } from './languages.ts'
import { FOLDER } from '../../scripts/names/sources.ts'

const FOLDS = 10
const MOST = 5
const STEPS = [0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]

export interface Answered {
  readonly text: string
  readonly field: string
  readonly guessed: readonly { readonly field: string; readonly surety: number }[]
}

export function holdOut({ fields, descriptions }: FieldSources, knowledge: Knowledge, fold: number): Answered[] {
  const isHeld = (_: unknown, at: number) => at % FOLDS === fold
  const vectorOf = (words: readonly string[]) => textVector(knowledge.words, knowledge.sentenceMap, words)
  const known = descriptions.filter((one, at) => !isHeld(one, at))
  const vectors = fieldVectors(fields, known, vectorOf)
  const packed = readPacked(writePacked(new Map(packFieldClassifier(countFieldClues(fields, known)))).buffer)
  const learned = {
    byField: openClassifier(packed, 'field-clues'),
    isFrame: () => false,
    nearness: (field: number, vector: Int8Array) => nearnessAt(vectors, field, vector),
  }
  const guess = (text: string) => {
    const words = foldedWords(text)
    return guessFields(learned, cluesOf(words), vectorOf(words), MOST)
  }
  return descriptions.filter(isHeld).map(({ field, text }) => ({
    text,
    field,
    guessed: guess(text).map(({ field: at, surety }) => ({ field: fields[at]!.name, surety })),
  }))
}

export function describeAccuracy(answered: readonly Answered[]): string[] {
  const share = (list: readonly unknown[], of: readonly unknown[]) =>
    of.length === 0 ? '-' : ((100 * list.length) / of.length).toFixed(1)
  const within = (places: number) =>
    answered.filter(({ field, guessed }) => guessed.slice(0, places).some((one) => one.field === field))
  const isRight = ({ field, guessed }: Answered) => guessed[0]?.field === field
  return [
    `${answered.length} descriptions: ${share(within(1), answered)} % first, ${share(within(2), answered)} % among two, ${share(within(MOST), answered)} % among five`,
    ...STEPS.map((least) => {
      const sure = answered.filter(({ guessed }) => (guessed[0]?.surety ?? 0) >= least)
      return `surety ${least}: ${share(sure, answered)} % of descriptions, ${share(sure.filter(isRight), sure)} % of them right`
    }),
  ]
}

export async function measureFields(): Promise<void> {
  const sources = readFields(FOLDER)
  const knowledge = await readKnowledge()
  const answered = Array.from({ length: FOLDS }, (_, fold) => holdOut(sources, knowledge, fold)).flat()
  console.log(describeAccuracy(answered).join('\n'))
  const confused = Map.groupBy(
    answered.filter(({ field, guessed }) => guessed[0] !== undefined && guessed[0].field !== field),
    ({ field, guessed }) => [field, guessed[0]!.field].toSorted().join(' / '),
  )
  const most = [...confused].toSorted(([, a], [, b]) => b.length - a.length).slice(0, 20)
  measureLanguages(
    knowledge,
    sources.fields.map(({ name }) => name),
  )
  console.log(['most often confused', ...most.map(([pair, list]) => `  ${list.length} ${pair}`)].join('\n'))
}
