/**
 * One maker's names, measured: every figure of the yardstick that can be had for a list of answers.
 *
 * The same function measures the engine, the baselines and the founders, so that their figures can stand in one table.
 * A figure that cannot be had (no company list, one name per answer) is NaN and shown as a dash.
 */
import { findBareName } from './bare-name.ts'
import { distinctness } from './measures/distinctness.ts'
import { echoRate } from './measures/echo.ts'
import type { Fluency } from './measures/fluency.ts'
import { listRecurring, type Recurring } from './measures/overlap.ts'
import { relevanceOf, specificityOf, type Scale, type Similarity } from './measures/relevance.ts'
import { findOffensive, type Parted } from './measures/safety.ts'
import { toJudged, type ReadAnswer, type ReadName } from './maker.ts'

/** What the measures know of the world; the optional parts need the company list. */
export interface Yardstick {
  readonly similarity: Similarity
  readonly offensive: ReadonlySet<string>
  readonly findBrand: (named: Parted) => string | undefined
  readonly scale?: Scale
  readonly fluency?: Fluency
  /** How well the form of names gives them away among real ones. */
  readonly formOf?: (names: readonly string[]) => number
  /** The same for other real names: what cannot be distinguished. */
  readonly realForm?: number
}

export interface Figures {
  readonly relevance: number
  readonly specificity: number
  readonly echo: number
  readonly form: number
  readonly fluency: number
  readonly distinctness: number
  /** The largest share of answers that one name or part turns up in. */
  readonly overlap: number
  readonly offensive: number
  readonly brands: number
}

export function measure(answers: readonly ReadAnswer[], yardstick: Yardstick): Figures {
  const { scale, fluency, formOf, similarity } = yardstick
  const names = answers.flatMap((answer) => answer.names)
  const texts = names.flatMap(({ name }) => findBareName(name) ?? [])
  return {
    relevance: scale === undefined ? NaN : relevanceOf(answers.map(toJudged), scale, similarity),
    specificity: scale === undefined ? NaN : specificityOf(answers.map(toJudged), scale, similarity),
    echo: echoOf(answers),
    form: formOf?.(texts) ?? NaN,
    fluency: fluency?.medianOf(texts) ?? NaN,
    distinctness: distinctness(answers.map((answer) => answer.names)),
    overlap: recurringIn(answers)[0]?.share ?? 0,
    offensive: listOffensive(names, yardstick).length,
    brands: listBrands(names, yardstick).length,
  }
}

export function echoOf(answers: readonly ReadAnswer[]): number {
  return echoRate(answers.map(({ said, names }) => ({ description: said, names })))
}

export function recurringIn(answers: readonly ReadAnswer[]): Recurring[] {
  return listRecurring(answers.map(({ said, names }) => ({ description: said, names })))
}

export function listOffensive(names: readonly ReadName[], { offensive }: Pick<Yardstick, 'offensive'>): string[] {
  return listHits(names, (named) => findOffensive(named, offensive))
}

export function listBrands(names: readonly ReadName[], { findBrand }: Pick<Yardstick, 'findBrand'>): string[] {
  return listHits(names, findBrand)
}

function listHits(names: readonly ReadName[], find: (named: Parted) => string | undefined): string[] {
  const hits = names.map((named) => ({ name: named.name, hit: find(named) }))
  return hits.filter(({ hit }) => hit !== undefined).map(({ name, hit }) => `${name} (${hit})`)
}
