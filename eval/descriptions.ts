/** Descriptions of our own writing: many kinds of projects and languages, parallel texts for parity, abstract ones. */
import { readFileSync } from 'node:fs'

export interface Described {
  readonly id: string
  readonly kind: string
  readonly language: string
  readonly text: string
  /** What the judge, who reads English, is given instead of the text. */
  readonly english?: string
}

/** One everyday description by language code, `en` among them, each as a native would write it. */
export interface Parallel {
  readonly id: string
  readonly texts: Readonly<Record<string, string>>
}

export function readDescriptions(): Described[] {
  return readLines<Described>('descriptions')
}

export function readAbstract(): Described[] {
  return readLines<Described>('abstract')
}

export function readParallel(): Parallel[] {
  return readLines<Parallel>('parallel')
}

function readLines<Line>(name: string): Line[] {
  return readFileSync(`${import.meta.dirname}/data/${name}.jsonl`, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line)
}
