/**
 * Which three letters in a row tell languages of one script, Latin or Cyrillic, apart: counts them in the function words and lists of
 * each, and writes the `letters` lines of data/languages.txt. Run it after a language's lists have changed much.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { linesOf } from './src/english.ts'
import { trigramsOf } from './src/detect.ts'
import { wordsOf } from './src/text.ts'

const KEPT = 600
const DATA = new URL('data/', import.meta.url)
const read = (file: string) => readFileSync(new URL(file, DATA), 'utf8')
// A function word counts as much as three of the lists.
const FUNCTION_WORD = 3
const RARE = 0.00002
const MIN_WEIGHT = 0.3

const kept = read('languages.txt')
  .split('\n')
  .filter((line) => !/^\w\w letters: /.test(line))
const stops = kept.flatMap((line) => {
  const [, language = '', words = ''] = /^(\w\w) stop: (.+)$/.exec(line) ?? []
  return /^[a-zа-яіїєґ]/.test(words) && language !== '' ? [{ language, words }] : []
})
const shares = new Map(stops.map(({ language, words }) => [language, sharesOf(language, words)]))
const lines = [...shares].map(([language, own]) => {
  const telling = [...own]
    .map(([trigram, share]) => {
      const mean = shares.values().reduce((sum, other) => sum + (other.get(trigram) ?? 0), 0) / shares.size
      return { trigram, share, weight: Math.log((share + RARE) / (mean + RARE)) }
    })
    .filter(({ weight }) => weight > MIN_WEIGHT)
    .toSorted((a, b) => b.weight * b.share - a.weight * a.share)
    .slice(0, KEPT)
  return `${language} letters: ${telling.map(({ trigram, weight }) => trigram + Math.min(9, Math.max(1, Math.round(3 * weight)))).join(' ')}`
})
writeFileSync(new URL('languages.txt', DATA), [...kept.filter(Boolean), ...lines, ''].join('\n'))

function sharesOf(language: string, functionWords: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  let sum = 0
  const add = (text: string, times: number) => {
    for (const trigram of wordsOf(text.toLowerCase()).flatMap(trigramsOf)) {
      counts.set(trigram, (counts.get(trigram) ?? 0) + times)
      sum += times
    }
  }
  add(functionWords, FUNCTION_WORD)
  for (const text of listsOf(language)) add(text, 1)
  return new Map([...counts].map(([trigram, count]) => [trigram, count / sum]))
}

function listsOf(language: string): string[] {
  if (language === 'en') return linesOf(read('fields.txt')).map((line) => line.split(' | ')[0] ?? '')
  const [lists = '', ...fields] = read(`languages/${language}.txt`).split('\nFIELD ')
  const words = linesOf(lists.split('\nNAMES\n')[0] ?? '').map((line) => line.slice(line.indexOf(': ') + 2))
  return [...words, ...fields.map((block) => /^words: (.+)$/m.exec(block)?.[1] ?? '')]
}
