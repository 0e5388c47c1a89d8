/** The limits of a key or an application while they are being written; an empty budget is unlimited. */
import type { Quota } from '../../api/settings-types.ts'

export interface QuotaDraft {
  readonly perMinute: string
  readonly burst: string
  readonly perDay: string
  readonly perMonth: string
}

/** The defaults of the service. */
export const FIRST_QUOTA: QuotaDraft = { perMinute: '60', burst: '20', perDay: '1000', perMonth: '' }

export function quotaDraftOf({ per_minute, burst, per_day, per_month }: Quota): QuotaDraft {
  return {
    perMinute: String(per_minute),
    burst: String(burst),
    perDay: per_day === null ? '' : String(per_day),
    perMonth: per_month === null ? '' : String(per_month),
  }
}

export function quotaBodyOf({ perMinute, burst, perDay, perMonth }: QuotaDraft) {
  return {
    per_minute: numberOf(perMinute),
    burst: numberOf(burst),
    per_day: perDay.trim() === '' ? null : numberOf(perDay),
    per_month: perMonth.trim() === '' ? null : numberOf(perMonth),
  }
}

export const isWhole = (text: string): boolean => /^\d{1,15}$/.test(text.trim())

/** A value that is not a number is sent as it is: the service validates it like every other field. */
function numberOf(text: string): number | string {
  return isWhole(text) ? Number(text.trim()) : text
}
