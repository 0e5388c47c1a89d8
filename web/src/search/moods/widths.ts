/**
 * How wide a name is in ems, before its face has arrived: the size of a name must not depend on what has been loaded. The
 * factors were measured in Chromium over common names, and are the widest of each face.
 */
import type { Mood } from './mood.ts'

const NARROW = /[fijlrt .,'-]/
const BROAD = /[mwMW@]/
const CAPITAL = /\p{Lu}|\d/u

const FACTORS: Readonly<Record<Mood, number>> = {
  plain: 1.13,
  classic: 1.13,
  soft: 1.02,
  script: 1.02,
  code: 0.57,
  bold: 1.08,
  tall: 0.9,
  slim: 1.13,
  // Letters of other scripts are up to an em wide.
  system: 1.8,
}

export function emsOf(name: string, mood: Mood): number {
  // Every letter of a fixed-width face is as wide as the next.
  const widths = Array.from(name, (character) => (mood === 'code' ? 1 : widthOf(character)))
  const sum = widths.reduce((total, width) => total + width, 0)
  return Number((sum * FACTORS[mood]).toFixed(2))
}

function widthOf(character: string): number {
  if (NARROW.test(character)) return 0.38
  if (BROAD.test(character)) return 0.9
  return CAPITAL.test(character) ? 0.68 : 0.56
}
