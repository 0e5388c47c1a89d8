/**
 * Names that would stand in too many answers take turns: in which answers such a name may lead is decided by the
 * description and the seed; in the others it comes last.
 *
 * How often a name comes up was counted over thousands of descriptions (`repeats.txt`). The names of a weak aspect, such
 * as a city, are not counted there: nobody else mentions that city, and every row of one batch does.
 */
import type { Draft } from './families/draft.ts'
import { hashOf } from './hash.ts'
import type { Knowledge } from './knowledge/knowledge.ts'

// The share of answers that such a name may lead in. Those written for a field please more often than the others.
const SHARE = 0.002
const FIELD_SHARE = 0.006
// Of the answers whose description mentions the aspect.
const WEAK_SHARE = 0.03

export type Turns = (draft: Draft) => boolean

export function createTurns({ patterns, aspects }: Knowledge, salt: number): Turns {
  const { repeats, weak } = patterns
  // Hundreds of drafts have a dozen aspects between them.
  const known = new Map<number, boolean>()
  const isWeak = (aspect: number | undefined) => {
    if (aspect === undefined) return false
    let found = known.get(aspect)
    if (found === undefined) known.set(aspect, (found = weak.has(aspects.head(aspect))))
    return found
  }
  return ({ label, family, lead, second }) => {
    const isFieldName = family === 'field'
    const repeated = repeats.get(label)
    let share = repeated === undefined ? 1 : (isFieldName ? FIELD_SHARE : SHARE) / repeated
    if (!isFieldName && (isWeak(lead.aspect) || isWeak(second?.aspect))) share = Math.min(share, WEAK_SHARE)
    return share >= 1 || hashOf(label, salt) / 2 ** 32 >= 1 - share
  }
}
