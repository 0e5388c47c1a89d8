/**
 * What a whole phrase means beyond its words: concepts ("why users leave" is about churn) and intents (selling,
 * tracking, teaching …), found by sets of words that are all there, in any order and inflection.
 */
import type { Knowledge } from '../knowledge/knowledge.ts'
import { basesOf } from './english.ts'
import type { Mention } from './mentions.ts'
import type { Token } from './tokens.ts'

export function findConcepts(
  knowledge: Knowledge,
  tokens: readonly Token[],
  mentions: readonly Mention[],
): { aspect: number; because: string }[] {
  const said = saidWords(knowledge, tokens, mentions)
  const english = knowledge.forms.get('en')!
  const { concepts, conceptsOf } = knowledge.patterns
  const possible = new Set(said.keys().flatMap((word) => conceptsOf.get(word) ?? []))
  const inOrder = [...possible].toSorted((a, b) => a - b)
  return inOrder.flatMap((place) => {
    const { triggers, denials, aspects } = concepts[place]!
    const trigger = triggers.find((words) => words.every((word) => said.has(word)))
    if (trigger === undefined || denials.some((word) => said.has(word))) return []
    return aspects
      .flatMap((head) => english.exact(head.replaceAll('-', ' ')).slice(0, 1))
      .map((aspect) => ({ aspect, because: trigger.map((word) => said.get(word)).join(' ') }))
  })
}

/** The second parts of the two intents that most words speak for. */
export function findIntents(knowledge: Knowledge, mentions: readonly Mention[]): string[] {
  const said = new Set(mentions.flatMap((mention) => [mention.folded, ...mention.aspects.map(knowledge.aspects.head)]))
  const { intents, intentsOf } = knowledge.patterns
  const votes = new Map<number, number>()
  for (const word of said) for (const place of intentsOf.get(word) ?? []) votes.set(place, (votes.get(place) ?? 0) + 1)
  return [...votes]
    .toSorted(([a, votesOfA], [b, votesOfB]) => votesOfB - votesOfA || a - b)
    .slice(0, 2)
    .flatMap(([place]) => intents[place]!.tails)
}

/** Every word, with what it may be a form of → as the caller wrote it; for other languages by the heads of its aspects. */
function saidWords(knowledge: Knowledge, tokens: readonly Token[], mentions: readonly Mention[]): Map<string, string> {
  const said = new Map<string, string>()
  for (const { aspects, text } of mentions) {
    for (const aspect of aspects) said.set(knowledge.aspects.head(aspect), text)
  }
  for (const { folded, text } of tokens) for (const form of [...basesOf(folded), folded]) said.set(form, text)
  return said
}
