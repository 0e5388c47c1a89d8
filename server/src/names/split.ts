/** The words a name is made of, as far as the lexicon knows them: "paperdozer" → paper, dozer. */
import type { Part } from './part.ts'

const SHORTEST = 3

export function splitName(label: string, lexicon: ReadonlyMap<string, Part>): string[] {
  if (lexicon.has(label)) return [label]
  // The longest word it starts with that leaves another one; failing that, whatever half is known.
  for (let cut = label.length - SHORTEST; cut >= SHORTEST; cut--) {
    if (lexicon.has(label.slice(0, cut)) && lexicon.has(label.slice(cut)))
      return [label.slice(0, cut), label.slice(cut)]
  }
  for (let cut = label.length - 1; cut > SHORTEST; cut--) {
    if (lexicon.has(label.slice(0, cut))) return [label.slice(0, cut)]
  }
  for (let cut = 1; cut < label.length - SHORTEST; cut++) {
    if (lexicon.has(label.slice(cut))) return [label.slice(cut)]
  }
  return []
}
