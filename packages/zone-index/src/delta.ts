/**
 * Finds the changes since the base by merging two ordered lists. Cumulative: a node needs only the base and the
 * latest delta.
 */
export interface Delta {
  readonly adds: Uint32Array
  readonly drops: Uint32Array
}

/** Undefined if more than `most` names differ: then a new base is smaller. */
export function findDelta(base: Iterable<Uint32Array>, next: Iterable<Uint32Array>, most: number): Delta | undefined {
  const adds: number[] = []
  const drops: number[] = []
  const old = walk(base)
  const fresh = walk(next)
  let isOld = old.advance()
  let isFresh = fresh.advance()
  while (isOld || isFresh) {
    const order = !isOld ? 1 : !isFresh ? -1 : old.first - fresh.first || old.second - fresh.second
    if (order < 0) drops.push(old.first, old.second)
    if (order > 0) adds.push(fresh.first, fresh.second)
    if (adds.length + drops.length > 2 * most) return undefined
    if (order <= 0) isOld = old.advance()
    if (order >= 0) isFresh = fresh.advance()
  }
  return { adds: Uint32Array.from(adds), drops: Uint32Array.from(drops) }
}

function walk(pieces: Iterable<Uint32Array>) {
  const iterator = pieces[Symbol.iterator]()
  let piece = new Uint32Array(0)
  let at = 0
  const here = {
    first: 0,
    second: 0,
    advance(): boolean {
      while (at === piece.length) {
        const next = iterator.next()
        if (next.done === true) return false
        piece = next.value as Uint32Array<ArrayBuffer>
        at = 0
      }
      here.first = piece[at] as number
      here.second = piece[at + 1] as number
      at += 2
      return true
    },
  }
  return here
}
