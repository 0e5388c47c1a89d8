/**
 * Queues lookups that wait for one host, served in turn per fairness key.
 *
 * In a single queue a caller with a thousand lookups blocks one with ten. Here the key that was served least recently
 * is next, however many lookups each key has; within a key the order is first in, first out. The key is an opaque
 * text: this file must never interpret it.
 *
 * A key that comes back while others wait is remembered, so that sending one lookup at a time gains nothing.
 */
export interface Queued {
  /** The keys in whose turns it may be taken. Grows when another caller wants the same lookup. */
  readonly fairnessKeys: ReadonlySet<string>
}

export interface FairQueue<T extends Queued> extends Iterable<T> {
  readonly size: number
  has(item: T): boolean
  add(item: T): void
  delete(item: T): void
  /** Up to this many of the ready lookups, removed from the queue. */
  take(most: number, isReady?: (item: T) => boolean): T[]
  /** How many would be taken before a lookup that this key adds now. */
  countAhead(fairnessKey: string): number
}

export function createFairQueue<T extends Queued>(): FairQueue<T> {
  const items = new Set<T>()
  /** Counted in lookups taken. */
  const servedAt = new Map<string, number>()
  let served = 0

  function linesOf(isReady: (item: T) => boolean): Map<string, T[]> {
    const lines = new Map<string, T[]>()
    for (const item of items) {
      if (!isReady(item)) continue
      for (const key of item.fairnessKeys) {
        const line = lines.get(key)
        if (line) line.push(item)
        else lines.set(key, [item])
      }
    }
    return lines
  }

  function remove(item: T): void {
    items.delete(item)
    if (items.size === 0) servedAt.clear()
  }

  return {
    get size() {
      return items.size
    },
    [Symbol.iterator]: () => items.values(),
    has: (item) => items.has(item),
    add: (item) => void items.add(item),
    delete: remove,

    take(most, isReady = () => true) {
      const lastOf = (key: string) => servedAt.get(key) ?? 0
      const turns = [...linesOf(isReady)].toSorted(([a], [b]) => lastOf(a) - lastOf(b))
      const next = turns.map(([key, line]) => ({ key, line: line.values() }))
      const taken: T[] = []
      for (let turn = next.shift(); turn && taken.length < most; turn = next.shift()) {
        // A lookup of two keys may have been taken in the other key's turn.
        const item = turn.line.find((one) => items.has(one))
        if (!item) continue
        taken.push(item)
        servedAt.set(turn.key, ++served)
        remove(item)
        next.push(turn)
      }
      return taken
    },

    countAhead(fairnessKey) {
      const lines = linesOf(() => true)
      const own = lines.get(fairnessKey)?.length ?? 0
      const others = lines.entries().filter(([key]) => key !== fairnessKey)
      const ahead = others.reduce((sum, [, { length }]) => sum + Math.min(length, own + 1), own)
      return Math.min(ahead, items.size)
    },
  }
}
