/** Picking without choosing: the order of a hash, which nobody can bend and everybody can repeat. */
import { createHash } from 'node:crypto'

/** The items in the order of the hash of seed and key; the first n are a sample of n. */
export function shuffleByHash<Item>(items: readonly Item[], seed: string, keyOf: (item: Item) => string): Item[] {
  return items
    .map((item) => ({
      item,
      hash: createHash('sha256')
        .update(`${seed}\n${keyOf(item)}`)
        .digest('hex'),
    }))
    .toSorted((a, b) => (a.hash < b.hash ? -1 : 1))
    .map(({ item }) => item)
}
