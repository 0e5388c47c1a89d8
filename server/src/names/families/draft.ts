/** A name as a family proposes it, before the ask's rules and the order of the answer. */
import type { Style } from '../../model/name.ts'
import type { Keyword } from '../keywords.ts'
import type { Part } from '../part.ts'

export interface Draft {
  readonly style: Style
  readonly parts: readonly string[]
  readonly label: string
  readonly keyword: Keyword
  readonly relevance: number
  readonly sound: number
  /** Where in the label two parts meet; 0 when nothing was joined. */
  readonly seam: number
  /** Two whole words side by side, so that a hyphen may stand between them. */
  readonly halves: Halves | undefined
}

export interface Halves {
  readonly first: Part
  readonly second: Part
}

/** One family's names, best first, made only when asked for; undefined when it has no more. */
export type Stream = () => Draft | undefined

export function joinHalves(halves: Halves, keyword: Keyword, relevance: number, sound: number): Draft {
  const [first, second] = [halves.first.text, halves.second.text]
  const label = first + second
  return { style: 'compound', parts: [first, second], label, keyword, relevance, sound, seam: first.length, halves }
}
