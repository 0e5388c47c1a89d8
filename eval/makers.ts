/** The makers that the engine is compared with, each answering the same descriptions. */
import { NAMES_PER_ANSWER } from './answers.ts'
import { createRandomWords, keywordSuffix } from './baselines.ts'
import type { Company } from './companies.ts'
import type { ReadAnswer } from './maker.ts'
import type { World } from './world.ts'

type Question = Pick<ReadAnswer, 'description' | 'said'>

export interface Makers {
  readonly randomWords: (question: Question) => ReadAnswer
  readonly keywordSuffix: (question: Question) => ReadAnswer
  /** The one name that the company really has. */
  readonly founders: (company: Company) => ReadAnswer
}

export function openMakers({ dictionary, pressure, read }: World): Makers {
  const randomWords = createRandomWords(dictionary, pressure)
  return {
    randomWords: ({ description, said }) => ({
      description,
      said,
      names: randomWords(description, NAMES_PER_ANSWER).map((named) => read(named)),
    }),
    keywordSuffix: ({ description, said }) => ({
      description,
      said,
      names: keywordSuffix(said, pressure, NAMES_PER_ANSWER).map((named) => read(named)),
    }),
    founders: ({ name, description }) => ({ description, said: description, names: [read({ name })] }),
  }
}
