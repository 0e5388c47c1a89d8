/** Caps how many of something one subject may use at the same time: sockets or bodies of an address. */
export interface ConcurrencyCap {
  /** Returns a function that releases the place, once; undefined when the subject is at its cap. */
  take(subject: string): (() => void) | undefined
}

export function createConcurrencyCap(most: number): ConcurrencyCap {
  const inUse = new Map<string, number>()
  return {
    take(subject) {
      const before = inUse.get(subject) ?? 0
      if (before >= most) return undefined
      inUse.set(subject, before + 1)
      let isReleased = false
      return () => {
        if (isReleased) return
        isReleased = true
        const rest = (inUse.get(subject) ?? 1) - 1
        if (rest === 0) inUse.delete(subject)
        else inUse.set(subject, rest)
      }
    },
  }
}
