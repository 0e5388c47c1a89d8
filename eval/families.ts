/** The engine's families side by side: which one carries an answer, and which one only echoes. */
import { echoOf, type Yardstick } from './figures.ts'
import { toJudged, type ReadAnswer } from './maker.ts'
import { relevanceOf } from './measures/relevance.ts'

export interface FamilyFigures {
  readonly style: string
  /** Of all names. */
  readonly share: number
  readonly relevance: number
  readonly echo: number
}

/** The largest family first. */
export function measureFamilies(answers: readonly ReadAnswer[], { scale, similarity }: Yardstick): FamilyFigures[] {
  const names = answers.flatMap((answer) => answer.names)
  const styles = new Set(names.map(({ style = '' }) => style))
  return [...styles]
    .map((style) => {
      const own = answers
        .map((answer) => ({ ...answer, names: answer.names.filter((name) => name.style === style) }))
        .filter((answer) => answer.names.length > 0)
      return {
        style,
        share: names.filter((name) => name.style === style).length / names.length,
        relevance: scale === undefined ? NaN : relevanceOf(own.map(toJudged), scale, similarity),
        echo: echoOf(own),
      }
    })
    .toSorted((a, b) => b.share - a.share)
}
