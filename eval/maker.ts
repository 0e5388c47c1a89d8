/** Whoever makes names (the engine, a baseline, the founders), with the names in the form that the measures read. */
import type { Answer } from './answers.ts'
import type { Judged } from './measures/relevance.ts'
import type { Named } from './words-of-name.ts'

export interface ReadName {
  readonly name: string
  /** The words a reader sees. */
  readonly words: readonly string[]
  /** The words it was made of: what is seen, and what a blend hides. */
  readonly parts: readonly string[]
  /** The ways the judge reads it. */
  readonly readings: readonly string[]
  /** The family it comes from; only the engine has families. */
  readonly style?: string
}

export interface ReadAnswer {
  /** In English, for the judge. */
  readonly description: string
  /** As the maker was given it, and in English: a word of either is an echo. */
  readonly said: string
  readonly names: readonly ReadName[]
}

export type NameReader = (named: Named & { readonly style?: string }) => ReadName

export function createNameReader(wordsOf: (named: Named) => readonly string[]): NameReader {
  return (named) => {
    const words = wordsOf(named)
    const apart = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ')
    return {
      name: named.name,
      words,
      parts: [...new Set([...words, ...(named.parts ?? [])])],
      readings: [...new Set([named.name, apart])],
      ...(named.style === undefined ? {} : { style: named.style }),
    }
  }
}

export function readAnswer(read: NameReader, { description, names }: Answer, english = description): ReadAnswer {
  return {
    description: english,
    said: english === description ? description : `${description} ${english}`,
    names: names.map(({ name, origin }) => read({ name, parts: origin.parts, style: origin.style })),
  }
}

export function toJudged({ description, names }: ReadAnswer): Judged {
  return { description, names: names.map(({ readings }) => readings) }
}

/** Everything the judge must have read before it can compare. */
export function textsOf(answers: readonly ReadAnswer[]): string[] {
  return answers.flatMap(({ description, names }) => [description, ...names.flatMap(({ readings }) => readings)])
}
