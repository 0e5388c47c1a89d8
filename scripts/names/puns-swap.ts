/**
 * One sound swapped: a key ("mint") put into a target ("placement") where the target already sounds almost like it.
 *
 * A span of the target's phonemes is taken at its beginning, at its end or on syllables; its *shapes* (itself, each vowel
 * or consonant left open, its first consonants left open) are looked up among the shapes of all keys; what meets differs by
 * one sound at most. The letters of the span then give way to the letters of the key.
 * It never judges meaning: that is for the reader.
 */
import { align, isAlike, isVowel, onsetOf, soundsOf, syllablesOf } from './sounds.ts'

export interface Target {
  /** As written, with spaces in a phrase. */
  readonly text: string
  /** 0 hardly known to 15 everybody's. */
  readonly familiar: number
}

export interface Pun {
  readonly name: string
  readonly target: string
  readonly key: string
  /** How much an ear and an eye notice: 0 is nothing. */
  readonly change: number
}

interface Key {
  readonly word: string
  readonly sounds: readonly string[]
}

export type KeyIndex = ReadonlyMap<string, readonly Key[]>

const OPEN_VOWEL = '*'
const OPEN_CONSONANT = '?'
const OPEN_ONSET = '^'
/** Vowels that hardly sound when unstressed, so that another in their place is not noticed. */
const WEAK = new Set(['AH', 'IH', 'ER', 'IY'])

export function indexKeys(words: Iterable<string>): KeyIndex {
  const index = new Map<string, Key[]>()
  for (const word of words) {
    const sounds = soundsOf(word)
    if (sounds === undefined) continue
    for (const shape of new Set(shapesOf(sounds))) {
      const keys = index.get(shape)
      if (keys === undefined) index.set(shape, [{ word, sounds }])
      else keys.push({ word, sounds })
    }
  }
  return index
}

/** Every pun that the keys make of a target, each name once, the least change of it. */
export function punsOn(target: Target, keys: KeyIndex): Pun[] {
  const sounds = soundsOf(target.text)
  if (sounds === undefined) return []
  const letters = target.text.replaceAll(' ', '')
  const cuts = align(letters, sounds)
  const best = new Map<string, Pun>()
  const words = boundariesOf(target.text)
  for (const [from, to] of spansOf(sounds)) {
    // In a phrase a key stands for whole words, or it tears two of them.
    if (words !== undefined && !(words.has(from) && words.has(to))) continue
    const span = sounds.slice(from, to)
    const rest = sounds.length - span.length
    for (const key of meeting(span, keys)) {
      const change = changeOf(key.sounds, span, rest)
      const old = letters.slice(cuts[from], cuts[to])
      const name = letters.slice(0, cuts[from]) + key.word + letters.slice(cuts[to])
      if (change === undefined || !isSeen(key.word, old, letters, name)) continue
      const inside = from > 0 && to < sounds.length ? 0.4 : 0
      const total = change + eyeOf(key.word, old) + seamOf(key.word, letters.slice(cuts[to])) + inside
      const known = best.get(name)
      if (known === undefined || known.change > total)
        best.set(name, { name, target: target.text, key: key.word, change: total })
    }
  }
  return [...best.values()]
}

/** Where the words of a phrase begin and end among its phonemes; undefined for a single word. */
function boundariesOf(text: string): Set<number> | undefined {
  if (!text.includes(' ')) return undefined
  let at = 0
  return new Set([0, ...text.split(' ').map((word) => (at += soundsOf(word)!.length))])
}

function spansOf(sounds: readonly string[]): [number, number][] {
  const starts = syllablesOf(sounds)
  const spans: [number, number][] = []
  for (let end = 2; end < sounds.length; end++) spans.push([0, end])
  // An s may end the syllable before as well: "place|ment", not only "pla|cement".
  const begins = starts.flatMap((start) => (sounds[start] === 'S' && start > 0 ? [start, start + 1] : [start]))
  for (const [at, start] of begins.entries()) {
    if (start === 0) continue
    spans.push([start, sounds.length])
    for (const end of begins.slice(at + 1)) if (end > start + 1) spans.push([start, end])
  }
  return spans
}

function* meeting(span: readonly string[], keys: KeyIndex): Iterable<Key> {
  const seen = new Set<Key>()
  for (const shape of shapesOf(span)) {
    for (const key of keys.get(shape) ?? []) {
      if (seen.has(key)) continue
      seen.add(key)
      yield key
    }
  }
}

function shapesOf(sounds: readonly string[]): string[] {
  const shapes = [sounds.join(' ')]
  for (const [at, phoneme] of sounds.entries())
    shapes.push(sounds.with(at, isVowel(phoneme) ? OPEN_VOWEL : OPEN_CONSONANT).join(' '))
  const onset = onsetOf(sounds)
  if (sounds.length - onset >= 2) shapes.push([OPEN_ONSET, ...sounds.slice(onset)].join(' '))
  return shapes
}

/** What the ear notices, or undefined where too little would be left of the target or of the key. */
function changeOf(key: readonly string[], span: readonly string[], rest: number): number | undefined {
  if (rest < 2) return undefined
  const at = key.findIndex((phoneme, place) => phoneme !== span[place])
  if (at < 0) return key.length === span.length ? 0 : undefined
  if (key.length < 3) return undefined
  if (rest < 3 && key.length < 4) return undefined
  if (key.length === span.length && key.slice(at + 1).every((phoneme, place) => phoneme === span[at + 1 + place])) {
    const [one, other] = [key[at]!, span[at]!]
    // Without a consonant behind it a changed vowel leaves nothing to know the key by.
    if (isVowel(one)) return (WEAK.has(other) ? 0.5 : 1) + (at === key.length - 1 ? 0.6 : 0)
    if (isAlike(one, other)) return 0.9
  }
  const [mine, theirs] = [onsetOf(key), onsetOf(span)]
  if (key.slice(mine).join(' ') !== span.slice(theirs).join(' ')) return undefined
  const shared = key.slice(0, mine).some((phoneme) => span.slice(0, theirs).includes(phoneme))
  if (shared) return 0.9
  return rest < 3 ? onsetOnly(key) : 1.3
}

/** Another beginning with little left behind it ("moneydew") is heard only when the key is long. */
function onsetOnly(key: readonly string[]): number | undefined {
  return key.length - onsetOf(key) >= 3 ? 1.5 : undefined
}

/** The eye's part: letters that come, go or change, for each letter of the key. */
function eyeOf(key: string, old: string): number {
  let kept = 0
  for (const letter of new Set(key)) if (old.includes(letter)) kept++
  return (0.6 * (new Set(key).size - kept)) / key.length + 0.1 * Math.abs(key.length - old.length)
}

/** A silent e before a vowel ("twiceter") is read aloud at first sight. */
function seamOf(key: string, after: string): number {
  return key.endsWith('e') && /^[aeiouy]/.test(after) ? 0.6 : 0
}

/** A change one can see, which is not the same stem written otherwise ("writ(e)er", "run(n)ing"). */
function isSeen(key: string, old: string, target: string, name: string): boolean {
  if (name === target || name.length < 5 || name.length > 12 || target.includes(key)) return false
  const stem = key.replace(/[ey]$/, '')
  return ![stem, `${stem}i`, `${stem}e`, `${stem}y`, key + key.at(-1)!].includes(old)
}
