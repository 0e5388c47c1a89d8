/**
 * The sources → the sections of the compiled knowledge.
 *
 * Order of thought: the vocabulary and what it says of words; the aspects with their entries and vectors; the ways from a
 * caller's word to an aspect, by language; then the short lists, which stay text. What no name may say is taken out
 * here, so that nothing written by mistake can come back.
 */
import { readFileSync } from 'node:fs'
import { STYLES } from '../../server/src/model/name.ts'
import { packHalves } from '../../server/src/names/families/parts.ts'
import { styleOf } from '../../server/src/names/families/written.ts'
import { spell } from '../../server/src/names/judge/form.ts'
import { learnLetters } from '../../server/src/names/judge/letters.ts'
import { judgeNames } from '../../server/src/names/judge/rating.ts'
import { packForms, stemOf } from '../../server/src/names/knowledge/forms.ts'
import { KINDS } from '../../server/src/names/knowledge/kinds.ts'
import { openKnowledge } from '../../server/src/names/knowledge/knowledge.ts'
import { DIMENSIONS } from '../../server/src/names/knowledge/nearness.ts'
import { packNative } from '../../server/src/names/knowledge/native.ts'
import type { Section } from '../../server/src/names/knowledge/packed.ts'
import { readPacked, writePacked } from '../../server/src/names/knowledge/packed.ts'
import { packFindableTexts, packTexts, sortTexts } from '../../server/src/names/knowledge/texts.ts'
import { openWords, packClasses } from '../../server/src/names/knowledge/words.ts'
import type { Words } from '../../server/src/names/knowledge/words.ts'
import { openSafety } from '../../server/src/names/safety.ts'
import type { Safety } from '../../server/src/names/safety.ts'
import { splitLabel } from '../../server/src/names/understand/split.ts'
import { fold } from '../../server/src/names/understand/tokens.ts'
import { meanVector, textVector } from '../../server/src/names/vectors.ts'
import { packFields, readFields } from './fields.ts'
import { packNativeFields, readGenericWords, readNativeFields } from './native-fields.ts'
import { formsOf } from './inflect.ts'
import type { Aspect } from './sources.ts'
import { FOLDER, listOf, readAspects, readFolder, readLines, wordsIn } from './sources.ts'

const LETTER_KINDS = Object.keys(KINDS)
const STOCK = '*stock'

type Sections = Map<string, Section>

export function compile(root: URL = FOLDER): Sections {
  const sections: Sections = new Map()
  const { aspects, mistakes } = readAspects(root)
  if (mistakes.length > 0) throw new Error(`the sources have mistakes:\n${mistakes.join('\n')}`)
  aspects.push(stockAspect(root))
  addSafety(root, sections)
  const safety = openSafety(readPacked(toBlock(sections)))
  addWords(root, sections, aspects)
  const isNameable = (text: string) => safety.isNameable(text.replaceAll(/[ +]/g, ''), wordsIn(text))
  addAspects(root, sections, aspects, isNameable, safety)
  addForms(root, sections, aspects)
  addNative(root, sections, aspects)
  const written = readFields(root)
  const order = written.fields.map(({ name }) => name)
  for (const [name, section] of [
    ...packFields(written, isNameable, textReader(sections)),
    ...packNativeFields(order, readNativeFields(root, new Set(order)), isNameable, readGenericWords(root)),
  ])
    sections.set(name, section)
  addLists(root, sections)
  // The rest is complete: it can be opened to let the judge see the written names.
  sections.set('names.judged', new Float64Array())
  sections.set('names.judged', judgeNames(openKnowledge(toBlock(sections))))
  return sections
}

/** The vector of a description's words, as the engine takes it. */
function textReader(sections: Sections): (words: readonly string[]) => Int8Array {
  const words = openWords(readPacked(toBlock(sections)))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- set by addWords
  const map = sections.get('sentence-map') as Float32Array
  return (said) => textVector(words, map, said)
}

function stockAspect(root: URL): Aspect {
  const entries = readLines(root, 'stock.txt').flatMap(({ text }) =>
    listOf(text.replaceAll(' ', ',')).map((word) => ({ text: word, kind: 'w' as const, image: '', starred: false })),
  )
  return { head: STOCK, aliases: [], entries, where: 'stock.txt' }
}

