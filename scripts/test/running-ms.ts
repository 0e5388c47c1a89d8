/**
 * A clock for upper limits in tests. It counts the milliseconds in which this process could have run: a pause that the
 * machine forced on it is not counted, work that blocks the event loop is.
 */
const TICK_MS = 10
/** A longer gap between two ticks is a pause, unless the process was working. */
const LONGEST_GAP_MS = 3 * TICK_MS

let counted = 0
let last: { readonly at: number; readonly cpuMs: number } | undefined

/** Never ahead of the time by the wall: use `performance.now()` for lower limits. */
export function runningMs(): number {
  if (last === undefined) setInterval(countOn, TICK_MS).unref()
  countOn()
  return counted
}

function countOn(): void {
  const { user, system } = process.cpuUsage()
  const now = { at: performance.now(), cpuMs: (user + system) / 1000 }
  if (last !== undefined) {
    const gap = now.at - last.at
    counted += Math.min(gap, Math.max(LONGEST_GAP_MS, now.cpuMs - last.cpuMs))
  }
  last = now
}
