/**
 * Language parity: the same description in another language should lead to names as relevant as in English.
 *
 * Both answers are judged against the English text, and both stand above a stranger's name, so that a ratio of 1 means
 * "as relevant" and 0 means "as if the description had not been understood at all".
 */
import { meanOf } from '../statistics.ts'
import { liftsOf, type Judged, type Scale, type Similarity } from './relevance.ts'

export interface LanguageAnswers {
  readonly language: string
  /** One per description, in the order of the English ones; `description` is the English text. */
  readonly answers: readonly Judged[]
}

export function parityOf(
  english: readonly Judged[],
  other: readonly Judged[],
  strangers: Scale['strangers'],
  similarity: Similarity,
): number {
  // No names at all are as good as strangers' names.
  const liftOf = (answer: Judged) => (answer.names.length === 0 ? 0 : meanOf(liftsOf(answer, strangers, similarity)))
  return meanOf(other.map(liftOf)) / meanOf(english.map(liftOf))
}
