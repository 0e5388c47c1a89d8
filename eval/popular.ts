/** The labels of well-known domains, most popular first: what is certainly taken, and what people know as a brand. */
import { existsSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'

export const POPULAR_FILE = `${import.meta.dirname}/../../shared/data/popular-domains.txt.gz`

// Second levels that many countries sell names under.
const SHARED_SECOND = new Set('ac co com edu gob go gov gouv gv mil ne net nic nom or org'.split(' '))

/** Label → rank from 1; empty when the list is not there. */
export function readPopular(path = POPULAR_FILE): Map<string, number> {
  if (!existsSync(path)) return new Map()
  const ranks = new Map<string, number>()
  for (const [at, domain] of gunzipSync(readFileSync(path)).toString('utf8').split('\n').entries()) {
    const label = labelOf(domain.trim())
    if (label !== '' && !ranks.has(label)) ranks.set(label, at + 1)
  }
  return ranks
}

/** "google" of "google.co.in". */
export function labelOf(domain: string): string {
  const parts = domain.split('.')
  const isShared = parts.length > 2 && (parts.at(-1) ?? '').length === 2 && SHARED_SECOND.has(parts.at(-2) ?? '')
  return parts.at(isShared ? -3 : -2) ?? ''
}
