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

/** Numbers in 0..1 that follow from the seed alone. */
export function createRandom(seed: string): () => number {
  let state = createHash('sha256').update(seed).digest().readUInt32LE(0)
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