function addSafety(root: URL, sections: Sections): void {
  const file = JSON.parse(readFileSync(new URL('offensive.json', root), 'utf8')) as Record<string, string>
  sections.set('safety.anywhere', file['anywhere']!)
  sections.set('safety.crossing', file['acrossJoint']!)
  sections.set('safety.words', `${file['asWord']!} ${textOf(root, 'unpleasant.txt')}`)
  sections.set('safety.brands', textOf(root, '../brands.txt'))
}

function addWords(root: URL, sections: Sections, aspects: readonly Aspect[]): void {
  const listed = new Map<string, { common: number; classes: string; row: number }>()
  for (const [row, { text }] of readLines(root, 'vocabulary.txt').entries()) {
    const [word = '', facts = ''] = text.split(' ')
    listed.set(word, { common: Number.parseInt(facts, 10), classes: facts.replace(/^\d+/, ''), row })
  }
  const vectors = new Int8Array(readFileSync(new URL('vectors.i8', root)))
  const words = sortTexts([
    ...listed.keys(),
    ...aspects.flatMap(({ entries }) => entries.flatMap(({ text }) => wordsIn(text))),
  ])
  const rows = words.map((word) => listed.get(word))
  const placed = new Int8Array(words.length * DIMENSIONS)
  for (const [at, row] of rows.entries()) {
    if (row !== undefined)
      placed.set(vectors.subarray(row.row * DIMENSIONS, (row.row + 1) * DIMENSIONS), at * DIMENSIONS)
  }
  for (const [name, section] of packFindableTexts('words', words)) sections.set(name, section)
  sections.set(
    'words.common',
    Uint8Array.from(rows, (row) => row?.common ?? 0),
  )
  sections.set(
    'words.classes',
    Uint32Array.from(rows, (row) => packClasses(row?.classes ?? '')),
  )
  sections.set('words.vectors', placed)
  const spread = spreadOf(aspects)
  sections.set(
    'words.spread',
    Uint32Array.from(words, (word) => spread.get(word) ?? 0),
  )
  sections.set('letters', learnLetters(words.filter((_, at) => (rows[at]?.common ?? 0) >= 3)))
  const map = readFileSync(new URL('sentence-map.f32', root))
  sections.set('sentence-map', new Float32Array(map.buffer.slice(map.byteOffset, map.byteOffset + map.length)))
}

/** In how many aspects a word is part of a name. */
function spreadOf(aspects: readonly Aspect[]): Map<string, number> {
  const spread = new Map<string, number>()
  for (const { entries } of aspects) {
    for (const word of new Set(entries.flatMap(({ text }) => wordsIn(text))))
      spread.set(word, (spread.get(word) ?? 0) + 1)
  }
  return spread
}

