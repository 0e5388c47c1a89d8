/** How playful names are, as the styles that they have: a scale over what can be asked for anyway. Pure. */
import { STYLES } from '../asked.ts'
import type { Style } from '../asked.ts'

/** In the middle are all of them, which is the same as none chosen. */
const STEPS: readonly (readonly Style[])[] = [
  ['real_word', 'compound'],
  ['real_word', 'compound', 'affix', 'foreign'],
  [],
  ['blend', 'affix', 'short_phrase', 'invented'],
  ['blend', 'respelling', 'invented', 'domain_hack'],
]

export const PLAYFUL_STEPS = ['names.play1', 'names.play2', 'names.play3', 'names.play4', 'names.play5'] as const

export const stylesAt = (step: number): readonly Style[] => STEPS[step] ?? []

/** Undefined for a choice of one's own. */
export function stepOf(chosen: readonly string[]): number | undefined {
  const has = (styles: readonly Style[]) => STYLES.every((style) => styles.includes(style) === chosen.includes(style))
  const found = STEPS.findIndex(has)
  return found < 0 ? undefined : found
}
