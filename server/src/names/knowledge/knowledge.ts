/**
 * Everything written down about naming, as views into one block of memory that all threads share.
 *
 * The build (`scripts/names/build.ts`) made the block; opening it reads no file, parses nothing and takes
 * milliseconds. Nothing here knows a request, and nothing changes after `openKnowledge` has returned.
 */
import { STYLES } from '../../model/name.ts'
import type { Style } from '../../model/name.ts'
import type { Judge } from '../judge/judge.ts'
import { openJudge } from '../judge/judge.ts'
import type { Safety } from '../safety.ts'
import { openSafety } from '../safety.ts'
import type { ProjectFields } from './fields.ts'
import { openFields } from './fields.ts'
import type { Forms } from './forms.ts'
import { openForms } from './forms.ts'
import { KIND_LIST } from './kinds.ts'
import type { Kind } from './kinds.ts'
import type { Nearness, WasmMemory } from './nearness.ts'
import { createNearness, nearnessAt } from './nearness.ts'
import type { NativeNames } from './native.ts'
import { openNative } from './native.ts'
import type { Packed } from './packed.ts'
import { readPacked } from './packed.ts'
import type { Patterns } from './patterns.ts'
import { openPatterns } from './patterns.ts'
import type { Texts } from './texts.ts'
import { openTexts } from './texts.ts'
import type { Words } from './words.ts'
import { openWords } from './words.ts'

export interface Knowledge {
  readonly words: Words
  readonly letters: Float32Array
  readonly sentenceMap: Float32Array
  /** By language: what a word or phrase of a description leads to. */
  readonly forms: ReadonlyMap<string, Forms>
  readonly aspects: Aspects
  readonly fields: ProjectFields
  readonly written: Written
  readonly patterns: Patterns
  readonly native: ReadonlyMap<string, NativeNames>
  readonly judge: Judge
  readonly safety: Safety
}

export interface Aspects {
  readonly count: number
  readonly head: (aspect: number) => string
  /** How often descriptions mention it, 0 never … 1 in every second one. */
  readonly usage: Float32Array
  /** How common the rarest word of its head is, 0 to 15. */
  readonly common: Uint8Array
  /** 1 for a thing or a person: one can picture it. */
  readonly solid: Uint8Array
  /** What readers thought of its names, above or below the average. */
  readonly taste: Float32Array
  /** 1 where a reader has chosen the best of its names. */
  readonly starred: Uint8Array
  /** 1 where the head is one word. */
  readonly single: Uint8Array
  /** All of them, one after the other. */
  readonly vectors: Int8Array
  readonly nearness: (aspect: number, to: Int8Array) => number
  /** Places of the words that its names are made of: three lists an aspect, which end at `halfEnds`. */
  readonly halves: Uint32Array
  readonly halfEnds: Uint32Array
  /** Its entries are `starts[aspect]` up to `starts[aspect + 1]`, best first. */
  readonly starts: Uint32Array
}

/** The written associations and names: one *entry* per aspect and name, one *name* per distinct text. */
export interface Written {
  readonly name: Uint32Array
  readonly image: (entry: number) => string
  kind(entry: number): Kind
  style(entry: number): Style
  /** 1 for the few best of its aspect, by the choice of a strict reader. */
  readonly starred: Uint8Array
  /** In how many aspects this name stands. */
  readonly spread: Uint32Array
  readonly texts: Texts
  /** What readers thought of it, above or below the average; 0 where nobody has read it. */
  readonly taste: Float32Array
  /** What `judgeNames` has found out about each. */
  readonly judged: Float64Array
  /** Places in `words` of the parts of all names; -1 + 1 = 0 where a part is no known word. */
  readonly parts: Uint32Array
  /** Those of a name are `partEnds[name]` up to `partEnds[name + 1]`. */
  readonly partEnds: Uint32Array
}

/** In a memory of WebAssembly it is faster. */
export function openKnowledge(block: ArrayBuffer | SharedArrayBuffer | WasmMemory): Knowledge {
  const packed = readPacked('buffer' in block ? block.buffer : block)
  const nearness = 'buffer' in block ? createNearness(block) : nearnessAt
  const words = openWords(packed, nearness)
  return {
    words,
    letters: packed.real('letters'),
    sentenceMap: packed.real('sentence-map'),
    forms: new Map(languages(packed, 'forms.').map((language) => [language, openForms(packed, language)])),
    aspects: openAspects(packed, nearness),
    fields: openFields(packed, nearness),
    written: openWritten(packed),
    patterns: openPatterns(packed),
    native: new Map(languages(packed, 'native.').map((language) => [language, openNative(packed, language)])),
    judge: openJudge(packed),
    safety: openSafety(packed),
  }
}

/** The languages there are texts of, under this prefix. */
function languages(packed: Packed, prefix: string): string[] {
  const ending = '.text'
  return packed
    .list(prefix)
    .filter((name) => name.endsWith(ending))
    .map((name) => name.slice(prefix.length, -ending.length))
}

function openAspects(packed: Packed, nearness: Nearness): Aspects {
  const vectors = packed.small('aspects.vectors')
  const heads = openTexts(packed, 'aspects')
  return {
    count: heads.count,
    head: heads.at,
    usage: packed.real('aspects.usage'),
    common: packed.bytes('aspects.common'),
    solid: packed.bytes('aspects.solid'),
    single: packed.bytes('aspects.single'),
    starred: packed.bytes('aspects.starred'),
    taste: packed.real('aspects.taste'),
    vectors,
    nearness: (aspect, to) => nearness(vectors, aspect, to),
    halves: packed.whole('halves'),
    halfEnds: packed.whole('halves.ends'),
    starts: packed.whole('aspects.starts'),
  }
}

function openWritten(packed: Packed): Written {
  const images = openTexts(packed, 'images')
  const image = packed.whole('entries.image')
  const kinds = packed.bytes('entries.kind')
  const styles = packed.bytes('entries.style')
  return {
    name: packed.whole('entries.name'),
    starred: packed.bytes('entries.starred'),
    image: (entry) => images.at(image[entry]!),
    kind: (entry) => KIND_LIST[kinds[entry]!]!,
    style: (entry) => STYLES[styles[entry]!]!,
    spread: packed.whole('names.spread'),
    texts: openTexts(packed, 'names'),
    taste: packed.real('names.taste'),
    judged: packed.double('names.judged'),
    parts: packed.whole('names.parts'),
    partEnds: packed.whole('names.partEnds'),
  }
}
