/** Text in any script → words, in the one form that the lists are kept in. */

// Far beyond any description worth naming; keeps the cost of hostile input flat.
const MAX_WORDS = 240

// Letters that have no form without their mark.
const UNFOLDED: readonly (readonly [string, string])[] = [
  ['ß', 'ss'],
  ['ø', 'o'],
  ['ł', 'l'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['ı', 'i'],
  ['đ', 'd'],
]

/** Lower case, without the accents of Latin, Greek and Cyrillic letters. */
export function fold(text: string): string {
  const lower = text.toLowerCase()
  if (isAscii(lower)) return lower
  let folded = lower
    .normalize('NFKD')
    .replace(/[\u0300-\u036f\u093c]/g, '')
    .replaceAll('\u0901', '\u0902')
    .normalize('NFC')
  for (const [from, to] of UNFOLDED) folded = folded.replaceAll(from, to)
  return folded
}

export function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x7f) return false
  return true
}

/** As they were written; a script without spaces gives words of up to eighty letters. */
export function wordsOf(text: string): string[] {
  const words = isAscii(text) ? /[a-z0-9]{1,80}/gi : /[\p{L}\p{M}\p{N}]{1,80}/gu
  return (text.match(words) ?? []).slice(0, MAX_WORDS)
}

export function foldedWords(text: string): string[] {
  return wordsOf(fold(text))
}

/** What a label may hold of a text; empty when that is nothing. */
export function labelLetters(text: string): string {
  return fold(text).replace(/[^a-z0-9]/g, '')
}

const ENDINGS: readonly (readonly [string, string])[] = [
  ['ies', 'y'],
  ['sses', 'ss'],
  ['ing', ''],
  ['ers', 'er'],
  ['ed', ''],
  ['s', ''],
]
const MIN_STEM = 3

// Most words end otherwise, and the lists have half a million of them.
const LAST_LETTERS: ReadonlySet<number> = new Set(ENDINGS.map(([ending]) => ending.charCodeAt(ending.length - 1)))

/** An English word without its ending. */
export function stemOf(word: string): string {
  if (!LAST_LETTERS.has(word.charCodeAt(word.length - 1))) return word
  for (const [ending, instead] of ENDINGS) {
    if (word.endsWith(ending) && word.length - ending.length >= MIN_STEM) return word.slice(0, -ending.length) + instead
  }
  return word
}

/** "wrens" → "wren". */
export function singular(word: string): string {
  return word.length > 3 && /[^s]s$/.test(word) ? word.slice(0, -1) : word
}

/** Whether words are not spaced in its script. */
export function isSpaceless(word: string): boolean {
  const code = word.charCodeAt(0)
  return (code >= 0x2e80 && code < 0xac00) || (code >= 0x0e00 && code < 0x0e80)
}

export function capitalise(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

/** FNV-1a with a last mixing: the same number on every machine. */
export function hashOf(text: string, salt = 0, from = 0, to = text.length): number {
  let hash = (0x811c9dc5 ^ salt) >>> 0
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** 0 to 1, by chance, and always the same for the same text and salt. */
export function shareOf(text: string, salt: number): number {
  return hashOf(text, salt) / 2 ** 32
}
