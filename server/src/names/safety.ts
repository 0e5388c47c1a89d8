/**
 * What no name may say: words that hurt, words that put people off, and names that belong to somebody.
 *
 * A word that hurts is refused wherever it stands; a milder one only as a whole part or where two parts meet
 * ("basement" is a fine word). A famous name is refused whole, and as a part unless it is a plain word too.
 */
import type { Objection } from '../model/name.ts'
import type { Packed } from './knowledge/packed.ts'

export interface Safety {
  /** May this word be a part of a name? */
  isClean(word: string): boolean
  /** May this be a whole name, made of these parts? */
  isNameable(label: string, parts: readonly string[]): boolean
  /** Why not. */
  objectionTo(label: string, parts: readonly string[]): Objection | undefined
}

export function openSafety(packed: Packed): Safety {
  const words = (name: string) => packed.text(name).split(/\s+/).filter(Boolean)
  const anywhere = words('safety.anywhere')
  const crossing = new Set([...anywhere, ...words('safety.crossing')])
  const longest = Math.max(...Array.from(crossing, ({ length }) => length))
  const asWord = new Set([...crossing, ...words('safety.words')])
  const brands = words('safety.brands')
  const famous = new Set(brands.map((brand) => brand.replace('=', '')))
  const famousParts = new Set(brands.filter((brand) => !brand.startsWith('=')))
  // Most letters around a seam are in no such word, and most beginnings begin none: nothing more is looked at.
  const around = tripleSet(crossing)
  const beginnings = new Set([...crossing].flatMap((word) => Array.from(word, (_, at) => word.slice(0, at + 1))))
  const hurts = new RegExp(anywhere.join('|'))
  const isListed = (word: string) => asWord.has(word) || famousParts.has(word)
  const isClean = (word: string) => !isListed(word) && !hurts.test(word)

  /** Something unwanted begins before the seam and ends after it. */
  function hides(label: string, seam: number): boolean {
    if (around[tripleAt(label, seam - 1)] === 0 && around[tripleAt(label, seam - 2)] === 0) return false
    for (let from = Math.max(0, seam - longest + 1); from < seam; from++) {
      for (let to = seam + 1; to <= label.length; to++) {
        const text = label.slice(from, to)
        if (!beginnings.has(text)) break
        if (crossing.has(text)) return true
      }
    }
    return false
  }

  function isNameable(label: string, parts: readonly string[]): boolean {
    if (famous.has(label) || !isClean(label)) return false
    let seam = 0
    for (const part of parts) {
      // What is inside a clean label holds nothing that hurts.
      const isPartClean = label.includes(part) ? !isListed(part) : isClean(part)
      if (!isPartClean || (seam > 0 && hides(label, seam))) return false
      seam += part.length
    }
    return true
  }

  function objectionTo(label: string, parts: readonly string[]): Objection | undefined {
    if (isNameable(label, parts)) return undefined
    return famous.has(label) || parts.some((part) => famousParts.has(part)) ? 'famous' : 'unsafe'
  }

  return { isClean, isNameable, objectionTo }
}

// a to z, and everything else.
const SIGNS = 27

/** 1 for any three letters that a word of at least two letters can have around a seam inside it. */
function tripleSet(words: Iterable<string>): Uint8Array {
  const set = new Uint8Array(SIGNS ** 3)
  for (const word of words) {
    for (let at = 0; at + 3 <= word.length; at++) set[tripleAt(word, at)] = 1
    if (word.length > 2) continue
    for (const letter of 'abcdefghijklmnopqrstuvwxyz-') {
      set[tripleAt(word + letter, 0)] = 1
      set[tripleAt(letter + word, 0)] = 1
    }
  }
  return set
}

function tripleAt(text: string, at: number): number {
  return (signAt(text, at) * SIGNS + signAt(text, at + 1)) * SIGNS + signAt(text, at + 2)
}

function signAt(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return code >= 0x61 && code <= 0x7a ? code - 0x60 : 0
}
