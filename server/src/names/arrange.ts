/**
 * The order of an answer: the best name next, unless too much like those before it.
 *
 * Each name in turn is the one with the highest score after the penalty for its likeness to earlier names: the same
 * aspect, the same word, the same family. Single dictionary words please most and are almost all taken, so they give
 * way to coined ones after a while. The costs fade with the length of the answer: in a list of a hundred an aspect may
 * speak thirty times, in the first ten three times.
 */
import type { Style } from '../model/name.ts'
import { isCoined } from './knowledge/kinds.ts'
import type { Draft } from './families/draft.ts'

export interface Rated {
  readonly draft: Draft
  readonly score: number
}

// What share of an answer one aspect or shape of name may have before the next of its kind costs, and how much.
const ASPECT = { weight: 0.9, share: 0.34 }
const SINGLE = { key: 'a single word', weight: 1.5, share: 0.3 }
const STYLE: Readonly<Partial<Record<Style, number>>> = { invented: 0.36, blend: 0.3, short_phrase: 0.24 }
const FAMILY = { weight: 1.2, share: 0.5 }
const OWN = 0.3
// A word that was heard costs at once, and less the longer the answer is.
const WORD = { weight: 4, share: 0 }
const FADING = 12
// Only this many of the best scores are compared for each place.
const WINDOW = 400

export function arrange(rated: readonly Rated[], wanted: number): Rated[] {
  const rest = rated
    .toSorted((a, b) => b.score - a.score || (a.draft.label < b.draft.label ? -1 : 1))
    .map((one): Waiting => ({ one, traits: undefined }))
  const chosen: Rated[] = []
  const traitsOf = createTraits()

  function cost(traits: readonly Trait[]): number {
    let sum = 0
    for (const { count, weight, share } of traits) {
      if (count === 0) continue
      const over =
        share === 0 ? (count * FADING) / (FADING + chosen.length) : count + 1 - Math.max(1, share * (chosen.length + 1))
      if (over > 0) sum += weight * over
    }
    return sum
  }

  while (chosen.length < wanted && rest.length > 0) {
    let best = 0
    let most = -Infinity
    const window = Math.min(rest.length, WINDOW)
    for (let at = 0; at < window; at++) {
      const waiting = rest[at]!
      // Sorted by score: nothing after this can win, because a cost is never negative.
      if (waiting.one.score <= most) break
      waiting.traits ??= traitsOf(waiting.one.draft)
      const value = waiting.one.score - cost(waiting.traits)
      if (value > most) [best, most] = [at, value]
    }
    const [next] = rest.splice(best, 1)
    chosen.push(next!.one)
    for (const trait of next!.traits!) trait.count++
  }
  return chosen
}

interface Waiting {
  readonly one: Rated
  /** Found out when it is first compared: many never are. */
  traits: readonly Trait[] | undefined
}

interface Trait {
  /** How many of the chosen names have it. */
  count: number
  readonly weight: number
  /** The share of an answer it may have for nothing; 0 for what should not come again at all. */
  readonly share: number
}

/** Names that share a trait share the object. */
function createTraits(): (draft: Draft) => Trait[] {
  const known = new Map<string | number, Trait>()
  const trait = (key: string | number, { weight, share }: { weight: number; share: number }) => {
    let found = known.get(key)
    if (found === undefined) known.set(key, (found = { count: 0, weight, share }))
    return found
  }
  return ({ lead, second, parts, kind, family, style }) => {
    const traits = [trait(lead.aspect, ASPECT)]
    if (second !== undefined) traits.push(trait(second.aspect, ASPECT))
    // Names around a caller's own word repeat it; that is what was asked for.
    if (family !== 'own') for (const part of parts) traits.push(trait(part, WORD))
    if (parts.length === 1 && !isCoined(kind)) traits.push(trait(SINGLE.key, SINGLE))
    const share = family === 'own' ? OWN : (STYLE[style] ?? FAMILY.share)
    traits.push(trait(`family ${family} ${style}`, { weight: FAMILY.weight, share }))
    return traits
  }
}
