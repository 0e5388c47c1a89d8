/**
 * Finds puns for the aspects by their sound: "placemint" for mint, "sirenade" for siren. A tool for those who write the knowledge.
 *
 *   node scripts/names/puns.ts > candidates.txt
 *
 * Prints one aspect a line, at most twelve candidates each, the least changed and most familiar first:
 *
 *   herb: placemint=placement + mint, …
 *
 * Most candidates are noise; read them, and write into `aspects/` only what works at first sight.
 */
import { readFileSync } from 'node:fs'
import { dictionary } from 'cmu-pronouncing-dictionary'
import { indexKeys, punsOn, type Pun, type Target } from './puns-swap.ts'
import { FOLDER, readAspects, readLines, wordsIn, type Aspect } from './sources.ts'

const PER_ASPECT = 12
const PER_KEY = 5
/** A name is offered to the few aspects its key means most to. */
const ASPECTS_PER_NAME = 3
const KEY_KINDS = new Set(['w', 'o', 'n', 'p', 'r', 'v', 's', 'i'])

interface Word {
  readonly common: number
  readonly classes: string
}

const lines = (file: string) => readLines(FOLDER, file).map(({ text }) => text)
const vocabulary = new Map(
  lines('vocabulary.txt').map((line): [string, Word] => {
    const [word = '', rest = ''] = line.split(' ')
    return [word, { common: Number.parseInt(rest, 10), classes: rest.replaceAll(/\d/g, '') }]
  }),
)
const refused = new Set([...lines('unpleasant.txt'), ...lines('weak.txt')])
const brands = new Set(lines('brands.txt').map((line) => line.replace('=', '').trim()))
const anywhere = (JSON.parse(readFileSync(new URL('offensive.json', FOLDER), 'utf8')) as { anywhere: string }).anywhere
const offensive = anywhere.split(' ')

const { aspects } = readAspects(FOLDER)
const written = new Set(aspects.flatMap(({ entries }) => entries.map(({ text }) => text.replaceAll(/[ +]/g, ''))))
const keysOf = new Map(aspects.map((aspect) => [aspect, listKeys(aspect)]))
const index = indexKeys(new Set([...keysOf.values()].flatMap((keys) => [...keys.keys()])))
const byKey = new Map<string, { pun: Pun; rank: number }[]>()
for (const target of listTargets()) {
  for (const pun of punsOn(target, index)) {
    if (isTaken(pun.name)) continue
    const found = byKey.get(pun.key) ?? []
    found.push({ pun, rank: pun.change - target.familiar * 0.06 })
    byKey.set(pun.key, found)
  }
}

const offers = [...keysOf].flatMap(([aspect, keys]) =>
  [...keys].flatMap(([key, distance]) =>
    (byKey.get(key) ?? [])
      .toSorted((a, b) => a.rank - b.rank)
      .slice(0, PER_KEY * 2)
      .map(({ pun, rank }) => ({ aspect, pun, distance, rank: rank + distance })),
  ),
)
const chosen = new Map<Aspect, Pun[]>()
const used = new Map<string, number>()
for (const { aspect, pun } of offers.toSorted((a, b) => a.rank - b.rank)) {
  const mine = chosen.get(aspect) ?? []
  const times = used.get(pun.name) ?? 0
  const ofKey = mine.filter(({ key }) => key === pun.key).length
  if (mine.length >= PER_ASPECT || times >= ASPECTS_PER_NAME || ofKey >= PER_KEY) continue
  if (mine.some(({ name }) => name === pun.name)) continue
  chosen.set(aspect, [...mine, pun])
  used.set(pun.name, times + 1)
}
for (const [aspect, puns] of [...chosen].toSorted(([a], [b]) => (a.head < b.head ? -1 : 1)))
  console.log(`${aspect.head}: ${puns.map(({ name, target, key }) => `${name}=${target} + ${key}`).join(', ')}`)

/** Short common words of an aspect, each with how far it is from the aspect: 0 its head, more down its line. */
function listKeys({ head, aliases, entries }: Aspect): Map<string, number> {
  const keys = new Map<string, number>()
  const add = (word: string, distance: number) => {
    const { common = 0, classes = '' } = vocabulary.get(word) ?? {}
    if (word.length < 3 || word.length > 7 || common < 3 || classes === '' || refused.has(word)) return
    // A thing in the name is seen; a deed or a quality hardly.
    if (!keys.has(word)) keys.set(word, distance + (/^[cpn]/.test(classes) ? 0 : 0.3))
  }
  for (const word of wordsIn(head)) add(word, 0)
  for (const word of aliases.flatMap(wordsIn)) add(word, 0.15)
  for (const [at, { text, kind }] of entries.entries()) {
    const words = wordsIn(text)
    const distance = 0.25 + Math.min(at, 30) * 0.01
    if (words.length === 1 && KEY_KINDS.has(kind)) add(text, distance)
    else if (kind === 'c' && words.length === 2) add(words[0]!, distance)
  }
  return keys
}

function listTargets(): Target[] {
  const words = lines('lexicon.txt').map((line) => line.split(' ')[0]!)
  const plain = words.flatMap((text): Target[] => {
    const familiar = vocabulary.get(text)?.common ?? 0
    return text.length < 5 || text.length > 12 || familiar < 2 || refused.has(text) ? [] : [{ text, familiar }]
  })
  const phrases = aspects
    .flatMap(({ entries }) => entries)
    .filter(({ text, kind }) => kind === 'i' && text.includes(' ') && text.length <= 13 && !text.includes(' and '))
    .filter(({ text }) => wordsIn(text).every((word) => (vocabulary.get(word)?.common ?? 0) >= 3 && !refused.has(word)))
  return [...plain, ...[...new Set(phrases.map(({ text }) => text))].map((text) => ({ text, familiar: 3 }))]
}

function isTaken(name: string): boolean {
  if (dictionary[name] !== undefined || brands.has(name) || written.has(name)) return true
  return (vocabulary.get(name)?.common ?? 0) > 0 || offensive.some((part) => name.includes(part))
}
