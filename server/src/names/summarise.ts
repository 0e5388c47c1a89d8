/** What was understood of a description, for whoever wants to know why an answer is as it is. */
import type { NameRequest, ProjectSummary } from '../model/name.ts'
import type { Knowledge } from './knowledge/knowledge.ts'
import { isSure, statedTraits } from './understand/fields.ts'
import { understand } from './understand/understand.ts'

// A field less likely than this is not worth telling.
const LIKELY = 0.25
const AUDIENCE = 'for '

export function summarise(knowledge: Knowledge, ask: NameRequest): ProjectSummary {
  const { language, fields, clues, ignored } = understand(knowledge, ask)
  const [guess] = fields
  const traits = statedTraits(knowledge.fields.byTrait, clues)
  const names = (isWanted: (trait: number, name: string) => boolean) =>
    traits.filter((trait) => isWanted(trait, knowledge.fields.trait(trait))).map(knowledge.fields.trait)
  const isManner = (trait: number) => knowledge.fields.isManner(trait)
  return {
    language,
    subject: guess !== undefined && guess.surety >= LIKELY ? knowledge.fields.name(guess.field) : null,
    does: names((trait) => !isManner(trait)),
    forWhom: names((trait, name) => isManner(trait) && name.startsWith(AUDIENCE)),
    angles: names((trait, name) => isManner(trait) && !name.startsWith(AUDIENCE)),
    ignored,
    isSure: isSure(guess),
  }
}
