/**
 * Nothing secret leaves the doctor: whatever it says goes through here last.
 *
 * What others say in their errors may quote what they were told, so every secret of the configuration is looked for in every
 * text, as it stands, as the parts of an address, and decoded.
 */
import { Secret } from '../model/secret.ts'

// Shorter than this it would be found in every other word, and protects nothing.
const SHORTEST = 4

/** A function that takes every secret of this value, however deep, out of a text. */
export function scrubberOf(value: unknown): (text: string) => string {
  const found = new Set<string>()
  collect(value, found)
  const longestFirst = [...found].filter((text) => text.length >= SHORTEST).toSorted((a, b) => b.length - a.length)
  return (text) => longestFirst.reduce((left, secret) => left.replaceAll(secret, '[secret]'), text)
}

function collect(value: unknown, found: Set<string>): void {
  if (value instanceof Secret) return take(value.reveal(), found)
  if (typeof value !== 'object' || value === null) return
  for (const part of Object.values(value)) collect(part, found)
}

function take(text: string, found: Set<string>): void {
  const url = URL.parse(text)
  if (url === null || !text.includes('://')) {
    found.add(text)
    return
  }
  // Where it leads may be said; what opens it there may not.
  for (const part of [url.password, ...url.searchParams.values()]) {
    found.add(part)
    found.add(decoded(part))
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
