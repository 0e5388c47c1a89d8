/** What is known of a name that somebody else wrote: how it is said, and what it might be taken for. */
import { findLabel } from '../model/domain.ts'
import type { NameInspection } from '../model/name.ts'
import type { Knowledge } from './knowledge/knowledge.ts'
import { soundOf } from './sound/sound.ts'

export function inspect(knowledge: Knowledge, name: string): NameInspection {
  const { words, risks } = knowledge
  const label = findLabel(name) ?? ''
  const parts = name
    .toLowerCase()
    .split(/\s+/)
    .filter((part) => part !== '')
  const isWord = words.commonness(words.find(label)) > 0
  // How it was made is not known, and only of a respelling does that change what is said here.
  const sound = soundOf(knowledge, { label, parts, apart: parts.length > 1, style: 'invented' })
  const found = risks.risksOf(label, parts, isWord)
  return {
    sound: sound && { syllables: sound.syllables, said: sound.said },
    risks: found,
    languages: found.checked === 0 ? [] : risks.languages(),
  }
}
