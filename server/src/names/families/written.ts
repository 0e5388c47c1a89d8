/** What was written down for the aspects of the description: words, phrases and finished names, best first. */
import type { Style } from '../../model/name.ts'
import { spell } from '../judge/form.ts'
import { isCoined } from '../knowledge/kinds.ts'
import type { Kind } from '../knowledge/kinds.ts'
import type { Knowledge } from '../knowledge/knowledge.ts'
import type { Lead } from '../understand/understand.ts'
import type { Draft } from './draft.ts'

// What share of an aspect's names is chosen.
const UNCHOSEN = 0.2

export function* written(knowledge: Knowledge, leads: readonly Lead[]): Iterable<Draft> {
  const { aspects, written: entries } = knowledge
  for (const lead of leads) {
    const start = aspects.starts[lead.aspect]!
    const end = aspects.starts[lead.aspect + 1]!
    for (let entry = start; entry < end; entry++) {
      const name = entries.name[entry]!
      const text = entries.texts.at(name)
      const { label, parts, apart } = spell(text)
      yield {
        label,
        parts,
        apart,
        family: 'written',
        kind: entries.kind(entry),
        style: entries.style(entry),
        lead,
        // Coined names stand at the end of a line by habit, not because they are worse: they count from their own start.
        rank: (entry - start) / (end - start),
        written: name,
        starred: aspects.starred[lead.aspect] === 0 ? UNCHOSEN : entries.starred[entry]!,
        image: '',
        entry,
      }
    }
  }
}

/** For the build. */
export function styleOf(text: string, kind: Kind, image: string): Style {
  if (text.includes(' ')) return 'short_phrase'
  if (text.includes('+')) return 'compound'
  if (kind === 'foreign') return 'foreign'
  if (!isCoined(kind)) return 'real_word'
  return image.includes(' + ') ? 'blend' : 'invented'
}
