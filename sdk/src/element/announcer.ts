/**
 * Announcements for screen readers in a live region: at most one in two seconds, and always the newest. Names that arrive
 * one by one are not announced one by one.
 */
const LEAST_MS = 2_000

export interface Announcer {
  announce(text: string): void
  close(): void
}

export function createAnnouncer(region: { textContent: string | null }): Announcer {
  let timer: ReturnType<typeof setTimeout> | undefined
  let next: string | undefined

  function flush(): void {
    timer = undefined
    if (next === undefined) return
    // A screen reader does not repeat unchanged text.
    region.textContent = next === region.textContent ? `${next}\u00A0` : next
    next = undefined
    timer = setTimeout(flush, LEAST_MS)
  }

  return {
    announce(text) {
      next = text
      // A short delay, so that only the last of several announcements in a row is read.
      timer ??= setTimeout(flush, 50)
    },
    close() {
      clearTimeout(timer)
      timer = undefined
      next = undefined
    },
  }
}
