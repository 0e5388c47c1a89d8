/** Waiting that can be called off. Nothing here outlives the call that it was made for. */

// What a timer holds: 24 days. A longer one would fire at once.
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** A signal that fires with the caller's own, or when its time is over. */
export interface Deadline {
  readonly signal: AbortSignal
  /** The time was over; the caller did not give up. */
  readonly isOver: boolean
  /** Starts the time anew. */
  extend(limitMs: number): void
  /** Stops the time, until it is started anew. */
  rest(): void
  /** To be called in every case: it lets go of the timer and of the caller's signal. */
  close(): void
}

export function openDeadline(outer: AbortSignal | undefined, limitMs: number): Deadline {
  const controller = new AbortController()
  let isOver = false
  const giveUp = () => controller.abort(outer?.reason)
  const end = () => {
    isOver = true
    controller.abort()
  }
  let timer = setTimeout(end, timerMs(limitMs))
  // Not AbortSignal.any: a signal that lives as long as the program would gather what hangs on it.
  if (outer?.aborted) giveUp()
  else outer?.addEventListener('abort', giveUp, { once: true })
  return {
    signal: controller.signal,
    get isOver() {
      return isOver
    },
    extend(ms) {
      clearTimeout(timer)
      timer = setTimeout(end, timerMs(ms))
    },
    rest() {
      clearTimeout(timer)
    },
    close() {
      clearTimeout(timer)
      outer?.removeEventListener('abort', giveUp)
    },
  }
}

// Timers count whole milliseconds and may fire a fraction early; a deadline is over only when its time is.
const timerMs = (ms: number) => Math.min(Math.ceil(ms) + 1, LONGEST_TIMER_MS)

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

/** What others wait for, too, so that it is not stopped when this caller gives up. */
export async function orAborted<T>(shared: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return shared
  if (signal.aborted) {
    // Whatever becomes of it, nobody here will look.
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
