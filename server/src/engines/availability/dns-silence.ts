/**
 * Tracks suffixes whose servers have stopped responding, so that queries about them do not take the places of others.
 *
 * A suffix is silent from its first timed-out query until its next response. Meanwhile only a few probe queries are
 * in flight to detect recovery. The others are queued; they are released one by one as probes end, or all at once with
 * the first response. The caller decides how long a queued query may wait. A suffix without queries is forgotten.
 */
export interface Silences<Q extends SuffixQuery> {
  /** The query has timed out; it may be sent again. */
  begin(query: Q): void
  /** Queues the query if its suffix is silent and enough probes are in flight. False if it may be sent. */
  queueIfSilent(query: Q): boolean
  /** The suffix has responded. Returns the queries that may now be sent. */
  end(suffix: string): Iterable<Q>
  /** The query has ended, sent or not. Returns one that may now be sent. */
  leave(query: Q): Q | undefined
}

interface SuffixQuery {
  readonly suffix: string
}

// One probe would be enough to get a response; several are not lost together with one datagram.
const PROBES = 8

export function createSilences<Q extends SuffixQuery>(): Silences<Q> {
  const silences = new Map<string, { readonly inFlight: Set<Q>; readonly queued: Set<Q> }>()
  return {
    begin(query) {
      const silence = silences.get(query.suffix) ?? { inFlight: new Set(), queued: new Set() }
      silences.set(query.suffix, silence)
      silence.inFlight.add(query)
    },
    queueIfSilent(query) {
      const silence = silences.get(query.suffix)
      if (silence === undefined) return false
      const isQueued = silence.inFlight.size >= PROBES
      silence[isQueued ? 'queued' : 'inFlight'].add(query)
      return isQueued
    },
    end(suffix) {
      const queued = silences.get(suffix)?.queued ?? []
      silences.delete(suffix)
      return queued
    },
    leave(query) {
      const silence = silences.get(query.suffix)
      if (silence === undefined) return undefined
      silence.queued.delete(query)
      silence.inFlight.delete(query)
      if (silence.inFlight.size >= PROBES) return undefined
      const [next] = silence.queued
      if (next !== undefined) silence.queued.delete(next)
      else if (silence.inFlight.size === 0) silences.delete(query.suffix)
      return next
    },
  }
}
