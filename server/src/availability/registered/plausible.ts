/** Whether a new index of a suffix can be true, beside the one in use. */
import type { SuffixIndex } from './manifest.ts'

const DAY_MS = 86_400_000
// Registries grow or shrink by a tenth of a percent a day. Ten times a bad day is a broken zone, and one that has lost
// names would send callers' questions on, one that has gained would call free names taken.
const MOVE_PER_DAY = 0.05
// In a brand's zone of 30 names two are more than 5 %.
const MOVE_ALWAYS = 20
const CLOCKS_DIFFER_MS = 3_600_000

/** Undefined when it can; otherwise why not. */
export function findDoubt(next: SuffixIndex, used: SuffixIndex | undefined, now: number): string | undefined {
  if (next.snapshotAt > now + CLOCKS_DIFFER_MS) return 'its snapshot is in the future'
  if (used === undefined) return undefined
  const days = Math.max(1, Math.abs(next.snapshotAt - used.snapshotAt) / DAY_MS)
  const allowed = Math.max(MOVE_ALWAYS, used.names * MOVE_PER_DAY * days)
  if (Math.abs(next.names - used.names) <= allowed) return undefined
  return `its count moved from ${used.names} to ${next.names} in ${days.toFixed(1)} days`
}
