/**
 * What readers think of an aspect's names as a whole, and of a name beside other descriptions: shares of likes, above or
 * below the average, drawn towards it where few were read.
 *
 * For a pair that is learned from, the marks of its own description do not count: the judge must not see the answer.
 */
import { FEATURES } from '../../server/src/names/judge/judge.ts'
import type { Pair } from './pairs.ts'

export interface Opinion {
  /** `pair` counts as one of those the opinion is of when `learned` is true. */
  of(pair: Pair, learned: boolean): number
  all(): Map<string, number>
}

interface Count {
  likes: number
  marks: number
}

const ASPECT = { feature: FEATURES.indexOf('taste.aspect'), keyOf: (pair: Pair) => pair.aspect, prior: 8 }
const NAME = { feature: FEATURES.indexOf('taste.name'), keyOf: (pair: Pair) => pair.name, prior: 2 }

export function learnOpinions(pairs: readonly Pair[]): { aspects: Opinion; names: Opinion } {
  return { aspects: learn(pairs, ASPECT.keyOf, ASPECT.prior), names: learn(pairs, NAME.keyOf, NAME.prior) }
}

/** The pairs with both opinions among their features. */
export function withOpinions(
  pairs: readonly Pair[],
  { aspects, names }: ReturnType<typeof learnOpinions>,
  learned: boolean,
): Pair[] {
  return pairs.map((pair) => {
    const features = Float64Array.from(pair.features)
    features[ASPECT.feature] = pair.aspect === '' ? 0 : aspects.of(pair, learned)
    features[NAME.feature] = pair.aspect === '' ? 0 : names.of(pair, learned)
    return { ...pair, features }
  })
}

function learn(pairs: readonly Pair[], keyOf: (pair: Pair) => string, prior: number): Opinion {
  const mean = pairs.filter(({ liked }) => liked).length / pairs.length
  const counts = new Map<string, Count>()
  const own = new Map<string, Count>()
  for (const pair of pairs) {
    add(counts, keyOf(pair), pair.liked)
    add(own, `${pair.group} ${keyOf(pair)}`, pair.liked)
  }
  const value = (likes: number, marks: number) => (likes + prior * mean) / (marks + prior) - mean
  return {
    of(pair, learned) {
      const { likes, marks } = counts.get(keyOf(pair)) ?? { likes: 0, marks: 0 }
      const mine = learned ? own.get(`${pair.group} ${keyOf(pair)}`) : undefined
      return value(likes - (mine?.likes ?? 0), marks - (mine?.marks ?? 0))
    },
    all: () => new Map([...counts].map(([key, { likes, marks }]) => [key, value(likes, marks)])),
  }
}

function add(counts: Map<string, Count>, key: string, liked: boolean): void {
  const count = counts.get(key) ?? { likes: 0, marks: 0 }
  count.marks++
  if (liked) count.likes++
  counts.set(key, count)
}
