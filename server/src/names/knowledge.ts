/**
 * Everything written down about naming, read once and laid out for looking up.
 *
 * Order of thought: what must be refused first, because no list may bring it back; then the lexicon; then the
 * aspects and the ways a caller's word leads to one (its own forms, other words for it, other languages).
 *
 * Nothing here knows a request, and nothing changes after `readKnowledge` has returned.
 */
import type { Aspect } from './aspects.ts'
import { mapForms, readAspects } from './aspects.ts'
import { linesOf, readJson, rowsOf, wordsOf } from './data.ts'
import type { Joints } from './joint.ts'
import { createJoints } from './joint.ts'
import type { Neighbours } from './neighbours.ts'
import { createNeighbours } from './neighbours.ts'
import type { Part, WordClass } from './part.ts'
import { makePart } from './part.ts'
import type { Partners } from './partners.ts'
import { readPartners } from './partners.ts'
import type { Safety } from './safety.ts'
import { createSafety } from './safety.ts'
import { fold } from './tokens.ts'

export interface Knowledge {
  readonly safety: Safety
  readonly joints: Joints
  readonly lexicon: ReadonlyMap<string, Part>
  /** A word or phrase of a description, in any inflection we expect → the aspect it names. */
  readonly forms: ReadonlyMap<string, Aspect>
  /** First words of the phrases in `forms`, so that most words are looked up once. */
  readonly phraseStarts: ReadonlySet<string>
  readonly neighbours: Neighbours
  readonly foreign: ReadonlyMap<string, Aspect>
  /** Without their endings: how an inflected word of another language is found. */
  readonly stems: ReadonlyMap<string, Aspect>
  readonly partners: Partners
  readonly stock: Aspect
  readonly words: Words
}

export interface Words {
  /** A function word → the languages it belongs to. */
  readonly stop: ReadonlyMap<string, readonly string[]>
  readonly negators: ReadonlySet<string>
  /** Words between a negation and what it denies: "without any added sugar". */
  readonly carries: ReadonlySet<string>
  /** Words that hand a negation on: "sugar or milk". */
  readonly joins: ReadonlySet<string>
  /** Words after which a negator denies nothing: "not only". */
  readonly notNegated: ReadonlySet<string>
  /** Words that say nothing about this description and so never lead. */
  readonly weak: ReadonlySet<string>
}

export async function readKnowledge(): Promise<Knowledge> {
  const [safety, lexiconLines, aspectRows, stockText, aliasRows, cognateRows, words] = await Promise.all([
    createSafety(),
    linesOf('lexicon.txt'),
    rowsOf('aspects.txt'),
    linesOf('stock.txt'),
    rowsOf('aliases.txt'),
    rowsOf('cognates.txt'),
    readWords(),
  ])
  const lexicon = readLexicon(lexiconLines)
  const joints = createJoints(safety.acrossJoint, lexicon, safety.isClean)
  const aspects = readAspects(aspectRows, lexicon)
  const [stock] = readAspects([['', stockText.join(', ')]], lexicon)
  const forms = mapForms(aspects, aliasRows)
  const { foreign, stems } = mapForeign(cognateRows, forms)
  return {
    safety,
    joints,
    lexicon,
    forms,
    phraseStarts: new Set([...forms.keys()].filter((form) => form.includes(' ')).map((form) => firstWord(form))),
    neighbours: createNeighbours(aspects),
    foreign,
    stems,
    partners: await readPartners(lexicon),
    stock: stock!,
    words,
  }
}

function readLexicon(lines: readonly string[]): Map<string, Part> {
  const lexicon = new Map<string, Part>()
  for (const line of lines) {
    const cut = line.indexOf(' ')
    const word = line.slice(0, cut)
    lexicon.set(word, makePart([word], line.slice(cut + 1) as WordClass))
  }
  return lexicon
}

function mapForeign(rows: readonly (readonly [string, string])[], forms: ReadonlyMap<string, Aspect>) {
  const foreign = new Map<string, Aspect>()
  const stems = new Map<string, Aspect>()
  for (const [head, text] of rows) {
    const aspect = forms.get(head)
    if (aspect === undefined) throw new Error(`cognates.txt: no aspect ${head}`)
    for (const word of text.split(' ').map(fold)) {
      if (!foreign.has(word)) foreign.set(word, aspect)
      const stem = word.slice(0, word.length >= 6 ? -2 : -1)
      if (word.length >= 5 && !stems.has(stem)) stems.set(stem, aspect)
    }
  }
  return { foreign, stems }
}

async function readWords(): Promise<Words> {
  const file = await readJson<{
    stop: Record<string, string>
    negators: string
    carries: string
    joins: string
    notNegated: string
    weak: string
  }>('words.json')
  const stop = new Map<string, string[]>()
  for (const [language, text] of Object.entries(file.stop)) {
    for (const word of new Set(wordsOf(text).map(fold))) stop.set(word, [...(stop.get(word) ?? []), language])
  }
  return {
    stop,
    negators: new Set(wordsOf(file.negators).map(fold)),
    carries: new Set(wordsOf(file.carries).map(fold)),
    joins: new Set(wordsOf(file.joins).map(fold)),
    notNegated: new Set(wordsOf(file.notNegated).map(fold)),
    weak: new Set(wordsOf(file.weak).map(fold)),
  }
}

function firstWord(phrase: string): string {
  return phrase.slice(0, phrase.indexOf(' '))
}
