/** How well a judge tells liked names from others, and how well readers agree with each other. */
import type { Marked, Pair } from './pairs.ts'

export interface RatedPair extends Pair {
  readonly rating: number
}

/** The chance that a liked name is rated above one that is not. */
export function auc(rated: readonly { liked: boolean; rating: number }[]): number {
  const sorted = rated.toSorted((a, b) => a.rating - b.rating)
  let ranks = 0
  let liked = 0
  for (const [place, one] of sorted.entries()) {
    if (!one.liked) continue
    ranks += place + 1
    liked++
  }
  return (ranks - (liked * (liked + 1)) / 2) / (liked * (rated.length - liked))
}

/** The mean over descriptions of the chance within each: what an order of names is about. */
export function aucWithin(rated: readonly RatedPair[]): number {
  const each = [...Map.groupBy(rated, ({ group }) => group).values()].map(auc).filter((value) => !Number.isNaN(value))
  return each.reduce((sum, value) => sum + value, 0) / each.length
}

export function bestOf(rated: readonly RatedPair[], count: number): Pair[] {
  return [...Map.groupBy(rated, ({ group }) => group).values()].flatMap((group) =>
    group.toSorted((a, b) => b.rating - a.rating).slice(0, count),
  )
}

/** Of the names two readers have both read for one description. */
export function agreementOf(marks: readonly Marked[]): string {
  let [both, same, chance] = [0, 0, 0]
  for (const readers of Map.groupBy(marks, ({ description }) => description).values()) {
    for (const [place, one] of readers.entries()) {
      for (const other of readers.slice(place + 1)) {
        const liked = new Set(other.yes)
        const seen = new Set([...other.yes, ...other.no])
        const mine = new Set(one.yes)
        const shared = [...one.yes, ...one.no].filter((name) => seen.has(name))
        if (one.reader === other.reader || shared.length === 0) continue
        both += shared.length
        same += shared.filter((name) => mine.has(name) === liked.has(name)).length
        const [my, their] = [mine, liked].map(
          (set) => shared.filter((name) => set.has(name)).length / shared.length,
        ) as [number, number]
        chance += shared.length * (my * their + (1 - my) * (1 - their))
      }
    }
  }
  if (both === 0) return 'none measured'
  return `${((100 * same) / both).toFixed(1)} % of ${both} pairs (kappa ${((same - chance) / (both - chance)).toFixed(2)})`
}
