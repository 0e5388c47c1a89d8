/**
 * Joins the lists of two replies while they are written: what both propose comes first, then the best of each in turn.
 *
 * Readers accepted names of two lists most often, the first names of a list more often than later ones, and single
 * words more often than phrases (`docs/decisions/0041-the-model-leads.md`).
 */
import type { NameProposal } from '../model/name.ts'

export interface Merge {
  add(list: number, proposal: NameProposal): void
  /** Best first. */
  list(): NameProposal[]
}

interface Entry {
  readonly proposal: NameProposal
  /** Its best place in a list. */
  place: number
  lists: number
}

// A phrase stands behind so many single words that came after it.
const PHRASE = 4

function rankOf({ proposal, place }: Entry): number {
  return place + (proposal.name.includes(' ') ? PHRASE : 0)
}

/** `onNew` receives each name once, as it arrives. */
export function createMerge(onNew: ((proposal: NameProposal) => void) | undefined): Merge {
  const entries = new Map<string, Entry>()
  const lengths: number[] = []
  return {
    add(list, proposal) {
      const place = lengths[list] ?? 0
      lengths[list] = place + 1
      const key = proposal.name.toLowerCase().replaceAll(' ', '')
      const known = entries.get(key)
      if (known) {
        known.place = Math.min(known.place, place)
        known.lists += 1
      } else {
        entries.set(key, { proposal, place, lists: 1 })
        onNew?.(proposal)
      }
    },
    list: () =>
      [...entries.values()]
        .toSorted((a, b) => b.lists - a.lists || rankOf(a) - rankOf(b))
        .map(({ proposal }) => proposal),
  }
}
