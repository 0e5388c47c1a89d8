/**
 * Suffixes whose servers have stopped answering, so that questions about them do not take the places of others.
 *
 * A suffix is silent from the first question that was waited for in vain until the next answer. Meanwhile only a few
 * questions about it are out, to notice when it speaks again; the others are held, and come back one by one as those
 * few end, or all at once with the first answer. Whoever holds them decides how long they may wait. A suffix nobody
 * asks about any more is forgotten.
 */
export interface Silences<Q extends Held> {
  /** The question was waited for in vain; it may be asked again. */
  begin(question: Q): void
  /** True when the question must wait here; false when it may be sent. */
  hold(question: Q): boolean
  /** The suffix has spoken: those that may now be sent. */
  end(suffix: string): Iterable<Q>
  /** The question is over, sent or not: one that may now be sent. */
  leave(question: Q): Q | undefined
}

interface Held {
  readonly suffix: string
}

// One would do to hear an answer; a few are not lost together with one datagram.
const PROBES = 8

export function createSilences<Q extends Held>(): Silences<Q> {
  const silences = new Map<string, { readonly out: Set<Q>; readonly held: Set<Q> }>()
  return {
    begin(question) {
      const silence = silences.get(question.suffix) ?? { out: new Set(), held: new Set() }
      silences.set(question.suffix, silence)
      silence.out.add(question)
    },
    hold(question) {
      const silence = silences.get(question.suffix)
      if (silence === undefined) return false
      const isHeld = silence.out.size >= PROBES
      silence[isHeld ? 'held' : 'out'].add(question)
      return isHeld
    },
    end(suffix) {
      const held = silences.get(suffix)?.held ?? []
      silences.delete(suffix)
      return held
    },
    leave(question) {
      const silence = silences.get(question.suffix)
      if (silence === undefined) return undefined
      silence.held.delete(question)
      silence.out.delete(question)
      if (silence.out.size >= PROBES) return undefined
      const [next] = silence.held
      if (next !== undefined) silence.held.delete(next)
      else if (silence.out.size === 0) silences.delete(question.suffix)
      return next
    },
  }
}
