/**
 * Availability of this node in the last hour, minute by minute, by GitHub's definition: a minute is down when more than
 * one in twenty of its responses failed. Minutes without requests do not count.
 */
export interface Minutes {
  note(failed: boolean): void
  /** For the last hour: the number of minutes with requests, and how many of those were down. */
  read(): { readonly counted: number; readonly down: number }
}

const HOUR = 60
const MINUTE_MS = 60_000
const DOWN_ABOVE = 0.05

export function createMinutes(now: () => number): Minutes {
  const ring = Array.from({ length: HOUR }, () => ({ minute: -1, calls: 0, failed: 0 }))

  return {
    note(failed) {
      const minute = Math.floor(now() / MINUTE_MS)
      const slot = ring[minute % HOUR]
      if (!slot) return
      if (slot.minute !== minute) Object.assign(slot, { minute, calls: 0, failed: 0 })
      slot.calls++
      if (failed) slot.failed++
    },
    read() {
      const oldest = Math.floor(now() / MINUTE_MS) - HOUR
      const counted = ring.filter(({ minute }) => minute > oldest)
      return { counted: counted.length, down: counted.filter(isDown).length }
    },
  }
}

function isDown({ calls, failed }: { calls: number; failed: number }): boolean {
  return failed > calls * DOWN_ABOVE
}
