/**
 * Overlap: what turns up in answers to descriptions that have nothing to do with each other.
 *
 * Counted are whole names and word parts of three letters or more, each once per answer. A part that the description
 * itself says is not counted for it: that is an echo, and has a figure of its own.
 */
import { lettersOf } from '../words-of-name.ts'
import { stemOf } from '../stems.ts'
import { stemsOf } from './echo.ts'

export interface Recurring {
  readonly text: string
  readonly what: 'name' | 'part'
  /** In which share of the answers it stands. */
  readonly share: number
}

export interface AnswerParts {
  readonly description: string
  readonly names: readonly { readonly name: string; readonly parts: readonly string[] }[]
}

const SHORTEST = 3

/** Most frequent first. */
export function listRecurring(answers: readonly AnswerParts[]): Recurring[] {
  const names = new Map<string, number>()
  const parts = new Map<string, number>()
  for (const { description, names: given } of answers) {
    const said = new Set(stemsOf(description))
    const own = given.flatMap((named) => named.parts.map(lettersOf))
    add(names, new Set(given.map(({ name }) => lettersOf(name))))
    add(parts, new Set(own.filter((part) => part.length >= SHORTEST && !said.has(stemOf(part)))))
  }
  return [...listShares(names, 'name', answers.length), ...listShares(parts, 'part', answers.length)].toSorted(
    (a, b) => b.share - a.share,
  )
}

function add(counts: Map<string, number>, texts: ReadonlySet<string>): void {
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
}

function listShares(counts: ReadonlyMap<string, number>, what: Recurring['what'], answers: number): Recurring[] {
  return [...counts].filter(([, count]) => count > 1).map(([text, count]) => ({ text, what, share: count / answers }))
}
