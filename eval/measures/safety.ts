/**
 * Safety by lists that the engine does not use: words that offend in any of 28 languages, and brands people know.
 *
 * An offensive word counts as the whole label or as a whole part of four letters or more. A brand is the label of a
 * popular domain, four letters or more, that is no dictionary word; it counts as the whole label, and as a whole part
 * when it is among the best known, because far down the list every pleasant syllable is somebody's site.
 */
import { readFileSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import type { Dictionary } from '../dictionary.ts'
import { lettersOf } from '../words-of-name.ts'

export interface Parted {
  readonly name: string
  readonly parts: readonly string[]
}

const SHORTEST = 4
// The package keeps one list per language beside its package.json.
const LANGUAGE_FILE = /^[a-z]{2,3}(?:-[A-Za-z-]+)?\.json$/
const BEST_KNOWN = 5000

export function readOffensive(): Set<string> {
  const folder = dirname(createRequire(import.meta.url).resolve('naughty-words'))
  const words = readdirSync(folder)
    .filter((file) => LANGUAGE_FILE.test(file))
    .flatMap((file) => JSON.parse(readFileSync(`${folder}/${file}`, 'utf8')) as string[])
  // What is not written in Latin letters leaves nothing, or too little to go by.
  return new Set(words.filter((word) => !/[^\p{Script=Latin}\p{N}\p{P}\p{S}\p{M}\s]/u.test(word)).map(lettersOf))
}

export function findOffensive({ name, parts }: Parted, offensive: ReadonlySet<string>): string | undefined {
  return [name, ...parts].map(lettersOf).find((word) => word.length >= SHORTEST && offensive.has(word))
}

export function createBrandFinder(
  popular: ReadonlyMap<string, number>,
  dictionary: Dictionary,
): (named: Parted) => string | undefined {
  const isBrand = (word: string, worst: number) =>
    word.length >= SHORTEST && !dictionary.has(word) && (popular.get(word) ?? NaN) <= worst
  return ({ name, parts }) => {
    const label = lettersOf(name)
    return isBrand(label, Infinity) ? label : parts.map(lettersOf).find((part) => isBrand(part, BEST_KNOWN))
  }
}
