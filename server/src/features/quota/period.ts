/** The UTC day and month of a point in time; budgets reset with them. */
export interface Periods {
  /** `2026-11-15` and `2026-11-01`. */
  readonly day: string
  readonly month: string
  readonly nextDayMs: number
  readonly nextMonthMs: number
}

export function periodsOf(atMs: number): Periods {
  const at = new Date(atMs)
  const day = at.toISOString().slice(0, 10)
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth()]
  return {
    day,
    month: `${day.slice(0, 7)}-01`,
    nextDayMs: Date.UTC(year, month, at.getUTCDate() + 1),
    nextMonthMs: Date.UTC(year, month + 1, 1),
  }
}
