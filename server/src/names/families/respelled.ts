/** A plain word, spelled as it sounds: "kwick", "tumblr". Only when asked for: most people find them dated. */
import { isCoined } from '../knowledge/kinds.ts'
import type { Draft } from './draft.ts'

const CHANGES: readonly (readonly [RegExp, string])[] = [
  [/ck/, 'kk'],
  [/c(?=[aoulr])/, 'k'],
  [/ph/, 'f'],
  [/qu/, 'kw'],
  [/(?<=[^aeiou])er$/, 'r'],
  [/(?<=[aeiou])s(?=[aeiou])/, 'z'],
  [/i(?=[lnrst])/, 'y'],
  [/ks|cks/, 'x'],
  [/(?<=.)ee|ea/, 'i'],
]

export function* respelled(drafts: Iterable<Draft>): Iterable<Draft> {
  for (const draft of drafts) {
    if (draft.parts.length > 1 || isCoined(draft.kind)) continue
    for (const [pattern, letters] of CHANGES) {
      const label = draft.label.replace(pattern, letters)
      if (label === draft.label || label.length < 4) continue
      yield {
        ...draft,
        label,
        parts: [draft.label],
        family: 'respelled',
        kind: 'coined',
        style: 'respelling',
        written: -1,
        whole: label,
      }
    }
  }
}
