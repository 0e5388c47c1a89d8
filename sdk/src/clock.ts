/** Deadlines and waits that can be aborted. Timers and listeners never outlive the call that created them. */

// The maximum of setTimeout: 24 days. A longer timer would fire at once.
const MAX_TIMER_MS = 2 ** 31 - 1

/** A signal that fires with the caller's own signal, or when the time is over. */
export interface Deadline {
  readonly signal: AbortSignal
  /** The time is over; the caller did not abort. */
  readonly isOver: boolean
  /** Restarts the timer. */
  extend(limitMs: number): void
  /** Stops the timer until `extend`. */
  stop(): void
  /** Must always be called: releases the timer and the caller's signal. */
  close(): void
}

export function openDeadline(outer: AbortSignal | undefined, limitMs: number): Deadline {
  const controller = new AbortController()
  let isOver = false
  const abort = () => controller.abort(outer?.reason)
  const end = () => {
    isOver = true
    controller.abort()
  }
  let timer = setTimeout(end, timerMs(limitMs))
  // Not AbortSignal.any: a signal that lives as long as the program would collect listeners.
  if (outer?.aborted) abort()
  else outer?.addEventListener('abort', abort, { once: true })
  return {
    signal: controller.signal,
    get isOver() {
      return isOver
    },
    extend(ms) {
      clearTimeout(timer)
      timer = setTimeout(end, timerMs(ms))
    },
    stop() {
      clearTimeout(timer)
    },
    close() {
      clearTimeout(timer)
      outer?.removeEventListener('abort', abort)
    },
  }
}

// Timers count whole milliseconds and may fire a fraction early; a deadline must not.
const timerMs = (ms: number) => Math.min(Math.ceil(ms) + 1, MAX_TIMER_MS)

/** Rejects with the signal's reason when it fires first. */
export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  try {
    await orAborted(
      new Promise<void>((resolve) => {
        timer = setTimeout(resolve, ms)
      }),
      signal,
    )
  } finally {
    clearTimeout(timer)
  }
}

/** Waits for a shared promise, which continues for other callers when this one aborts. */
export async function orAborted<T>(shared: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return shared
  if (signal.aborted) {
    // Its result is not used here, so a rejection must not count as unhandled.
    shared.catch(() => {})
    throw signal.reason
  }
  let leave = () => {}
  const aborted = new Promise<never>((_, reject) => {
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- a signal's reason is the caller's choice
    leave = () => reject(signal.reason)
    signal.addEventListener('abort', leave, { once: true })
  })
  try {
    return await Promise.race([shared, aborted])
  } finally {
    signal.removeEventListener('abort', leave)
  }
}
