/**
 * Queues lookups that wait for one host, served in turn per fairness key.
 *
 * In a single queue a caller with a thousand lookups blocks one with ten. Here the key that was served least recently
 * is next, however many lookups each key has; within a key the order is first in, first out. The key is an opaque
 * text: this file must never interpret it.
 *
 * A key that comes back while others wait is remembered, so that sending one lookup at a time gains nothing. Of very
 * many keys those served longest ago are forgotten; whoever is not remembered counts as served when they were.
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

// A few hundred callers wait for a busy host. Forgetting one moves it back by a turn at most.
const MOST_KEYS = 10_000

export function createFairQueue<T extends Queued>(): FairQueue<T> {
  /** With the keys that are counted in `lengths`. */
  const items = new Map<T, readonly string[]>()
  /** How many lookups each key has, and how many keys have so many. */
  const lengths = new Map<string, number>()
  const keysWith = new Map<number, number>()
  /** Counted in lookups taken, the longest ago first. */
  const servedAt = new Map<string, number>()
  let served = 0
  let forgottenAt = 0

  function count(key: string, change: 1 | -1): void {
    const before = lengths.get(key) ?? 0
    const after = before + change
    move(lengths, key, change)
    if (before > 0) move(keysWith, before, -1)
    if (after > 0) move(keysWith, after, 1)
  }

  function serve(key: string): void {
    servedAt.delete(key)
    servedAt.set(key, ++served)
    const [oldest] = servedAt
    if (servedAt.size <= MOST_KEYS || oldest === undefined) return
    forgottenAt = oldest[1]
    servedAt.delete(oldest[0])
  }

  function linesOf(isReady: (item: T) => boolean): Map<string, T[]> {
    const lines = new Map<string, T[]>()
    for (const item of items.keys()) {
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
    for (const key of items.get(item) ?? []) count(key, -1)
    items.delete(item)
    if (items.size > 0) return
    servedAt.clear()
    forgottenAt = 0
  }

  return {
    get size() {
      return items.size
    },
    [Symbol.iterator]: () => items.keys(),
    has: (item) => items.has(item),
    add(item) {
      if (items.has(item)) return
      const keys = [...item.fairnessKeys]
      items.set(item, keys)
      for (const key of keys) count(key, 1)
    },
    delete: remove,

    take(most, isReady = () => true) {
      const lastOf = (key: string) => servedAt.get(key) ?? forgottenAt
      const turns = [...linesOf(isReady)].toSorted(([a], [b]) => lastOf(a) - lastOf(b))
      const next = turns.map(([key, line]) => ({ key, line: line.values() }))
      const taken: T[] = []
      for (let turn = next.shift(); turn && taken.length < most; turn = next.shift()) {
        // A lookup of two keys may have been taken in the other key's turn.
        const item = turn.line.find((one) => items.has(one))
        if (!item) continue
        taken.push(item)
        serve(turn.key)
        remove(item)
        next.push(turn)
      }
      return taken
    },

    countAhead(fairnessKey) {
      const own = lengths.get(fairnessKey) ?? 0
      const ahead = keysWith.entries().reduce((sum, [length, keys]) => sum + keys * Math.min(length, own + 1), 0)
      return Math.min(ahead, items.size)
    },
  }
}

/** Changes a count; one of zero is not kept. */
function move<K>(counts: Map<K, number>, key: K, change: 1 | -1): void {
  const after = (counts.get(key) ?? 0) + change
  if (after === 0) counts.delete(key)
  else counts.set(key, after)
}
