import { startPauseTolerantTimer } from '../src/platform/pause-tolerant-timer.ts'

/**
 * As `AbortSignal.timeout`, for a server in the process of the test: a pause of that process takes little of its time.
 */
export function timeoutOf(ms: number): AbortSignal {
  const controller = new AbortController()
  startPauseTolerantTimer(ms, () => controller.abort())
  return controller.signal
}
