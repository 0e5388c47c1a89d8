/**
 * Who gets a free place.
 *
 * One number of places for all makes a long batch hold every one of them while a webhook waits; a fixed number for each
 * lane leaves places empty while work waits. So each lane has a few places that no other may take, and the rest go to the
 * highest lane that has work: none starves, and little is idle.
 */
import { LANES } from './queues.ts'
import type { Lane } from './queues.ts'

/** Of eight places one is a lane's own; and it always has one. */
const SHARE = 8

/** Below this not every lane has a place. */
export const LEAST_PLACES = LANES.length

export function reservedOf(places: number): number {
  return Math.max(1, Math.floor(places / SHARE))
}

/** How many more jobs of a lane may start now. */
export function freePlaces(places: number, running: Readonly<Record<Lane, number>>, lane: Lane): number {
  const reserved = reservedOf(places)
  const all = LANES.reduce((sum, one) => sum + running[one], 0)
  const kept = LANES.filter((one) => one !== lane).reduce((sum, one) => sum + Math.max(0, reserved - running[one]), 0)
  return Math.max(0, places - all - kept)
}
