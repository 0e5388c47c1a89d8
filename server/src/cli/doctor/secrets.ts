/**
 * Removes secrets from all output of the doctor: every text passes through here last.
 *
 * Error messages of others may quote what was sent to them. So every secret of the configuration is searched for in
 * every text, as it is, as parts of a URL, and decoded.
 */
import { Secret } from '../../model/secret.ts'

// A shorter secret would match parts of ordinary words, and protects nothing.
const MIN_SECRET_LENGTH = 4

/** Returns a function that removes every secret of this value, at any depth, from a text. */
export function scrubberOf(value: unknown): (text: string) => string {
  const found = new Set<string>()
  collect(value, found)
  const longestFirst = [...found]
    .filter((text) => text.length >= MIN_SECRET_LENGTH)
    .toSorted((a, b) => b.length - a.length)
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
  // The location may be shown; the credentials may not.
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
