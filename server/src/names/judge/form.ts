/**
 * What can be said of a name without knowing the description: its letters, its sound, its parts and how they meet.
 *
 * The build counts it once for every written name; the families count it for what they make. The order of `FORM` is
 * the order of the numbers and of the judge's weights: add at the end, then teach the judge again.
 */
import type { Words } from '../knowledge/words.ts'
import { fluency } from './letters.ts'
import { codaOf, countLetters, isVowel, onsetOf, uncertainty } from './spelling.ts'

export const FORM = [
  'letters',
  'syllables',
  'words',
  'vowels',
  'consonants',
  'fluency',
  'roughest',
  'uncertainty',
  'parts',
  'familiar',
  'familiarMost',
  'firstLetters',
  'lastLetters',
  'jointDouble',
  'jointConsonants',
  'jointVowels',
  'alliterates',
  'endsInVowel',
  'dictionary',
  'firstNoun',
  'firstAdjective',
  'firstVerb',
  'lastThing',
  'lastPerson',
  'lastNoun',
  'lastVerb',
  'unknownPart',
  'endsInA',
  'latinate',
  'smallWord',
] as const

const LATINATE = /(?:ell[ae]|ett[ae]|or[ai]a?|ar[ai]a?|in[ai]a?|i[ao]|it[ao]|os[ao]|essa|ium|ica)$/

export interface Spelled {
  readonly label: string
  /** The words it shows, in order: the parts of a compound, the words of a phrase, or itself. */
  readonly parts: readonly string[]
  /** Written apart. */
  readonly apart: boolean
}

/** "brown envelope", "crop+clock" or "placemint", as the written knowledge has them. */
export function spell(text: string): Spelled {
  const parts = text.split(/[ +]/)
  return { label: parts.join(''), parts, apart: text.includes(' ') }
}

/** `places`: of its parts among the words. */
export function measureForm(
  words: Words,
  letters: Float32Array,
  { label, parts, apart }: Spelled,
  places: readonly number[],
): number[] {
  const { mean, worst } = fluency(letters, label)
  const { vowels, syllables, longestConsonants } = countLetters(label)
  const known = places.map((place) => (place < 0 ? 0 : words.commonness(place)))
  const first = parts[0]!
  const last = parts[parts.length - 1]!
  const firstClass = words.mainClass(places[0]!)
  const lastClass = words.mainClass(places[places.length - 1]!)
  const joint = parts.length > 1 && !apart
  return [
    label.length / 10,
    syllables / 4,
    apart ? parts.length - 1 : 0,
    vowels / label.length,
    longestConsonants / 4,
    mean / 5,
    worst / 10,
    uncertainty(label) / 2,
    parts.length - 1,
    Math.min(...known) / 15,
    Math.max(...known) / 15,
    first.length / 10,
    last.length / 10,
    joint && first.at(-1) === parts[1]![0] ? 1 : 0,
    joint ? (codaOf(first) + onsetOf(parts[1]!)) / 4 : 0,
    joint && isVowel(first.at(-1)!) && isVowel(parts[1]![0]!) ? 1 : 0,
    parts.length > 1 && first[0] === last[0] ? 1 : 0,
    isVowel(label.at(-1)!) ? 1 : 0,
    parts.length === 1 && words.commonness(label === first ? places[0]! : words.find(label)) > 0 ? 1 : 0,
    flag(firstClass, 'cpn'),
    flag(firstClass, 'a'),
    flag(firstClass, 'v'),
    flag(lastClass, 'c'),
    flag(lastClass, 'p'),
    flag(lastClass, 'n'),
    flag(lastClass, 'v'),
    known.some((value) => value === 0) ? 1 : 0,
    label.endsWith('a') ? 1 : 0,
    LATINATE.test(label) ? 1 : 0,
    parts.some((part) => part.length < 3) || (parts.length === 1 && /.and./.test(label)) ? 1 : 0,
  ]
}

function flag(mainClass: string, wanted: string): number {
  return mainClass !== '' && wanted.includes(mainClass) ? 1 : 0
}
