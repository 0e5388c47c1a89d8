/**
 * Names written in the language of the description for the kinds of project it may be about, best first.
 *
 * Reviewers accept four in ten of those of the right field and hardly any English name, so the fields that are less
 * likely follow before any English one does.
 */
import { domainToASCII } from 'node:url'
import { hashOf } from '../hash.ts'
import { spell } from '../judge/form.ts'
import type { NativeFields } from '../knowledge/native-fields.ts'
import type { FieldGuess } from '../understand/fields.ts'
import type { Lead } from '../understand/understand.ts'
import type { Draft } from './draft.ts'

const NO_LEAD: Lead = { aspect: 0, weight: 0, because: '', near: 0 }
// How many places the seed may move a name: the ten of a field are nearly equal, and not everybody should get the same
// one first.
const SEED_SPREAD = 4
// A field that is less likely than this is a guess that reviewers take for a misreading.
const PLAUSIBLE = 0.15
// Words such as "y" and "und" may stand in more than one name.
const MAX_SMALL_WORD_LENGTH = 3
// The score of the last name in a field's list, relative to the first one.
const LAST_SCORE = 0.5

/** `idn`: labels may have letters beyond a to z. */
export function nativeField(native: NativeFields, guesses: readonly FieldGuess[], idn: boolean, salt: number): Draft[] {
  const plausible = guesses.filter(({ surety }) => surety >= PLAUSIBLE)
  const rated = plausible.flatMap(({ field, surety }) =>
    draftField(native, field, idn, salt).map((draft) => ({
      draft,
      score: surety * (1 - (1 - LAST_SCORE) * draft.rank),
    })),
  )
  const best = rated.toSorted((a, b) => b.score - a.score).map(({ draft }) => draft)
  return varied(best).map((draft, place) => ({ ...draft, rank: place / best.length }))
}

/** Those that repeat a word of an earlier one come after all that do not. */
function varied(drafts: readonly Draft[]): Draft[] {
  const used = new Set<string>()
  const different: Draft[] = []
  const repeating: Draft[] = []
  for (const draft of drafts) {
    const words = draft.parts.filter((part) => part.length > MAX_SMALL_WORD_LENGTH)
    const isRepeating = words.some((word) => used.has(word))
    ;(isRepeating ? repeating : different).push(draft)
    if (!isRepeating) for (const word of words) used.add(word)
  }
  return [...different, ...repeating]
}

function draftField(native: NativeFields, field: number, idn: boolean, salt: number): Draft[] {
  const names = native
    .names(field)
    .map((name, place) => ({ name, place: place + SEED_SPREAD * (hashOf(name.text, salt) / 2 ** 32) }))
    .toSorted((a, b) => a.place - b.place)
  return names.map(({ name: { text, native: written, making } }, place) => {
    const spelled = spell(text)
    const label = idn && written !== '' ? domainToASCII(written.replaceAll(' ', '')) : spelled.label
    return {
      ...spelled,
      label,
      parts: label === spelled.label ? spelled.parts : [label],
      family: 'native' as const,
      kind: 'foreign' as const,
      style: spelled.apart ? ('short_phrase' as const) : ('foreign' as const),
      lead: NO_LEAD,
      rank: place / names.length,
      written: -1,
      image: '',
      reason: making,
      ...(written === '' ? {} : { native: written }),
    }
  })
}
