/**
 * The curated other halves of a name: second parts ("kin", "wick"), leads ("true", "wild") and endings ("etta").
 *
 * Which partner suits is decided by what the description wants to do (sell, watch, teach …), its *intent*, and never
 * by the first part: real names show no pattern there.
 */
import { readJson, wordsOf } from './data.ts'
import type { Part } from './part.ts'
import { makePart } from './part.ts'

export interface Partners {
  /** A word of a description → what it says the caller wants to do. */
  readonly intentOf: ReadonlyMap<string, readonly number[]>
  readonly intents: number
  readonly endings: readonly Ending[]
  tails(intents: readonly number[]): readonly Part[]
  leads(intents: readonly number[]): readonly Part[]
}

export interface Ending {
  readonly text: string
  readonly rating: number
  readonly vowel: boolean
}

interface PartsFile {
  readonly tails: string
  readonly leads: string
  readonly endings: Record<string, number>
  readonly intents: Record<string, { triggers: string; tails: string; leads: string }>
}

export async function readPartners(lexicon: ReadonlyMap<string, Part>): Promise<Partners> {
  const file = await readJson<PartsFile>('parts.json')
  const rows = Object.values(file.intents)
  const partsOf = (text: string) => wordsOf(text).map((word) => lexicon.get(word) ?? makePart([word], 'n'))
  const intentOf = new Map<string, number[]>()
  for (const [intent, { triggers }] of rows.entries()) {
    for (const word of wordsOf(triggers)) intentOf.set(word, [...(intentOf.get(word) ?? []), intent])
  }
  return {
    intentOf,
    intents: rows.length,
    endings: Object.entries(file.endings)
      .map(([text, rating]) => ({ text, rating, vowel: 'aeio'.includes(text.charAt(0)) }))
      .toSorted((a, b) => b.rating - a.rating),
    tails: choices(
      rows.map(({ tails }) => partsOf(tails)),
      partsOf(file.tails),
    ),
    leads: choices(
      rows.map(({ leads }) => partsOf(leads)),
      partsOf(file.leads),
    ),
  }
}

/** The list for a set of intents; there are few sets of at most two, so each is laid out once and kept. */
function choices(own: readonly (readonly Part[])[], general: readonly Part[]) {
  const kept = new Map<string, readonly Part[]>()
  return (intents: readonly number[]): readonly Part[] => {
    const key = intents.join()
    const known = kept.get(key)
    if (known !== undefined) return known
    const made = alternate([...intents.map((intent) => own[intent] ?? []), general])
    kept.set(key, made)
    return made
  }
}

function alternate(lists: readonly (readonly Part[])[]): Part[] {
  const texts = new Map<string, Part>()
  const longest = Math.max(...lists.map(({ length }) => length))
  for (let at = 0; at < longest; at++) {
    for (const list of lists) {
      const part = list[at]
      if (part !== undefined && !texts.has(part.text)) texts.set(part.text, part)
    }
  }
  return [...texts.values()]
}