function addAspects(
  root: URL,
  sections: Sections,
  aspects: readonly Aspect[],
  isNameable: (text: string) => boolean,
  safety: Safety,
): void {
  const words = openWords(readPacked(toBlock(sections)))
  const kept = aspects.map((aspect) => ({ ...aspect, entries: aspect.entries.filter(({ text }) => isNameable(text)) }))
  const names = sortTexts(kept.flatMap(({ entries }) => entries.map(({ text }) => text)))
  const images = sortTexts(['', ...kept.flatMap(({ entries }) => entries.map(({ image }) => image))])
  const nameAt = new Map(names.map((name, at) => [name, at]))
  const imageAt = new Map(images.map((image, at) => [image, at]))
  const all = kept.flatMap(({ entries }) => entries)
  const starts = new Uint32Array(kept.length + 1)
  for (const [at, { entries }] of kept.entries()) starts[at + 1] = starts[at]! + entries.length
  const spread = new Uint32Array(names.length)
  for (const { text } of all) spread[nameAt.get(text)!]!++
  const pictures = new Map(all.map(({ text, image }) => [text, image]))
  const partEnds = new Uint32Array(names.length + 1)
  const parts = names.flatMap((name, at) => {
    const places = meaningOf(words, name, pictures.get(name) ?? '').map((word) => words.find(word) + 1)
    partEnds[at + 1] = partEnds[at]! + places.length
    return places
  })
  const vectors = new Int8Array(kept.length * DIMENSIONS)
  for (const [at, aspect] of kept.entries()) vectors.set(aspectVector(words, aspect), at * DIMENSIONS)
  const usage = readUsage(root)
  const taste = readTaste(root)
  for (const [name, section] of [
    ...packTexts(
      'aspects',
      kept.map(({ head }) => head),
    ),
    ...packTexts('names', names),
    ...packTexts('images', images),
    ['aspects.starts', starts],
    ['aspects.vectors', vectors],
    ['aspects.common', Uint8Array.from(kept, ({ head }) => commonnessOf(words, head))],
    ['aspects.solid', Uint8Array.from(kept, ({ head }) => (isSolid(words, head) ? 1 : 0))],
    ['aspects.single', Uint8Array.from(kept, ({ head }) => (/^[a-z]+$/.test(head) ? 1 : 0))],
    ['aspects.taste', Float32Array.from(kept, ({ head }) => taste.get(`aspect ${head}`) ?? 0)],
    ['names.taste', Float32Array.from(names, (text) => taste.get(`name ${spell(text).label}`) ?? 0)],
    ['aspects.usage', Float32Array.from(kept, ({ head }) => usage.get(head) ?? 0)],
    ['entries.name', Uint32Array.from(all, ({ text }) => nameAt.get(text)!)],
    ['entries.kind', Uint8Array.from(all, ({ kind }) => LETTER_KINDS.indexOf(kind))],
    [
      'entries.style',
      Uint8Array.from(all, ({ text, kind, image }) => STYLES.indexOf(styleOf(text, KINDS[kind], image))),
    ],
    ...packHalves(
      kept.map(({ entries }) => entries.map(({ text, kind }) => ({ text, kind: KINDS[kind] }))),
      words,
      safety,
    ),
    ['entries.starred', Uint8Array.from(all, ({ starred }) => (starred ? 1 : 0))],
    ['aspects.starred', Uint8Array.from(kept, ({ entries }) => (entries.some(({ starred }) => starred) ? 1 : 0))],
    ['entries.image', Uint32Array.from(all, ({ image }) => imageAt.get(image)!)],
    ['names.spread', spread],
    ['names.parts', Uint32Array.from(parts)],
    ['names.partEnds', partEnds],
  ] as const)
    sections.set(name, section)
}

/** The words a name means: those it shows, or for a coined one those it was made of or hides. */
function meaningOf(words: Words, name: string, picture: string): string[] {
  const shown = wordsIn(name)
  if (shown.length > 1 || words.commonness(words.find(name)) > 0) return shown
  const made = /^([a-z]+) \+ ([a-z]+)$/.exec(picture)
  return made === null ? splitLabel(words, name) : [made[1]!, made[2]!]
}

function commonnessOf(words: Words, head: string): number {
  return Math.min(...head.split(/[^a-z]+/).map((word) => words.commonness(words.find(word))))
}

/** A thing or a person: one can picture it. */
function isSolid(words: Words, head: string): boolean {
  return /^[cp]/.test(words.classes(words.find(head.split(/[^a-z]+/).at(-1)!)))
}

/** Mostly the headword itself, a little of its other names. */
function aspectVector(words: Words, { head, aliases }: Aspect): Int8Array {
  const weighted = [
    ...head.split(/[^a-z]+/).map((word) => [word, 3] as const),
    ...aliases.flatMap((alias) => alias.split(/[^a-z]+/).map((word) => [word, 0.5] as const)),
  ]
    .map(([word, weight]) => ({ at: words.find(word), weight }))
    .filter(({ at }) => at >= 0)
  return meanVector(
    weighted.map(({ at }) => words.vector(at)),
    weighted.map(({ weight }) => weight),
  )
}

/** `aspect HEAD value` and `name LABEL value`: what was learned from the marks of readers. */
function readTaste(root: URL): Map<string, number> {
  return new Map(
    readLines(root, 'taste.txt').map(({ text }) => {
      const cut = text.lastIndexOf(' ')
      return [text.slice(0, cut), Number(text.slice(cut + 1))]
    }),
  )
}

