import type { Asked } from '../asked.ts'
import type { Result } from '../result.ts'

/** Results in the shape in which the service gives them, with what was asked for and when this was written. */
export function jsonOf(results: readonly Result[], asked: Asked, now: Date): string {
  return `${JSON.stringify({ asked, exported_at: now.toISOString(), suggestions: results }, null, 2)}\n`
}
