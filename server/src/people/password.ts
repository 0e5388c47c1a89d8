/**
 * Passwords: argon2id as OWASP recommends it (19 MiB, two passes), and a refusal of the ones that are tried first.
 *
 * A list of the most used passwords has almost none of twelve characters or more; what is left of them are a word
 * everybody thinks of, dressed up with digits, and walks over the keyboard. So the dress is taken off before looking.
 */
import { readFileSync } from 'node:fs'
import { hash, verify } from '@node-rs/argon2'

export const PASSWORD_MIN = 12
export const PASSWORD_MAX = 128

// Argon2id is what the package takes unless told otherwise.
const ARGON2ID = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export const password = {
  hash: (text: string) => hash(text.normalize('NFC'), ARGON2ID),
  verify: ({ hash: stored, password: text }: { hash: string; password: string }) =>
    verify(stored, text.normalize('NFC')),
}

const STEMS = new Set(
  readFileSync(new URL('../../data/common-passwords.txt', import.meta.url), 'utf8')
    .replace(/^#.*$/gm, '')
    .split(/\s+/)
    .filter((stem) => stem !== ''),
)
const LEET: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
}

/** One of those that are tried first, or made of the person's own address. */
export function isWeak(text: string, email = ''): boolean {
  const lower = text.toLowerCase()
  if (text.length < PASSWORD_MIN || text.length > PASSWORD_MAX) return true
  if (new Set(lower).size < 5 || isWalk(lower)) return true
  const address = email.toLowerCase()
  const own = [address, address.split('@')[0] ?? ''].flatMap(bareOf).filter((word) => word.length > 3)
  return bareOf(lower).some((rest) => rest.length < 3 || own.includes(rest) || isMadeOf(rest, STEMS))
}

/** Without digits and signs: they are dropped, or stand for letters, or are a dress before and after. */
function bareOf(lower: string): string[] {
  const undressed = [/^[^\p{L}]+/u, /[^\p{L}]+$/u, /^[^\p{L}]+|[^\p{L}]+$/gu].map((dress) => lower.replace(dress, ''))
  const read = [lower, ...undressed].map((text) => text.replace(/[013457@$]/g, (sign) => LEET[sign] ?? ''))
  return [lower, ...read].map((text) => text.replace(/[^\p{L}]/gu, ''))
}

/** `passwordpassword` and `adminpassword` are no better than their parts. */
function isMadeOf(text: string, words: ReadonlySet<string>): boolean {
  const reached = new Set([0])
  for (const from of reached) {
    for (let end = from + 1; end <= text.length; end++) if (words.has(text.slice(from, end))) reached.add(end)
  }
  return reached.has(text.length)
}

/** Every step goes to the neighbour: 123456789012, abcdefghijkl, and the same backwards. */
function isWalk(text: string): boolean {
  const codes = Array.from(text, (character) => character.codePointAt(0) ?? 0)
  const steps = codes.slice(1).map((code, at) => code - (codes[at] ?? 0))
  const neighbours = steps.filter((step) => Math.abs(step) <= 1 || Math.abs(step) === 9).length
  return neighbours >= steps.length * 0.9
}
