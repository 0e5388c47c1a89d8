/** A name as numbers about its form alone: how long, how it sounds, how it ends; nothing about what it means. */
import { meanOf } from '../statistics.ts'
import { lettersOf } from '../words-of-name.ts'
import { trainLetters } from './letter-model.ts'

const ENDINGS = 'a e i o y r n s t l d er ly ia io fy le el us al ra ta se in on en st ne te ck ll ry'.split(' ')

/** The neutral words tell how English a spelling looks; they are neither our names nor companies'. */
export function createFormReader(neutralWords: Iterable<string>): (name: string) => number[] {
  const words = [...neutralWords]
  const pairs = trainLetters(words, 2)
  const triples = trainLetters(words, 3)
  return (name) => {
    const letters = lettersOf(name)
    const tripleLogs = triples.logsOf(letters)
    return [
      letters.length,
      letters.length ** 2,
      name.trim().split(/\s+/).length,
      share(letters, /[aeiouy]/g),
      share(letters, /[jkqvwxz]/g),
      letters.match(/[aeiouy]+/g)?.length ?? 0,
      longest(letters, /[^aeiouy]+/g),
      longest(letters, /[aeiouy]+/g),
      /(.)\1/.test(letters) ? 1 : 0,
      /^[aeiou]/.test(letters) ? 1 : 0,
      /[aeiouy]$/.test(letters) ? 1 : 0,
      meanOf(pairs.logsOf(letters)),
      meanOf(tripleLogs),
      Math.min(...tripleLogs),
      ...ENDINGS.map((ending) => (letters.endsWith(ending) ? 1 : 0)),
    ]
  }
}

function share(text: string, pattern: RegExp): number {
  return (text.match(pattern)?.length ?? 0) / Math.max(text.length, 1)
}

function longest(text: string, pattern: RegExp): number {
  return Math.max(0, ...(text.match(pattern) ?? []).map((run) => run.length))
}
