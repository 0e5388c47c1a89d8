/**
 * Names like those people register, any number of them, from nothing but their number: word pairs and triples, with
 * hyphens and digits, invented syllables, short letters, numbers, and IDNs. The i-th is the same on every machine and
 * is written straight into a buffer, so that making 370 million takes no memory. A few come out twice.
 */
import { readFileSync } from 'node:fs'
import { scramble } from '../server/src/availability/registered/hash.ts'

export interface NameMaker {
  /** Writes `<label>.<suffix>` at `at` and answers where it ends. */
  write(index: number, into: Buffer, at: number, isListed: boolean): number
}

const SYLLABLES = 'ba be bi bo da de do fa fi ga go ka ke ki ko la le li lo lu ma me mi mo na ne no pa ra re ri ro sa'
const HYPHEN = Buffer.from('-')
const IDN = Buffer.from('xn--')
const ZERO = 48
const LETTER_A = 97
// No listed name ends like this, so a name that does is certainly not in the index.
const UNLISTED = Buffer.from('-9q9x')

export function createNameMaker(suffix: string): NameMaker {
  const text = readFileSync(new URL('../server/test/internet/taken-words.txt', import.meta.url), 'utf8')
  const words = text.split('\n').filter((line) => /^[a-z]+$/.test(line))
  const parts = words.map((word) => Buffer.from(word))
  const syllables = SYLLABLES.split(' ').map((syllable) => Buffer.from(syllable))
  const tail = Buffer.from(`.${suffix}`)

  // In the closure and not per call: a name is made in a third of the time.
  let buffer: Buffer = Buffer.alloc(0)
  let at = 0
  let state = 0

  function draw(most: number): number {
    state = (state + 0x9e3779b9) | 0
    return (scramble(state ^ 0x5bd1e995) >>> 0) % most
  }
  function put(bytes: Buffer) {
    for (let from = 0; from < bytes.length; from++) buffer[at++] = bytes[from] as number
  }
  function putOneOf(list: readonly Buffer[]) {
    put(list[draw(list.length)] as Buffer)
  }
  /** `count` characters of the `size` that start at `first`. */
  function putAny(first: number, size: number, count: number) {
    for (let done = 0; done < count; done++) buffer[at++] = first + draw(size)
  }

  return {
    write(index, into, start, isListed) {
      buffer = into
      at = start
      state = index
      switch (scramble(index) & 15) {
        case 0:
        case 1:
          putOneOf(parts)
          put(HYPHEN)
          putOneOf(parts)
          putAny(ZERO, 10, 3)
          break
        case 2:
        case 3:
          putOneOf(parts)
          putOneOf(parts)
          putAny(ZERO, 10, 4)
          break
        case 4:
          putAny(LETTER_A, 26, 9)
          break
        case 5:
          putAny(ZERO, 10, 12)
          break
        case 6:
          put(IDN)
          putOneOf(parts)
          put(HYPHEN)
          putAny(LETTER_A, 26, 8)
          break
        case 7:
        case 8:
          for (let syllable = 0; syllable < 5; syllable++) putOneOf(syllables)
          putAny(LETTER_A, 26, 4)
          break
        default:
          for (let word = 0; word < 3; word++) putOneOf(parts)
      }
      if (!isListed) put(UNLISTED)
      put(tail)
      return at
    },
  }
}
