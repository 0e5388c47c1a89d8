/** A name before the caller's rules have been applied. */
import type { Style } from './request.ts'
import { capitalise } from './text.ts'

export interface Draft {
  readonly label: string
  readonly name: string
  /** In order; of a compound or phrase they make up the label. */
  readonly parts: readonly string[]
  readonly style: Style
  /** 0..1: how likely it has to do with the description. */
  readonly relevance: number
  readonly because?: string
  readonly reason?: string
  readonly image?: string
  readonly suffix?: string
}

export type DraftFacts = Partial<Omit<Draft, 'label' | 'parts'>>

export function glued(parts: readonly string[], facts: DraftFacts = {}): Draft {
  const label = parts.join('')
  return {
    label,
    name: capitalise(label),
    parts,
    style: parts.length > 1 ? 'compound' : 'invented',
    relevance: 0.5,
    ...facts,
  }
}

/** "and" between two words is written as people write it in names. */
export function phrase(parts: readonly string[], facts: DraftFacts = {}): Draft {
  const words = parts.map((part, at) => (part === 'and' && at > 0 && at < parts.length - 1 ? '&' : capitalise(part)))
  return { label: parts.join(''), name: words.join(' '), parts, style: 'short_phrase', relevance: 0.5, ...facts }
}

/** "crop+clock", "milk round" or "unwilt", as the lists write names. */
export function written(text: string, facts: DraftFacts = {}): Draft {
  return text.includes(' ') ? phrase(text.split(' '), facts) : glued(text.split('+'), facts)
}

/** So many of the first list, then of the second, and so on, until all are used up. */
export function* inTurns<T>(lists: readonly Iterable<T>[], takes: readonly number[]): Generator<T, undefined> {
  const iterators = lists.map((list) => list[Symbol.iterator]())
  for (let isOpen = true; isOpen;) {
    isOpen = false
    for (const [nth, iterator] of iterators.entries()) {
      const take = takes[nth] ?? takes.at(-1) ?? 1
      for (let next = iterator.next(), taken = 1; next.done !== true; next = iterator.next(), taken++) {
        yield next.value
        isOpen = true
        if (taken === take) break
      }
    }
  }
}
