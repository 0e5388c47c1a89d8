/**
 * Descriptions about different things, as many as wanted: those of the other measures are about ten subjects, and the
 * names of one are then half remembered from another.
 */
import { readFileSync } from 'node:fs'

const WORDS = readFileSync(new URL('../../server/test/internet/taken-words.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((word) => /^[a-z]{4,}$/.test(word))

/** The same for the same number. */
export function description(number: number): string {
  // Strides without a common divisor with the list, so that neighbours have no word in common.
  const word = (stride: number) => WORDS[(number * stride + stride) % WORDS.length] ?? ''
  return `A small shop for people who like ${word(1009)}, ${word(2003)} and a little ${word(3001)}`
}
