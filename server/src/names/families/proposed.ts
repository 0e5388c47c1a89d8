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
  { leads }: Understanding,
  proposals: readonly NameProposal[],
): Iterable<Draft> {
  const [lead] = leads
  for (const [place, { name, native, reason }] of proposals.entries()) {
    const words = fold(name).trim().split(/\s+/)
    const label = words.join('')
    if (words.length > MAX_WORDS || label.length > MAX_LETTERS || !/^[a-z]+$/.test(label)) continue
    const known = words.length > 1 ? words : splitLabel(knowledge.words, label)
    const parts = known.join('') === label ? known : [label]
    yield {
      label,
      parts,
      apart: words.length > 1,
      family: 'told',
      kind: parts.length === 1 && knowledge.words.find(label) >= 0 ? 'word' : 'coined',
      style:
        words.length > 1
          ? 'short_phrase'
          : parts.length > 1
            ? 'compound'
            : knowledge.words.find(label) >= 0
              ? 'real_word'
              : 'invented',
      lead: lead ?? { aspect: 0, weight: 0, because: '', near: 0 },
      rank: place / proposals.length,
      written: -1,
      image: '',
      ...(native === undefined ? {} : { native }),
      ...(reason === undefined ? {} : { reason }),
    }
  }
}
