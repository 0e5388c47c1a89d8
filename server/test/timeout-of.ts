import { startPauseTolerantTimer } from './source.ts'

/**
 * As `AbortSignal.timeout`, for a server in the process of the test: a pause of that process takes little of its time.
 */
export function timeoutOf(ms: number): AbortSignal {
  const controller = new AbortController()
  startPauseTolerantTimer(ms, () => controller.abort())
  return controller.signal
}
