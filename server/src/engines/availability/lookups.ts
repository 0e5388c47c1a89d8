/** Counts cache lookups and hits. */
export interface LookupCounts {
  readonly asked: number
  readonly answered: number
  /** Milliseconds since 1970. */
  readonly lastAnswerAt: number | undefined
}

export interface Lookups {
  note<Found extends { readonly size: number }>(asked: { readonly length: number }, found: Found): Found
  read(): LookupCounts
}

export function createLookups(now: () => number): Lookups {
  let [asked, answered] = [0, 0]
  let lastAnswerAt: number | undefined
  return {
    note(wanted, found) {
      asked += wanted.length
      answered += found.size
      if (found.size > 0) lastAnswerAt = now()
      return found
    },
    read: () => ({ asked, answered, lastAnswerAt }),
  }
}
