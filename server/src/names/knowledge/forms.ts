/**
 * A word or phrase of a description → the aspects it names, for one language.
 *
 * Looked up exactly, then without its ending: other languages bend their words more than a list can follow, so a word that
 * shares a long beginning with a known one counts as it. A language written without spaces is read by the longest
 * known run of signs.
 */
import type { Packed, Section } from './packed.ts'
import { openFindableTexts, packFindableTexts, sortTexts } from './texts.ts'

export interface Forms {
  /** The aspects of exactly this word or phrase. */
  exact(form: string): readonly number[]
  /** The aspects of the known word this one bends. */
  bent(form: string): readonly number[]
  /** Longest known run at this place of a text without spaces; undefined when none starts here. */
  longest(text: string, at: number): { readonly size: number; readonly aspects: readonly number[] } | undefined
}

const MAX_RUN = 10
const MAX_BENT = 4
const MIN_STEM = 4

export function packForms(language: string, forms: ReadonlyMap<string, readonly number[]>): [string, Section][] {
  const texts = sortTexts(forms.keys())
  const ends = new Uint32Array(texts.length + 1)
  const aspects: number[] = []
  for (const [at, text] of texts.entries()) {
    aspects.push(...forms.get(text)!)
    ends[at + 1] = aspects.length
  }
  const name = `forms.${language}`
  return [...packFindableTexts(name, texts), [`${name}.starts`, ends], [`${name}.aspects`, Uint32Array.from(aspects)]]
}

/** A known word without the last letters that its other forms change; a stem's mark keeps it from being a word itself. */
export function stemOf(form: string): string | undefined {
  if (form.includes(' ') || form.length < MIN_STEM + 1) return undefined
  return `${form.slice(0, Math.max(MIN_STEM, form.length - (form.length > 6 ? 2 : 1)))}~`
}

export function openForms(packed: Packed, language: string): Forms {
  const name = `forms.${language}`
  const texts = openFindableTexts(packed, name)
  const ends = packed.whole(`${name}.starts`)
  const aspects = packed.whole(`${name}.aspects`)

  function exact(form: string): readonly number[] {
    const at = texts.find(form)
    return at < 0 ? [] : [...aspects.subarray(ends[at], ends[at + 1])]
  }

  function bent(form: string): readonly number[] {
    for (let cut = 0; cut <= MAX_BENT && form.length - cut >= MIN_STEM; cut++) {
      const found = exact(`${form.slice(0, form.length - cut)}~`)
      if (found.length > 0) return found
    }
    return []
  }

  function longest(text: string, at: number) {
    for (let size = Math.min(MAX_RUN, text.length - at); size > 0; size--) {
      const found = exact(text.slice(at, at + size))
      if (found.length > 0) return { size, aspects: found }
    }
    return undefined
  }

  return { exact, bent, longest }
}
