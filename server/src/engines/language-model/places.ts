/**
 * Places for requests to the model. A subject may take as many as it leaves free: the first may have half of them, the
 * next half of the rest, and so on. So one that is alone has enough, and whoever comes next still finds a place.
 */
export interface ModelPlaces {
  /** Returns how to leave again; undefined if this subject gets no further place now. */
  enter(subject: string): (() => void) | undefined
}

export function createModelPlaces(most: number): ModelPlaces {
  const taken = new Map<string, number>()
  let free = most

  return {
    enter(subject) {
      const own = taken.get(subject) ?? 0
      if (own >= free) return undefined
      free--
      taken.set(subject, own + 1)
      return () => {
        free++
        const rest = (taken.get(subject) ?? 1) - 1
        if (rest === 0) taken.delete(subject)
        else taken.set(subject, rest)
      }
    },
  }
}
