/** The names written in other languages: for each aspect a few, best first. */
import type { Packed, Section } from './packed.ts'
import { openTexts, packTexts } from './texts.ts'

export interface NativeName {
  readonly name: string
  /** How it is written in a label, where its own script cannot be; empty for Latin letters. */
  readonly romanised: string
  readonly meaning: string
}

export interface NativeNames {
  of(aspect: number): readonly NativeName[]
}

export function packNative(language: string, byAspect: ReadonlyMap<number, string>): [string, Section][] {
  const aspects = [...byAspect.keys()].toSorted((a, b) => a - b)
  const name = `native.${language}`
  return [
    ...packTexts(
      name,
      aspects.map((aspect) => byAspect.get(aspect)!),
    ),
    [`${name}.aspects`, Uint32Array.from(aspects)],
  ]
}

export function openNative(packed: Packed, language: string): NativeNames {
  const texts = openTexts(packed, `native.${language}`)
  const aspects = packed.whole(`native.${language}.aspects`)
  return {
    of(aspect) {
      const at = aspects.indexOf(aspect)
      return at < 0 ? [] : texts.at(at).split(';').map(readNative)
    },
  }
}

/** `Feierabend=the end of work` or `一目了然|yimuliaoran=clear at a glance`. */
export function readNative(text: string): NativeName {
  const [written = '', meaning = ''] = text.split('=')
  const [name = '', romanised = ''] = written.split('|')
  return { name: name.trim(), romanised: romanised.trim(), meaning: meaning.trim() }
}
