/**
 * Decides which queue class gets a free slot.
 *
 * One shared pool lets a long batch occupy every slot while a webhook waits; a fixed number per queue class leaves
 * slots idle while work waits. So each queue class has a few reserved slots, and the rest go to the highest class that
 * has work: no class starves, and few slots are idle.
 */
import { QUEUE_CLASSES } from './queues.ts'
import type { QueueClass } from './queues.ts'

/** Each queue class reserves one slot in eight, and at least one. */
const SHARE = 8

/** With fewer slots, some queue class would have none. */
export const LEAST_PLACES = QUEUE_CLASSES.length

export function reservedOf(places: number): number {
  return Math.max(1, Math.floor(places / SHARE))
}

/** How many more jobs of a queue class may start now. */
export function freePlaces(
  places: number,
  running: Readonly<Record<QueueClass, number>>,
  queueClass: QueueClass,
): number {
  const reserved = reservedOf(places)
  const all = QUEUE_CLASSES.reduce((sum, one) => sum + running[one], 0)
  const kept = QUEUE_CLASSES.filter((one) => one !== queueClass).reduce(
    (sum, one) => sum + Math.max(0, reserved - running[one]),
    0,
  )
  return Math.max(0, places - all - kept)
}
