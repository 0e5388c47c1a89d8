/**
 * Passwords: argon2id with the parameters OWASP recommends (19 MiB, two passes), and a check that refuses passwords
 * that attackers try first.
 *
 * A list of the most used passwords has almost none of twelve characters or more. The rest are common words padded with
 * digits, and keyboard sequences. So the check removes the padding before it compares.
 */
import { hash, verify } from '@node-rs/argon2'
import { readData } from '../../data.ts'

export const PASSWORD_MIN = 12
export const PASSWORD_MAX = 128

// Argon2id is the package's default.
const ARGON2ID = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export const password = {
  hash: (text: string) => hash(text.normalize('NFC'), ARGON2ID),
  verify: ({ hash: stored, password: text }: { hash: string; password: string }) =>
    verify(stored, text.normalize('NFC')),
}

const STEMS = new Set(
  readData('common-passwords.txt')
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

/** The rule that a refused password breaks. */
export type Weakness = 'too_short' | 'too_long' | 'too_regular' | 'few_letters' | 'own_address' | 'too_common'

/** For API clients; the pages and the app translate it for the person. */
export const WEAKNESSES: Readonly<Record<Weakness, string>> = {
  too_short: `The password has fewer than ${PASSWORD_MIN} characters.`,
  too_long: `The password has more than ${PASSWORD_MAX} characters.`,
  too_regular: 'The password is too repetitive or follows a sequence.',
  few_letters: 'The password has fewer than three letters.',
  own_address: 'The password contains the email address.',
  too_common: 'The password is common, or a combination of common passwords.',
}

export function isWeakness(value: unknown): value is Weakness {
  return typeof value === 'string' && Object.hasOwn(WEAKNESSES, value)
}

/** True for a common password, or one made of the person's own address. */
export function isWeak(text: string, email = ''): boolean {
  return findWeakness(text, email) !== undefined
}

/** The first rule that it breaks. */
export function findWeakness(text: string, email = ''): Weakness | undefined {
  const lower = text.toLowerCase()
  if (text.length < PASSWORD_MIN) return 'too_short'
  if (text.length > PASSWORD_MAX) return 'too_long'
  if (new Set(lower).size < 5 || isWalk(lower)) return 'too_regular'
  const bare = bareOf(lower)
  if (bare.some((rest) => rest.length < 3)) return 'few_letters'
  const address = email.toLowerCase()
  const own = [address, address.split('@')[0] ?? ''].flatMap(bareOf).filter((word) => word.length > 3)
  if (bare.some((rest) => own.includes(rest))) return 'own_address'
  return bare.some((rest) => isMadeOf(rest, STEMS)) ? 'too_common' : undefined
}

/** Removes digits and symbols: dropped, replaced by the letters they stand for, or stripped at both ends. */
function bareOf(lower: string): string[] {
  const undressed = [/^[^\p{L}]+/u, /[^\p{L}]+$/u, /^[^\p{L}]+|[^\p{L}]+$/gu].map((dress) => lower.replace(dress, ''))
  const read = [lower, ...undressed].map((text) => text.replace(/[013457@$]/g, (sign) => LEET[sign] ?? ''))
  return [lower, ...read].map((text) => text.replace(/[^\p{L}]/gu, ''))
}

/** `passwordpassword` and `adminpassword` are as weak as their parts. */
function isMadeOf(text: string, words: ReadonlySet<string>): boolean {
  const reached = new Set([0])
  for (const from of reached) {
    for (let end = from + 1; end <= text.length; end++) if (words.has(text.slice(from, end))) reached.add(end)
  }
  return reached.has(text.length)
}

/** Each character is the neighbour of the previous one: 123456789012, abcdefghijkl, and the same backwards. */
function isWalk(text: string): boolean {
  const codes = Array.from(text, (character) => character.codePointAt(0) ?? 0)
  const steps = codes.slice(1).map((code, at) => code - (codes[at] ?? 0))
  const neighbours = steps.filter((step) => Math.abs(step) <= 1 || Math.abs(step) === 9).length
  return neighbours >= steps.length * 0.9
}