function readUsage(root: URL): Map<string, number> {
  return new Map(
    readLines(root, 'usage.txt').map(({ text }) => {
      const cut = text.lastIndexOf(' ')
      return [text.slice(0, cut), Number(text.slice(cut + 1)) / 10_000]
    }),
  )
}

function addForms(root: URL, sections: Sections, aspects: readonly Aspect[]): void {
  const english = new Map<string, number[]>()
  const add = (forms: Map<string, number[]>, form: string, aspect: number) => {
    const known = forms.get(form)
    if (known === undefined) forms.set(form, [aspect])
    else if (!known.includes(aspect)) known.push(aspect)
  }
  const heads = new Map(aspects.map(({ head }, at) => [head, at]))
  // A head is itself before anything else; then its own other forms, then its other names, then theirs.
  for (const [head, at] of heads) english.set(plain(head), [at])
  for (const [head, at] of heads)
    for (const form of formsOf(plain(head))) if (!english.has(form)) english.set(form, [at])
  const aliased = new Map<string, number[]>()
  for (const [at, { aliases }] of aspects.entries()) for (const alias of aliases) add(aliased, plain(alias), at)
  for (const [alias, places] of aliased) {
    for (const form of formsOf(alias)) if (!english.has(form)) english.set(form, places)
  }
  for (const [name, section] of packForms('en', english)) sections.set(name, section)
  const languages = Map.groupBy(
    readFolder(root, 'languages').filter(({ text }) => !text.startsWith('@')),
    ({ file }) => file,
  )
  for (const [language, lines] of languages) {
    const forms = new Map<string, number[]>()
    for (const { text, where } of lines) {
      const cut = text.indexOf(': ')
      const aspect = heads.get(text.slice(0, cut))
      if (aspect === undefined) throw new Error(`${where}: there is no aspect "${text.slice(0, cut)}"`)
      for (const word of listOf(text.slice(cut + 2))) add(forms, plain(fold(word)), aspect)
    }
    for (const [form, places] of forms.entries().toArray()) {
      const stem = stemOf(form)
      if (stem !== undefined) for (const place of places) add(forms, stem, place)
    }
    for (const [name, section] of packForms(language, forms)) sections.set(name, section)
  }
}

function addNative(root: URL, sections: Sections, aspects: readonly Aspect[]): void {
  const heads = new Map(aspects.map(({ head }, at) => [head, at]))
  for (const [language, lines] of Map.groupBy(readFolder(root, 'native'), ({ file }) => file)) {
    const byAspect = new Map<number, string>()
    for (const { text, where } of lines) {
      const cut = text.indexOf(': ')
      const aspect = heads.get(text.slice(0, cut))
      if (aspect === undefined) throw new Error(`${where}: there is no aspect "${text.slice(0, cut)}"`)
      byAspect.set(aspect, text.slice(cut + 2))
    }
    for (const [name, section] of packNative(language, byAspect)) sections.set(name, section)
  }
}

/** As the tokens of a description are joined: no hyphens, one space between words. */
function plain(text: string): string {
  return text
    .replaceAll(/[-'’.&]+/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

function addLists(root: URL, sections: Sections): void {
  for (const { text, file } of readFolder(root, 'languages')) {
    const marked = /^@(stop|not) ?(.*)$/.exec(text)
    if (marked !== null) sections.set(`${marked[1]!}.${file}`, fold(marked[2]!))
  }
  for (const { text } of readLines(root, 'grammar.txt')) {
    const marked = /^@(carries|joins|undoes|praises) (.*)$/.exec(text)
    if (marked !== null) sections.set(marked[1]!, fold(marked[2]!))
  }
  for (const name of ['weak', 'repeats', 'tails', 'endings', 'intents', 'concepts'])
    sections.set(name, textOf(root, `${name}.txt`))
  const judge = JSON.parse(readFileSync(new URL('judge.json', root), 'utf8')) as { weights: number[] }
  sections.set('judge', Float32Array.from(judge.weights))
}

function textOf(root: URL, file: string): string {
  return readLines(root, file)
    .map(({ text }) => text)
    .join('\n')
}

function toBlock(sections: Sections): ArrayBuffer {
  return writePacked(sections).buffer as ArrayBuffer
}
