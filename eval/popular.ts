/** The labels of well-known domains: names that are certainly taken. */
import { readFileSync } from 'node:fs'

// Second levels that many countries sell names under.
const SHARED_SECOND = new Set('ac co com edu gob go gov gouv gv mil ne net nic nom or org'.split(' '))

/** From a file with one domain a line. */
export function readPopular(path: string): Set<string> {
  const labels = readFileSync(path, 'utf8')
    .split('\n')
    .map((domain) => labelOf(domain.trim()))
  return new Set(labels.filter((label) => label !== ''))
}

/** "google" of "google.co.in". */
export function labelOf(domain: string): string {
  const parts = domain.split('.')
  const isShared = parts.length > 2 && (parts.at(-1) ?? '').length === 2 && SHARED_SECOND.has(parts.at(-2) ?? '')
  return parts.at(isShared ? -3 : -2) ?? ''
}
