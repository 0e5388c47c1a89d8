/** Measures how long a turn of the event loop takes, which is how long new work waits before it starts. */
import { monitorEventLoopDelay } from 'node:perf_hooks'

// The sampling interval. Shorter turns cannot be told apart.
const SAMPLED_MS = 10
const NS_PER_MS = 1e6

export interface LoopTurn extends Disposable {
  /** The median since the last call: one pause of the garbage collector is no queue. */
  readMs(): number
}

export function openLoopTurn(): LoopTurn {
  const histogram = monitorEventLoopDelay({ resolution: SAMPLED_MS })
  histogram.enable()
  return {
    readMs() {
      const ms = histogram.count === 0 ? SAMPLED_MS : histogram.percentile(50) / NS_PER_MS
      histogram.reset()
      return ms
    },
    [Symbol.dispose]: () => {
      histogram.disable()
    },
  }
}
