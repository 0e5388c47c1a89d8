/** Words that a suffix completes: "bivou" under "ac". Only when asked for; the label alone says nothing. */
import type { Suffix } from '../../model/domain.ts'
import type { Draft } from './draft.ts'

const MIN_LABEL_LENGTH = 2
const MIN_SUFFIX_LENGTH = 2

export function* hacked(drafts: Iterable<Draft>, suffixes: readonly Suffix[]): Iterable<Draft> {
  const endings = suffixes
    .map((suffix) => ({ suffix, letters: suffix.replaceAll('.', '') }))
    .filter(({ letters }) => letters.length >= MIN_SUFFIX_LENGTH && /^[a-z]+$/.test(letters))
  for (const draft of drafts) {
    for (const { suffix, letters } of endings) {
      if (!draft.label.endsWith(letters) || draft.label.length - letters.length < MIN_LABEL_LENGTH) continue
      const label = draft.label.slice(0, -letters.length)
      yield { ...draft, label, apart: false, style: 'domain_hack', whole: draft.label, suffix }
    }
  }
}
