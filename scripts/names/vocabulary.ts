/**
 * Makes `vocabulary.txt`, `vectors.i8` and `sentence-map.f32` in `server/data/names/`: every word the naming knows, how common it is,
 * what it can be, and where it stands in meaning.
 *
 *   node scripts/names/vocabulary.ts --model FOLDER --descriptions FILE
 *
 * The three files are committed, so the build needs neither the model nor the word lists, and every machine names
 * alike. Run it again after many new words were written; until then a new word has no vector and counts as unknown.
 *
 * The model is a sentence model. Run on a description it would be a large dependency and differ in its last digits
 * between processors. Instead each word is embedded once, here, and a matrix is learned that turns the weighted mean of a
 * description's words into what the model says of the whole description (docs/decisions/0017).
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { wordWeight } from '../../server/src/names/vectors.ts'
import { openMiniLm } from './minilm.ts'
import { leastSquares, mainDirections, project, unit } from './reduce.ts'
import { FOLDER, readAspects, readLines, wordsIn } from './sources.ts'
import { classesOf, frequencies } from './word-lists.ts'

const SIZE = 128
const SCALE = 256
const BATCH = 128
const RIDGE = 3

const { values } = parseArgs({ options: { model: { type: 'string' }, descriptions: { type: 'string' } } })
if (values.model === undefined || values.descriptions === undefined) {
  throw new Error('usage: node scripts/names/vocabulary.ts --model FOLDER --descriptions FILE (one a line)')
}
const descriptions = readFileSync(values.descriptions, 'utf8').split('\n').filter(Boolean)
const model = await openMiniLm(values.model)
const counts = frequencies()
const words = listWords()
console.log(`${words.length} words`)
const raw = await embedAll(words)
const centre = mean(raw)
const centred = raw.map((row) => unit(row.map((x, at) => x - centre[at]!)))
const basis = mainDirections(centred, model.size, SIZE)
const vectors = centred.map((row) => project(basis, row))

const places = new Map(words.map((word, at) => [word, at]))
const sentences = await embedAll(descriptions)
const middle = mean(sentences)
const target = sentences.map((row) => project(basis, unit(row.map((x, at) => x - middle[at]!))))
const plain = descriptions.map((text) => unit(weightedMean(text)))
const map = leastSquares(plain, target, RIDGE)

writeFileSync(
  new URL('vocabulary.txt', FOLDER),
  words.map((word) => `${word} ${commonness(word)}${classesOf(word)}\n`).join(''),
)
writeFileSync(new URL('vectors.i8', FOLDER), Int8Array.from(vectors.flatMap((row) => [...row].map(toByte))))
writeFileSync(
  new URL('sentence-map.f32', FOLDER),
  Buffer.from(Float32Array.from(map.flatMap((row) => [...row])).buffer),
)

function listWords(): string[] {
  const { aspects } = readAspects(FOLDER)
  const found = new Set<string>()
  const add = (text: string) => {
    for (const word of text.split(/[^a-z]+/)) if (word.length > 1 && word.length < 20) found.add(word)
  }
  for (const { head, aliases, entries } of aspects) {
    add(head)
    for (const alias of aliases) add(alias)
    for (const { text, kind, image } of entries) {
      // A word that a namer made up means what it was made of.
      const isWhole = (kind === 'c' || kind === 'k') && !/[ +]/.test(text)
      if (!isWhole) for (const word of wordsIn(text)) add(word)
      add(image)
    }
  }
  for (const { text } of readLines(FOLDER, '../plain-words.txt')) add(text.split(' ')[0]!)
  for (const text of descriptions)
    for (const word of text.toLowerCase().split(/[^a-z]+/)) if (counts.has(word)) add(word)
  return [...found].toSorted()
}

/** 0 (never seen in speech) to 15, a step for each doubling. */
function commonness(word: string): number {
  return Math.min(15, Math.floor(Math.log2((counts.get(word) ?? 0) + 1)))
}

/** With the engine's own weights. */
function weightedMean(text: string): Float32Array {
  const sum = new Float32Array(SIZE)
  for (const word of text.toLowerCase().split(/[^a-z]+/)) {
    const at = places.get(word)
    if (at === undefined) continue
    const weight = wordWeight(commonness(word))
    for (let place = 0; place < SIZE; place++) sum[place]! += weight * vectors[at]![place]!
  }
  return sum
}

async function embedAll(texts: readonly string[]): Promise<Float32Array[]> {
  const rows: Float32Array[] = []
  for (let at = 0; at < texts.length; at += BATCH) rows.push(...(await model.embed(texts.slice(at, at + BATCH))))
  return rows
}

function mean(rows: readonly Float32Array[]): Float32Array {
  const sum = new Float32Array(model.size)
  for (const row of rows) for (let at = 0; at < sum.length; at++) sum[at]! += row[at]! / rows.length
  return sum
}

function toByte(x: number): number {
  return Math.max(-127, Math.min(127, Math.round(x * SCALE)))
}
