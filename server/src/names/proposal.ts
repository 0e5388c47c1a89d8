/** Arranged drafts → the proposals an answer carries: label, how a person writes it, why it is there, its score. */
import type { Label } from '../model/domain.ts'
import type { Proposal, NameRequest, NameOrigin } from '../model/name.ts'
import type { Rated } from './arrange.ts'
import type { Draft } from './families/draft.ts'
import type { Knowledge } from './knowledge/knowledge.ts'
import type { Understanding } from './understand/understand.ts'

// When hyphens are allowed, one two-part name in so many carries one: most people who allow them still prefer none.
const HYPHEN_EVERY = 3

export function makeProposals(
  knowledge: Knowledge,
  understanding: Understanding,
  ask: NameRequest,
  arranged: readonly Rated[],
): Proposal[] {
  let least = 1
  let compounds = 0
  return arranged.map(({ draft, score }) => {
    const { label, parts } = draft
    const isCompound = parts.length === 2 && parts.join('') === label
    const hyphen = ask.hyphens && isCompound && compounds++ % HYPHEN_EVERY === 1
    const written = hyphen && label.length < ask.maxLength ? parts.join('-') : label
    // The order also follows variety, so a name may stand behind a weaker one; its total says no more than its place.
    least = Math.min(least, 1 / (1 + Math.exp(-score)))
    return {
      label: written as Label,
      name: displayOf(draft, written !== label),
      ...(draft.suffix === undefined ? {} : { suffix: draft.suffix }),
      origin: originOf(knowledge, draft),
      score: {
        total: round(least),
        relevance: round(clamp(0.25 + 0.75 * relevance(knowledge, understanding, draft))),
        length: lengthScore(label.length),
      },
    }
  })
}

function displayOf({ parts, apart, label, native, whole }: Draft, hyphen: boolean): string {
  if (native !== undefined) return native
  if (whole !== undefined) return capitalise(whole)
  if (hyphen) return parts.map(capitalise).join('-')
  return apart ? parts.map(displayWord).join(' ') : capitalise(label)
}

/** "and" between two words is written as people write it in names. */
function displayWord(part: string, at: number, parts: readonly string[]): string {
  return part === 'and' && at > 0 && at < parts.length - 1 ? '&' : capitalise(part)
}

function relevance({ words, aspects }: Knowledge, { vector }: Understanding, { parts, lead }: Draft): number {
  const near = parts.map((part) => words.find(part)).map((at) => (at < 0 ? 0 : words.nearness(at, vector)))
  return Math.max(...near, aspects.nearness(lead.aspect, vector) * 0.9)
}

function originOf({ written }: Knowledge, { style, parts, lead, image: made, entry, reason }: Draft): NameOrigin {
  const image = entry === undefined ? made : written.image(entry)
  return {
    style,
    parts,
    ...(reason === undefined ? {} : { reason }),
    ...(lead.because === '' ? {} : { because: lead.because }),
    ...(image === '' ? {} : { image }),
  }
}

/** Names people keep have five to nine letters. */
function lengthScore(letters: number): number {
  const off = letters < 5 ? 5 - letters : Math.max(0, letters - 9)
  return round(clamp(1 - 0.12 * off))
}

function capitalise(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

function clamp(value: number): number {
  return Math.max(0, Math.min(1, value))
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}
