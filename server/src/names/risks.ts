/**
 * What a name might be taken for elsewhere: a word that hurts, is coarse or bodes ill in another language, or a famous
 * name. What is plainly one of these is never proposed (`safety.ts`); this is about what comes near, or is a good word in one
 * language and not in another ("mist", "gift").
 *
 * A word of a list counts when it is the name or one of its parts; a longer one also inside the name, and, where the
 * name is coined, one letter away. Only what is written down is found: `checked` says in how many languages that is.
 */
import type { Risk, Risks } from '../model/name.ts'
import type { Packed } from './knowledge/packed.ts'

export interface RiskList {
  /** `isWord`: whether people know the name as a word; then nobody takes it for another that differs by a letter. */
  risksOf(label: string, parts: readonly string[], isWord: boolean): Risks
}

interface Listed extends Risk {
  readonly word: string
}

// Shorter ones are inside too many innocent words.
const LEAST_INSIDE = 5
const LEAST_NEAR = 5
const LEAST_ALIKE = 4
// More than that is no warning but noise.
const MAX_FOUND = 5

export function openRisks(packed: Pick<Packed, 'text'>): RiskList {
  let opened: ReturnType<typeof readLists> | undefined
  const open = () => (opened ??= readLists(packed.text('risks'), packed.text('safety.brands')))
  return {
    risksOf(label, parts, isWord) {
      // The lists are in the letters a to z; of other letters they know nothing.
      if (!/^[a-z]+$/.test(label)) return { checked: 0, found: [] }
      const { listed, brands, languages } = open()
      const shown = new Set([label, ...parts])
      const words = listed.filter(
        ({ word }) =>
          shown.has(word) ||
          (word.length >= LEAST_INSIDE && label.includes(word)) ||
          (!isWord && word.length >= LEAST_NEAR && isNear(label, word)),
      )
      const heard = soundKey(label)
      const famous = (brands.get(label.charAt(0)) ?? []).filter(
        ({ word, key }) =>
          word !== label &&
          ((word.length >= LEAST_ALIKE && key === heard) ||
            (!isWord && word.length >= LEAST_NEAR && isNear(label, word))),
      )
      const found = [...words, ...famous].map(({ language, kind, word }) => ({ language, kind, word }))
      return { checked: languages.length, found: found.slice(0, MAX_FOUND) }
    },
  }
}

/** `de vulgar: mist …` in each line; of the brands one a line, some with a mark in front. */
function readLists(risks: string, brands: string) {
  const listed = risks.split('\n').flatMap((line): Listed[] => {
    const [, language = '', kind = '', words = ''] = /^(\S+) (offensive|vulgar|unlucky): (.+)$/.exec(line) ?? []
    return words.split(' ').map((word) => ({ language, kind: kind as Risk['kind'], word }))
  })
  const famous = brands.split(/\s+/).map((text) => {
    const word = text.replace('=', '')
    return { language: null, kind: 'confusable_brand' as const, word, key: soundKey(word) }
  })
  return {
    listed,
    languages: [...new Set(listed.flatMap(({ language }) => language ?? []))],
    brands: Map.groupBy(famous, ({ word }) => word.charAt(0)),
  }
}

/** The same for spellings that sound alike: nyke and nike, lyft and lift. */
export function soundKey(word: string): string {
  return word
    .replaceAll(/ph/g, 'f')
    .replaceAll(/ck|q|c(?![eiyh])/g, 'k')
    .replaceAll(/c(?=[eiy])/g, 's')
    .replaceAll(/x/g, 'ks')
    .replaceAll(/z/g, 's')
    .replaceAll(/y/g, 'i')
    .replaceAll(/ee|ea/g, 'i')
    .replaceAll(/(.)\1/g, '$1')
    .replace(/(?<=[^aeiou])e$/, '')
}

/** One letter more, less or other, or two that changed places; both begin alike. */
export function isNear(one: string, other: string): boolean {
  if (one === other || one.charAt(0) !== other.charAt(0) || Math.abs(one.length - other.length) > 1) return false
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  const [a, b] = [one.slice(at), other.slice(at)]
  const isSwapped = a.length === b.length && a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2)
  return isSwapped || a.slice(1) === b.slice(1) || a.slice(1) === b || a === b.slice(1)
}
