/**
 * Text in any script → the words in it, each as written and in the one form our data is kept in.
 *
 * Scripts written without spaces come back as one long word; `understand.ts` looks for known words inside it.
 */
export interface Token {
  /** As the caller wrote it. */
  readonly text: string
  /** Lower case, without the accents of Latin, Greek and Cyrillic letters. */
  readonly folded: string
  /** Only a-z and 0-9 after folding: fit to be part of a label. */
  readonly latin: boolean
  readonly spaceless: boolean
  /** Tied to the word before it by a hyphen. */
  readonly tied: boolean
}

// Far beyond any description worth naming; keeps the cost of hostile input flat.
const MAX_TOKENS = 240
const MAX_WORD = 80
const HYPHEN = 0x2d

const UNFOLDED: readonly (readonly [string, string])[] = [
  ['ß', 'ss'],
  ['ø', 'o'],
  ['ł', 'l'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['ı', 'i'],
  ['đ', 'd'],
]

export function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  let start = -1
  for (let at = 0; at <= text.length && tokens.length < MAX_TOKENS; at++) {
    const inside = at < text.length && isWordCode(text.charCodeAt(at)) && (start < 0 || at - start < MAX_WORD)
    if (inside && start < 0) start = at
    if (!inside && start >= 0) {
      tokens.push(makeToken(text.slice(start, at), start > 1 && text.charCodeAt(start - 1) === HYPHEN))
      start = -1
    }
  }
  return tokens
}

/** A word reduced to what a label may hold; empty when nothing of it can be. */
export function labelLetters(text: string): string {
  return fold(text).replace(/[^a-z0-9]/g, '')
}

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

function makeToken(text: string, tied: boolean): Token {
  const folded = fold(text)
  const code = folded.charCodeAt(0)
  return { text, folded, latin: isLabelText(folded), spaceless: code >= 0x2e80 && code < 0xac00, tied }
}

function isWordCode(code: number): boolean {
  if (code < 0x80) return isLabelCode(code | 0x20) || (code >= 0x30 && code <= 0x39)
  if (code < 0xc0) return code === 0xaa || code === 0xb5 || code === 0xba
  // General punctuation to symbols, CJK punctuation, full-width punctuation, lone halves of astral characters.
  if (code >= 0x2000 && code < 0x2c00) return false
  if (code >= 0x3000 && code < 0x3005) return false
  if (code >= 0x3008 && code < 0x3020) return false
  if (code >= 0xd800 && code < 0xf900) return false
  if (code >= 0xff00 && code < 0xff10) return false
  return code !== 0xd7 && code !== 0xf7 && code !== 0x30fb && code !== 0x060c && code !== 0x061b && code !== 0x061f
}

function isLabelCode(code: number): boolean {
  return code >= 0x61 && code <= 0x7a
}

function isLabelText(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (!isLabelCode(code) && (code < 0x30 || code > 0x39)) return false
  }
  return text.length > 0
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x7f) return false
  return true
}
