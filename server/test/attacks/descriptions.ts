/** Descriptions for the tests of what naming costs: ordinary ones, and ones that cost as much as they can. */
import { readData } from '../source.ts'

const ORDINARY = [
  'a bakery',
  'a bookshop',
  'payroll software',
  'a tracker for houseplants',
  'a choir',
  'a bicycle shop',
]
const PLACES = ['by the river', 'for families', 'with a garden', 'for small teams', 'in the mountains']

/** Two thousand characters of words that nobody has heard of, each written like a name. */
export function invented(seed: number): string {
  let state = seed + 1
  const one = (letters: string) => letters[(state = (state * 48_271) % 2_147_483_647) % letters.length] ?? ''
  const word = () => one('BDFGKLMNPRSTVZ') + one('aeiou') + one('bdfgklmnprstvz') + one('aeiou') + one('lmnrst')
  return Array.from({ length: 333 }, word).join(' ').padEnd(1_999, '.').slice(0, 2_000)
}

const PLAIN_WORDS = readData('plain-words.txt')
  .split('\n')
  .map((line) => line.split(' ')[0] ?? '')

/** Two thousand characters of plain words, which are about as many projects. */
export function wordy(seed: number): string {
  const word = (_: unknown, at: number) => PLAIN_WORDS[(seed * 331 + at * 17) % PLAIN_WORDS.length]
  return Array.from({ length: 400 }, word).join(' ').slice(0, 2_000)
}

export const ordinary = (at: number) =>
  `${ORDINARY[at % ORDINARY.length]} ${PLACES[Math.floor(at / ORDINARY.length) % PLACES.length]}`
