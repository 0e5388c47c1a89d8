/** Whether a new index of a suffix is plausible, compared with the one in use. */
import type { SuffixIndex } from './manifest.ts'

const DAY_MS = 86_400_000
// Registries grow or shrink by a tenth of a percent a day. Fifty times that is a broken zone. Lost names would
// cause more lookups; extra names would make available domains look registered.
const MOVE_PER_DAY = 0.05
// In a brand's zone of 30 names two are more than 5 %.
const MOVE_ALWAYS = 20
const CLOCKS_DIFFER_MS = 3_600_000

/** Undefined if plausible; otherwise the reason. */
export function findDoubt(next: SuffixIndex, used: SuffixIndex | undefined, now: number): string | undefined {
  if (next.snapshotAt > now + CLOCKS_DIFFER_MS) return 'its snapshot is in the future'
  if (used === undefined) return undefined
  const days = Math.max(1, Math.abs(next.snapshotAt - used.snapshotAt) / DAY_MS)
  const allowed = Math.max(MOVE_ALWAYS, used.names * MOVE_PER_DAY * days)
  if (Math.abs(next.names - used.names) <= allowed) return undefined
  return `its count changed from ${used.names} to ${next.names} in ${days.toFixed(1)} days`
}
