/**
 * Which names need the word of somebody who sells them: short ones, plain words, and all under a suffix that is not
 * known to have one price for every name. Most registries keep tiers, so it is the exceptions that are listed.
 */
import { readFile } from 'node:fs/promises'
import type { Domain } from '../model/domain.ts'
import type { Doubts } from './combine.ts'

// At four letters and below nearly everything that looks free is kept back by the registry or priced apart.
const SHORT = 4

export async function readDoubts(): Promise<(domain: Domain) => Doubts> {
  const read = (file: string) => readFile(new URL(`../../data/${file}`, import.meta.url), 'utf8')
  const [traitsText, lexicon] = await Promise.all([read('suffix-traits.json'), read('names/lexicon.txt')])
  const traits = JSON.parse(traitsText) as { rdap_lies: string[]; one_price: string[] }
  const lies = new Set(traits.rdap_lies)
  const onePrice = new Set(traits.one_price)
  // A line is a word and what is known of it.
  const words = new Set(lexicon.split('\n').map((line) => line.split(' ')[0] ?? ''))
  return (domain) => {
    const dot = domain.indexOf('.')
    const label = domain.slice(0, dot)
    const suffix = domain.slice(dot + 1)
    return {
      premiumProne: label.length <= SHORT || words.has(label) || !onePrice.has(suffix),
      rdapLies: lies.has(suffix),
    }
  }
}
