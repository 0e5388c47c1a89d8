/**
 * Names that a language model proposed. They pass the same rules and safety checks as built-in names.
 *
 * Whatever is not plain letters and spaces, too long or of too many words is dropped: a proposal is data, and nothing
 * outside the grammar of a label gets through.
 */
import type { NameProposal } from '../../model/name.ts'
import type { Knowledge } from '../knowledge/knowledge.ts'
import type { Understanding } from '../understand/understand.ts'
import { splitLabel } from '../understand/split.ts'
import { fold } from '../understand/tokens.ts'
import type { Draft } from './draft.ts'

const MAX_WORDS = 3
const MAX_LETTERS = 30

export function* proposed(
  knowledge: Knowledge,
  understanding: Understanding,
  proposals: readonly NameProposal[],
): Iterable<Draft> {
  for (const [place, { name, native, reason }] of proposals.entries()) {
    const words = fold(name).trim().split(/\s+/)
    const label = words.join('')
    if (words.length > MAX_WORDS || label.length > MAX_LETTERS || !/^[a-z]+$/.test(label)) continue
    yield {
      ...draftOf(knowledge, understanding, words),
      rank: place / proposals.length,
      ...(native === undefined ? {} : { native }),
      ...(reason === undefined ? {} : { reason }),
    }
  }
}

/** A name that somebody else wrote, as words of letters. */
export function draftOf(knowledge: Knowledge, { leads: [lead] }: Understanding, words: readonly string[]): Draft {
  const label = words.join('')
  const known = words.length > 1 ? words : splitLabel(knowledge.words, label)
  const parts = known.join('') === label ? known : [label]
  const isWord = knowledge.words.find(label) >= 0
  return {
    label,
    parts,
    apart: words.length > 1,
    family: 'told',
    kind: parts.length === 1 && isWord ? 'word' : 'coined',
    style: words.length > 1 ? 'short_phrase' : parts.length > 1 ? 'compound' : isWord ? 'real_word' : 'invented',
    lead: lead ?? { aspect: 0, weight: 0, because: '', near: 0 },
    rank: 0,
    written: -1,
    image: '',
  }
}
