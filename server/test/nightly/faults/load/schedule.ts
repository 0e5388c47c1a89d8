/**
 * What is called when, fixed before the first call: a slow service gets no fewer calls for being slow.
 *
 * The gaps between calls are those of many independent callers, so that calls also come in clumps. The same seed is the
 * same schedule.
 */
import type { Kind } from './log.ts'

// Of all calls; the rest reads.
const GENERATE = 0.5
const FAVORITE = 0.3

export interface Due {
  /** After the start. */
  readonly atMs: number
  readonly kind: Kind
  /** Between 0 and 1: chooses among keys, descriptions and paths. */
  readonly chance: number
}

export function scheduleOf(perSecond: number, seconds: number, seed: number): Due[] {
  const random = randomOf(seed)
  const gap = () => (-Math.log(1 - random()) / perSecond) * 1000
  const due: Due[] = []
  for (let atMs = gap(); atMs < seconds * 1000; atMs += gap()) {
    const at = random()
    const kind = at < GENERATE ? 'generate' : at < GENERATE + FAVORITE ? 'favorite' : 'read'
    due.push({ atMs, kind, chance: random() })
  }
  return due
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
