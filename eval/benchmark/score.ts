/**
 * `pnpm eval benchmark [FILE]`: what the marks of a blind reading of the benchmark's descriptions say.
 *
 * A list of names alone cannot be scored: a name that nobody has marked is neither good nor bad. So FILE has marks of its
 * own readers, in the form of `marked.jsonl`. Without FILE the reference is scored. Marks of one reader compare only
 * with each other.
 */
import { readFileSync } from 'node:fs'
import type { Share } from '../blind/marks.ts'
import { tellShares } from '../blind/marks.ts'

export interface MarkedName {
  readonly name: string
  readonly makers: readonly string[]
  /** By reader: 1 if the reader would consider registering it for this project. */
  readonly marks: Readonly<Record<string, 0 | 1>>
}

export interface MarkedDescription {
  readonly id: string
  readonly description: string
  readonly names: readonly MarkedName[]
}

/** The maker of names for other projects, which nobody should mark. */
export const CONTROL = 'control'
/** A language model that saw only the description and was plainly asked. */
const YARDSTICK = 'plain'
const REFERENCE = `${import.meta.dirname}/marked.jsonl`

export const readReference = (): MarkedDescription[] => linesOf(readFileSync(REFERENCE, 'utf8')).map(parseLine)

export function tellBenchmark(file: string | undefined): string {
  const reference = readReference()
  if (file === undefined) return tellScores(reference)
  const marked = linesOf(readFileSync(file, 'utf8')).map(parseLine)
  requireProtocol(marked, reference)
  return `${marked.length} of ${reference.length} descriptions\n\n${tellScores(marked)}`
}

/** Throws what breaks the protocol in such a way that the shares would mislead. */
export function requireProtocol(marked: readonly MarkedDescription[], reference: readonly MarkedDescription[]): void {
  const known = new Map(reference.map(({ id, description }) => [id, description]))
  const ids = marked.map(({ id }) => id)
  const twice = ids.find((id, i) => ids.indexOf(id) !== i)
  if (twice !== undefined) throw new Error(`${twice} is there twice`)
  for (const { id, description, names } of marked) {
    if (known.get(id) !== description) throw new Error(`${id} is not a description of the benchmark`)
    if (!names.some(({ makers }) => makers.includes(CONTROL))) throw new Error(`${id} has no control`)
    const [first, ...others] = names.map(({ marks }) => Object.keys(marks).toSorted().join(' '))
    if (first === undefined || !first.includes(' ')) throw new Error(`${id} has fewer than two readers`)
    if (others.some((readers) => readers !== first)) throw new Error(`${id} has names that a reader did not read`)
  }
}

export function tellScores(marked: readonly MarkedDescription[]): string {
  const readers = [...new Set(marked.flatMap(({ names }) => names.flatMap(({ marks }) => Object.keys(marks))))]
  return readers
    .toSorted()
    .map((reader) => tellShares(reader, sharesOfReader(marked, reader), YARDSTICK))
    .join('\n\n')
}

export function sharesOfReader(marked: readonly MarkedDescription[], reader: string): Share[] {
  const counts = new Map<string, { marked: number; all: number }>()
  for (const { makers, marks } of marked.flatMap(({ names }) => names)) {
    const mark = marks[reader]
    if (mark === undefined) continue
    for (const maker of makers) {
      const count = counts.get(maker) ?? { marked: 0, all: 0 }
      counts.set(maker, { marked: count.marked + mark, all: count.all + 1 })
    }
  }
  const shares = [...counts].map(([maker, count]) => ({ maker, ...count }))
  return shares.toSorted((a, b) => b.marked / b.all - a.marked / a.all)
}

export const linesOf = (text: string) => text.split('\n').filter((line) => line.trim() !== '')

export function parseLine(line: string): MarkedDescription {
  const { id, description, names } = JSON.parse(line) as Partial<Record<keyof MarkedDescription, unknown>>
  if (typeof id !== 'string' || typeof description !== 'string' || !Array.isArray(names) || !names.every(isMarkedName))
    throw new Error(`not a line of the benchmark: ${line.slice(0, 100)}`)
  return { id, description, names }
}

function isMarkedName(value: unknown): value is MarkedName {
  const { name, makers, marks } = (value ?? {}) as Partial<Record<keyof MarkedName, unknown>>
  return (
    typeof name === 'string' &&
    Array.isArray(makers) &&
    makers.every((maker) => typeof maker === 'string') &&
    typeof marks === 'object' &&
    marks !== null &&
    Object.values(marks).every((mark) => mark === 0 || mark === 1)
  )
}
