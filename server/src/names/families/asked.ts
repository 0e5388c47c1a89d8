/**
 * Names around the words a caller insists on or likes, and around the names of people and places in the description:
 * before a light second part, and joined to the halves of the aspects.
 */
import type { Knowledge } from '../knowledge/knowledge.ts'
import type { Lead, Understanding } from '../understand/understand.ts'
import type { Draft } from './draft.ts'
import type { Halves } from './parts.ts'
import { joinsWell } from './parts.ts'

export function* asked(
  knowledge: Knowledge,
  understanding: Understanding,
  halves: readonly Halves[],
  words: readonly string[],
  most: number,
): Iterable<Draft> {
  // The words share the names, so that many cost no more than a few.
  for (const word of words) yield* around(word, knowledge, understanding, halves).take(most / words.length)
}

function* around(
  word: string,
  knowledge: Knowledge,
  understanding: Understanding,
  halves: readonly Halves[],
): Generator<Draft, undefined> {
  const lead = halves[0]?.lead
  if (lead === undefined) return
  if (knowledge.words.find(word) >= 0) yield itself(word, lead)
  for (const half of halves) {
    for (const second of half.seconds) yield* join(word, second, half.lead)
    for (const first of [...half.firsts, ...half.singles]) yield* join(first, word, half.lead)
  }
  for (const tail of [...understanding.tails, ...knowledge.patterns.tails]) {
    yield* join(word, tail, lead)
    yield* join(tail, word, lead)
  }
}

function itself(word: string, lead: Lead): Draft {
  return {
    label: word,
    parts: [word],
    apart: false,
    family: 'own',
    kind: 'word',
    style: 'real_word',
    lead,
    rank: 0,
    written: -1,
    image: '',
  }
}

function* join(first: string, second: string, lead: Lead): Iterable<Draft> {
  if (!joinsWell(first, second)) return
  yield {
    label: first + second,
    parts: [first, second],
    apart: false,
    family: 'own',
    kind: 'coined',
    style: 'compound',
    lead,
    rank: 0.5,
    written: -1,
    image: '',
  }
}
