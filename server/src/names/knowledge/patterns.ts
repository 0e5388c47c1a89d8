/**
 * The curated other halves of a name: second parts ("kin", "wick"), endings ("etta"), and which of them suit what a
 * description wants to do, its *intents*.
 *
 * Kept as short texts, read at start in under a millisecond. A line of intents: `name (what says so): second parts`.
 * A line of concepts: `name (phrases that say so ! words that deny it): aspects`.
 */
import type { Packed } from './packed.ts'

export interface Patterns {
  /** Second parts, best first. */
  readonly tails: readonly string[]
  readonly endings: readonly string[]
  readonly intents: readonly Intent[]
  /** A word → the places of the intents that it speaks for. */
  readonly intentsOf: ReadonlyMap<string, readonly number[]>
  readonly concepts: readonly Concept[]
  /** A word → the places of the concepts that it can speak for. */
  readonly conceptsOf: ReadonlyMap<string, readonly number[]>
  /** Function words by language, words that deny, words too empty to lead. */
  readonly functionWords: ReadonlyMap<string, ReadonlySet<string>>
  readonly negators: ReadonlyMap<string, ReadonlySet<string>>
  readonly carries: ReadonlySet<string>
  readonly joins: ReadonlySet<string>
  readonly undoes: ReadonlySet<string>
  /** Phrases that praise every project alike, each as its words. */
  readonly praises: readonly (readonly string[])[]
  readonly weak: ReadonlySet<string>
  /** Names that would stand in many answers, with the share of them. */
  readonly repeats: ReadonlyMap<string, number>
}

export interface Intent {
  readonly name: string
  readonly triggers: readonly string[]
  readonly tails: readonly string[]
}

export interface Concept {
  readonly name: string
  /** Each is a set of words; all of one set must be there. */
  readonly triggers: readonly (readonly string[])[]
  readonly denials: readonly string[]
  readonly aspects: readonly string[]
}

const ROW = /^([^(:]+?) \(([^)]*)\): (.+)$/

export function openPatterns(packed: Packed): Patterns {
  const lines = (name: string) => packed.text(name).split('\n').filter(Boolean)
  const words = (name: string) => new Set(packed.text(name).split(/\s+/).filter(Boolean))
  const byLanguage = (prefix: string) =>
    new Map(packed.list(prefix).map((name) => [name.slice(prefix.length), words(name)] as const))
  const intents = lines('intents').map(readIntent)
  const concepts = lines('concepts').map(readConcept)
  return {
    tails: [...words('tails')],
    endings: lines('endings').map((line) => line.split(' ')[0]!),
    intents,
    intentsOf: indexWords(intents.map(({ triggers }) => triggers)),
    concepts,
    conceptsOf: indexWords(concepts.map(({ triggers }) => triggers.flat())),
    functionWords: byLanguage('stop.'),
    negators: byLanguage('not.'),
    carries: words('carries'),
    joins: words('joins'),
    undoes: words('undoes'),
    praises: packed
      .text('praises')
      .split('/')
      .map((phrase) => phrase.split(' ')),
    weak: new Set(lines('weak')),
    repeats: new Map(lines('repeats').map(readRepeat)),
  }
}

function readRepeat(line: string): [string, number] {
  const [label = '', count] = line.split(' ')
  return [label, Number(count) / 10_000]
}

export function readIntent(line: string): Intent {
  const [, name = '', triggers = '', tails = ''] = ROW.exec(line) ?? []
  return { name, triggers: split(triggers), tails: split(tails) }
}

export function readConcept(line: string): Concept {
  const [, name = '', said = '', aspects = ''] = ROW.exec(line) ?? []
  const [triggers = '', denials = ''] = said.split('!')
  return {
    name,
    triggers: split(triggers).map((trigger) => trigger.split(' ')),
    denials: split(denials),
    aspects: split(aspects),
  }
}

/** A word → the places of the lists that have it. */
function indexWords(lists: readonly (readonly string[])[]): Map<string, number[]> {
  const index = new Map<string, number[]>()
  for (const [place, words] of lists.entries()) {
    for (const word of words) {
      const known = index.get(word)
      if (known === undefined) index.set(word, [place])
      else known.push(place)
    }
  }
  return index
}

function split(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}
