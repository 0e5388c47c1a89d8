/**
 * Tracks suffixes whose servers have stopped responding, so that queries about them do not take the places of others.
 *
 * A suffix is silent from its first timed-out query until its next response. Meanwhile only a few probe queries are
 * in flight to detect recovery. The others are held; they are released one by one as probes end, or all at once with
 * the first response. The caller decides how long a held query may wait. A suffix without queries is forgotten.
 */
export interface Silences<Q extends HeldQuery> {
  /** The query has timed out; it may be sent again. */
  begin(query: Q): void
  /** True if the query must wait here; false if it may be sent. */
  hold(query: Q): boolean
  /** The suffix has responded. Returns the queries that may now be sent. */
  end(suffix: string): Iterable<Q>
  /** The query has ended, sent or not. Returns one that may now be sent. */
  leave(query: Q): Q | undefined
}

interface HeldQuery {
  readonly suffix: string
}

// One probe would be enough to get a response; several are not lost together with one datagram.
const PROBES = 8

export function createSilences<Q extends HeldQuery>(): Silences<Q> {
  const silences = new Map<string, { readonly out: Set<Q>; readonly held: Set<Q> }>()
  return {
    begin(query) {
      const silence = silences.get(query.suffix) ?? { out: new Set(), held: new Set() }
      silences.set(query.suffix, silence)
      silence.out.add(query)
    },
    hold(query) {
      const silence = silences.get(query.suffix)
      if (silence === undefined) return false
      const isHeld = silence.out.size >= PROBES
      silence[isHeld ? 'held' : 'out'].add(query)
      return isHeld
    },
    end(suffix) {
      const held = silences.get(suffix)?.held ?? []
      silences.delete(suffix)
      return held
    },
    leave(query) {
      const silence = silences.get(query.suffix)
      if (silence === undefined) return undefined
      silence.held.delete(query)
      silence.out.delete(query)
      if (silence.out.size >= PROBES) return undefined
      const [next] = silence.held
      if (next !== undefined) silence.held.delete(next)
      else if (silence.out.size === 0) silences.delete(query.suffix)
      return next
    },
  }
}
