/** A draft → the candidate an answer carries: its label, how a person writes it, why it is there, what it is worth. */
import type { Label } from '../model/domain.ts'
import type { Candidate, NameAsk, Origin } from '../model/name.ts'
import type { Draft } from './families/draft.ts'

// When hyphens are allowed, one two-part name in so many carries one: most people who allow them still prefer none.
const HYPHEN_EVERY = 6

export function makeCandidate(draft: Draft, ask: NameAsk, before: readonly Candidate[]): Candidate {
  const hyphen =
    ask.hyphens &&
    draft.halves !== undefined &&
    before.length % HYPHEN_EVERY === 2 &&
    draft.label.length < ask.maxLength
  const words = hyphen ? draft.parts : [draft.label]
  const length = lengthScore(draft.label.length)
  const own = 0.45 * draft.relevance + 0.35 * draft.sound + 0.2 * length
  return {
    label: words.join('-') as Label,
    name: words.map(capitalise).join('-'),
    origin: originOf(draft),
    score: {
      // The order also follows variety, so a name may stand behind a weaker one; its total says no more than its place.
      total: round(Math.min(own, before.at(-1)?.score.total ?? 1)),
      relevance: round(draft.relevance),
      sound: round(Math.max(0, Math.min(1, draft.sound))),
      length,
    },
  }
}

function originOf({ style, parts, keyword }: Draft): Origin {
  return keyword.word === undefined ? { style, parts } : { style, parts, because: keyword.word }
}

/** Names people keep have five to nine letters. */
function lengthScore(letters: number): number {
  const off = letters < 5 ? 5 - letters : Math.max(0, letters - 9)
  return round(Math.max(0, 1 - 0.12 * off))
}

function capitalise(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}
