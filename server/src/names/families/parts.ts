/**
 * The halves that the written names of an aspect are made of: "crop" opens names about farming, "clock" ends names
 * about time. A namer chose them once for one name; other names are made of them here.
 */
import type { Knowledge } from '../knowledge/knowledge.ts'
import type { Lead } from '../understand/understand.ts'

export interface Halves {
  readonly lead: Lead
  readonly firsts: readonly string[]
  readonly seconds: readonly string[]
  /** Short plain words of the aspect. */
  readonly singles: readonly string[]
}

const MAX_HALF_LENGTH = 6
const MIN_HALF_LENGTH = 3
const SOLID = new Set(['word', 'object', 'nature', 'place', 'role'])

export function halvesOf(knowledge: Knowledge, lead: Lead): Halves {
  const { aspects, written, words, safety } = knowledge
  const firsts = new Set<string>()
  const seconds = new Set<string>()
  const singles = new Set<string>()
  const fits = (word: string) =>
    word.length >= MIN_HALF_LENGTH && word.length <= MAX_HALF_LENGTH && words.find(word) >= 0 && safety.isClean(word)
  for (let entry = aspects.starts[lead.aspect]!; entry < aspects.starts[lead.aspect + 1]!; entry++) {
    const text = written.texts.at(written.name[entry]!)
    const cut = text.indexOf('+')
    if (cut > 0) {
      if (fits(text.slice(0, cut))) firsts.add(text.slice(0, cut))
      if (fits(text.slice(cut + 1))) seconds.add(text.slice(cut + 1))
    } else if (SOLID.has(written.kind(entry)) && !text.includes(' ') && fits(text)) singles.add(text)
  }
  return { lead, firsts: [...firsts], seconds: [...seconds], singles: [...singles] }
}

/** False where two halves would be misspelt or could not be said. */
export function joinsWell(first: string, second: string): boolean {
  if (first.at(-1) === second[0] || first === second) return false
  const coda = /[^aeiouy]*$/.exec(first)![0].length
  const onset = /^[^aeiouy]*/.exec(second)![0].length
  return coda + onset <= 3 && coda + onset > 0
}
