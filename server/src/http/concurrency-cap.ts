/** Caps how many of something one subject may hold at the same time: sockets of an address, event streams of a key. */
export interface ConcurrencyCap {
  /** Returns a function that releases the place, once; undefined when the subject is at its cap. */
  take(subject: string): (() => void) | undefined
}

export function createConcurrencyCap(most: number): ConcurrencyCap {
  const held = new Map<string, number>()
  return {
    take(subject) {
      const before = held.get(subject) ?? 0
      if (before >= most) return undefined
      held.set(subject, before + 1)
      let isReleased = false
      return () => {
        if (isReleased) return
        isReleased = true
        const rest = (held.get(subject) ?? 1) - 1
        if (rest === 0) held.delete(subject)
        else held.set(subject, rest)
      }
    },
  }
}
