/** What is written about the fields in one language: the words that tell one, and names for it. */
import type { Classifier } from './classifier.ts'
import { openClassifier } from './classifier.ts'
import type { Packed } from './packed.ts'
import { openTexts } from './texts.ts'

export interface NativeFields {
  /** Its clues are those of `understand/native-clues.ts`. */
  readonly byField: Classifier
  /** Words that stand in descriptions of every field; those with a star stand for any ending. The longest first. */
  readonly generic: readonly string[]
  /** In the order of a strict reader, best first. */
  names(field: number): readonly NativeFieldName[]
}

export interface NativeFieldName {
  /** In Latin letters, as written: "tassenzeit", "warme stube". */
  readonly text: string
  /** In its own script; empty where that is Latin. */
  readonly native: string
  /** How it is made, in its language: "Tasse + Zeit". */
  readonly making: string
}

export function openNativeFields(packed: Packed): ReadonlyMap<string, NativeFields> {
  const languages = openTexts(packed, 'native-fields')
  return new Map(
    Array.from({ length: languages.count }, (_, at) => languages.at(at)).map((language) => [
      language,
      openLanguage(packed, `fields-${language}`),
    ]),
  )
}

function openLanguage(packed: Packed, section: string): NativeFields {
  const starts = packed.whole(`${section}.starts`)
  const texts = openTexts(packed, `${section}.names`)
  const natives = openTexts(packed, `${section}.natives`)
  const makings = openTexts(packed, `${section}.makings`)
  return {
    byField: openClassifier(packed, `${section}.clues`),
    generic: packed
      .text(`${section}.generic`)
      .split(' ')
      .filter(Boolean)
      .toSorted((a, b) => b.length - a.length),
    names(field) {
      const own: NativeFieldName[] = []
      for (let at = starts[field]!; at < starts[field + 1]!; at++)
        own.push({ text: texts.at(at), native: natives.at(at), making: makings.at(at) })
      return own
    },
  }
}
