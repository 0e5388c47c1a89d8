/**
 * Aspects: what people mention in a description, each with the words a good namer would reach for.
 *
 * `all` keeps the written order, best first. `firsts` and `heads` are the few of them that can open a compound or
 * carry one; sorting them out here keeps the request free of it. What many aspects reach for (hearth, handshake)
 * stands further back, because a word that turns up in every answer names nothing.
 */
import type { Part } from './part.ts'
import { makePart } from './part.ts'
import { splitName } from './split.ts'
import { fold } from './tokens.ts'

export interface Aspect {
  readonly head: string
  readonly all: readonly Part[]
  readonly firsts: readonly Part[]
  readonly heads: readonly Part[]
}

// Places an association loses for each doubling of the number of aspects that share it.
const COMMON_COST = 2.5
const FIRST_LETTERS = { min: 3, best: 5, max: 6 }
const HEAD_LETTERS = { min: 3, best: 6, max: 7 }

export function readAspects(
  rows: readonly (readonly [string, string])[],
  lexicon: ReadonlyMap<string, Part>,
): Aspect[] {
  const parts = new Map<string, Part>()
  const sharers = new Map<string, number>()
  const lists = rows.map(([head, text]) => {
    const all = text.split(', ').map((phrase) => partOf(phrase, parts, lexicon))
    for (const { text: label } of all) sharers.set(label, (sharers.get(label) ?? 0) + 1)
    return { head: head.replaceAll('-', ' '), all }
  })
  return lists.map(({ head, all }) => {
    const cost = new Map(all.map((part, place) => [part, place + COMMON_COST * Math.log2(sharers.get(part.text) ?? 1)]))
    const ranked = [...cost.keys()].toSorted((a, b) => cost.get(a)! - cost.get(b)!)
    return {
      head,
      all: ranked,
      firsts: shortFirst(ranked.filter(canLead), FIRST_LETTERS.best),
      heads: shortFirst(ranked.filter(canCarry), HEAD_LETTERS.best),
    }
  })
}

/** Every form of a word that a description is likely to use, and every phrase, → its aspect. */
export function mapForms(aspects: readonly Aspect[], aliases: readonly (readonly [string, string])[]) {
  const forms = new Map(aspects.map((aspect) => [aspect.head, aspect]))
  const named = aliases.flatMap(([head, text]) => {
    const aspect = forms.get(head.replaceAll('-', ' '))
    if (aspect === undefined) throw new Error(`aliases.txt: no aspect ${head}`)
    return text.split(' ').map((word) => ({ word: fold(word), aspect }))
  })
  for (const { word, aspect } of named) if (!forms.has(word)) forms.set(word, aspect)
  // After all exact words, so that a form never takes the place of a word of its own.
  for (const [word, aspect] of Array.from(forms)) {
    for (const form of inflect(word)) if (!forms.has(form)) forms.set(form, aspect)
  }
  return forms
}

/** The forms of an English word, both up (bake → baking) and down (dogs → dog). */
export function inflect(word: string): string[] {
  const base = word.endsWith('e') ? word.slice(0, -1) : word
  const forms = [`${word}s`, `${base}ed`, `${base}ing`, `${base}er`, `${base}ers`]
  if (word.endsWith('y')) forms.push(`${word.slice(0, -1)}ies`)
  if (/[sxz]$|[cs]h$/.test(word)) forms.push(`${word}es`)
  if (/[^aeiou][aeiou][bdgklmnprt]$/.test(word)) {
    const double = word + word.slice(-1)
    forms.push(`${double}ed`, `${double}ing`, `${double}er`, `${double}ers`)
  }
  if (word.length > 4) {
    if (word.endsWith('ies')) forms.push(`${word.slice(0, -3)}y`)
    else if (/[^s]s$/.test(word)) forms.push(word.slice(0, -1))
    if (word.endsWith('ing')) forms.push(word.slice(0, -3), `${word.slice(0, -3)}e`)
  }
  return forms
}

function partOf(phrase: string, parts: Map<string, Part>, lexicon: ReadonlyMap<string, Part>): Part {
  const known = lexicon.get(phrase) ?? parts.get(phrase)
  if (known !== undefined) return known
  const words = phrase.includes(' ') ? phrase.split(' ') : splitWhole(phrase, lexicon)
  const part = makePart(words, '-', phrase.includes(' '))
  parts.set(phrase, part)
  return part
}

/** Two words we write as one, when both are known. */
function splitWhole(word: string, lexicon: ReadonlyMap<string, Part>): string[] {
  const words = splitName(word, lexicon)
  return words.length === 2 ? words : [word]
}

function canLead(part: Part): boolean {
  const { length } = part.text
  if (part.words.length > 1 || length < FIRST_LETTERS.min || length > FIRST_LETTERS.max) return false
  return part.kind === 'c' || part.kind === 'n' || part.kind === 'p' || part.kind === 'a'
}

function canCarry(part: Part): boolean {
  const { length } = part.text
  if (part.words.length > 1 || length < HEAD_LETTERS.min || length > HEAD_LETTERS.max) return false
  return part.kind === 'c' || part.kind === 'p'
}

function shortFirst(parts: readonly Part[], best: number): Part[] {
  return [...parts.filter(({ text }) => text.length <= best), ...parts.filter(({ text }) => text.length > best)]
}
