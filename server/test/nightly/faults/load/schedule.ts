/**
 * What is called when, fixed before the first call: a slow service gets no fewer calls for being slow.
 *
 * The gaps between calls are those of many independent callers, so that calls also come in clumps. The same seed is the
 * same schedule.
 */
import type { Kind } from './log.ts'

export interface Mix {
  readonly generate: number
  readonly favorite: number
  readonly read: number
}

export const USUAL_MIX: Mix = { generate: 50, favorite: 30, read: 20 }

/** So many calls a second for so long; phases follow each other. */
export interface Phase {
  readonly perSecond: number
  readonly seconds: number
}

export interface Due {
  /** After the start. */
  readonly atMs: number
  readonly kind: Kind
  /** Between 0 and 1: chooses among keys, descriptions and paths. */
  readonly chance: number
}

export function scheduleOf(phases: readonly Phase[], mix: Mix, seed: number): Due[] {
  const random = randomOf(seed)
  const total = mix.generate + mix.favorite + mix.read
  const due: Due[] = []
  let from = 0
  for (const { perSecond, seconds } of phases) {
    const until = from + seconds * 1000
    for (let atMs = from + gap(perSecond); atMs < until; atMs += gap(perSecond)) {
      const at = random() * total
      const kind = at < mix.generate ? 'generate' : at < mix.generate + mix.favorite ? 'favorite' : 'read'
      due.push({ atMs, kind, chance: random() })
    }
    from = until
  }
  return due

  function gap(perSecond: number): number {
    return (-Math.log(1 - random()) / perSecond) * 1000
  }
}

/** Mulberry32: small, and good enough to spread calls. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
