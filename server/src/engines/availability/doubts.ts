/**
 * Decides which names need a registrar's confirmation: short names, dictionary words, and all names under a suffix
 * that is not known to have one price for every name. Most registries have price tiers, so the exceptions are listed.
 */
import { readData } from '../../data.ts'
import type { Domain } from '../../model/domain.ts'
import type { Doubts } from './combine.ts'

// At four letters and below, nearly every name that looks available is reserved by the registry or priced separately.
const SHORT = 4

export function readDoubts(): (domain: Domain) => Doubts {
  const traits = JSON.parse(readData('suffix-traits.json')) as { rdap_lies: string[]; one_price: string[] }
  const lies = new Set(traits.rdap_lies)
  const onePrice = new Set(traits.one_price)
  const lines = readData('plain-words.txt').split('\n')
  // A line is a word and its class.
  const words = new Set(lines.map((line) => line.split(' ')[0] ?? ''))
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
