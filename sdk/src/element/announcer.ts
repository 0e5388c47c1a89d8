/**
 * What a screen reader is told, by a live region: at most one sentence in two seconds, and always the newest. Names that
 * come one by one are not read out one by one.
 */
const LEAST_MS = 2_000

export interface Announcer {
  say(text: string): void
  close(): void
}

export function createAnnouncer(region: { textContent: string | null }): Announcer {
  let timer: ReturnType<typeof setTimeout> | undefined
  let next: string | undefined

  function speak(): void {
    timer = undefined
    if (next === undefined) return
    // The same sentence twice would not be read twice.
    region.textContent = next === region.textContent ? `${next}\u00A0` : next
    next = undefined
    timer = setTimeout(speak, LEAST_MS)
  }

  return {
    say(text) {
      next = text
      // After what else is under way has been drawn, and with whatever follows at once in its place.
      timer ??= setTimeout(speak, 50)
    },
    close() {
      clearTimeout(timer)
      timer = undefined
      next = undefined
    },
  }
}
