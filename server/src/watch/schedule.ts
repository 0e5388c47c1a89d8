/**
 * When to look at a watched domain again. Pure: facts and a time in, a time out.
 *
 * Most domains stay what they are for a year, and a registry's patience is scarce. So one that is registered is looked
 * at seldom until its last day comes near, then often until it is renewed or gone. What happens after that day takes
 * up to 80 days: 45 in which it can be renewed as if nothing had happened, 30 in which it can be bought back, and 5 in
 * which nobody can do anything; early in that time little happens, late in it the name drops.
 *
 * Many registries renew a registration by themselves on its last day and take that back when nobody pays. Then the
 * end is suddenly a year away while the name is about to drop: hence `lapsedAt`.
 *
 * Names that were added together must not be asked for together for ever: each has a pace of its own, a little faster
 * or slower, that follows from its letters.
 */
import type { Facts } from './facts.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** How long after a look the next one comes, a tenth more or less. `docs/watching.md` shows this table. */
export const EVERY_MS = {
  /** It may be reversed, or be a mistake. */
  changed: HOUR_MS,
  available: DAY_MS,
  /** Registered, the end is known and not near. */
  settled: 7 * DAY_MS,
  /** Registered, and nobody says until when. */
  endless: DAY_MS,
  ending: 6 * HOUR_MS,
  dropping: HOUR_MS,
} as const

export const CHANGED_FOR_MS = DAY_MS
/** Around the last day: when `ending` begins, when `dropping` does, and when all of it is over. */
export const ENDING_BEFORE_MS = 3 * DAY_MS
export const DROPPING_AFTER_MS = 30 * DAY_MS
export const OVER_AFTER_MS = 80 * DAY_MS
/** After looks that told nothing: the first pause, doubled each time, and the longest. */
export const FIRST_PAUSE_MS = 5 * MINUTE_MS
export const LONGEST_PAUSE_MS = 12 * HOUR_MS

const JITTER = 0.1
// A registry that names no end will not name one tomorrow.
const ENDS_AGAIN_MS = 30 * DAY_MS
// Around the last day it may be renewed any day.
const ENDS_DAILY_MS = DAY_MS

export type Paced = Pick<
  Facts,
  'domain' | 'available' | 'changedAt' | 'registeredUntil' | 'lapsedAt' | 'endsAskedAt' | 'failures'
>

export function nextCheck(facts: Paced, now: number): number {
  const pace = 1 - JITTER + 2 * JITTER * fractionOf(facts.domain)
  const after = (ms: number) => Math.round(now + ms * pace)
  // Past thirty doublings the number means nothing any more.
  if (facts.failures > 0)
    return after(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(30, facts.failures - 1)))
  const mood = moodOf(facts, now)
  if (mood !== 'settled') return after(EVERY_MS[mood])
  // Not beyond the day on which it gets interesting.
  const begins = Math.round((endOf(facts, now) ?? now) - ENDING_BEFORE_MS)
  return Math.max(after(EVERY_MS.ending), Math.min(after(EVERY_MS.settled), begins))
}

function moodOf(facts: Paced, now: number): keyof typeof EVERY_MS {
  const { available, changedAt } = facts
  if (changedAt !== undefined && now - changedAt < CHANGED_FOR_MS) return 'changed'
  if (available) return 'available'
  const end = endOf(facts, now)
  if (end === undefined) return 'endless'
  if (now < end - ENDING_BEFORE_MS) return 'settled'
  if (now < end + DROPPING_AFTER_MS) return 'ending'
  return now < end + OVER_AFTER_MS ? 'dropping' : 'endless'
}

/** The last day that counts now: one that has passed lately, or else the next one. */
function endOf({ lapsedAt, registeredUntil }: Paced, now: number): number | undefined {
  const isOpen = lapsedAt !== undefined && now < lapsedAt + OVER_AFTER_MS
  const end = isOpen ? lapsedAt : registeredUntil
  return end !== undefined && Number.isFinite(end) ? end : undefined
}

/** Whether it is worth a question to the registry to hear until when, where DNS alone would tell that it is taken. */
export function wantsEnd(facts: Paced, now: number): boolean {
  if (facts.available) return false
  const askedFor = now - (facts.endsAskedAt ?? -Infinity)
  const mood = moodOf(facts, now)
  return askedFor >= (mood === 'ending' || mood === 'dropping' ? ENDS_DAILY_MS : ENDS_AGAIN_MS)
}

/** From 0 to 1, the same for the same text everywhere (FNV-1a). */
function fractionOf(text: string): number {
  let sum = 0x811c9dc5
  for (let at = 0; at < text.length; at++) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193)
  // FNV leaves neighbours near each other; the last step spreads them.
  sum = Math.imul(sum ^ (sum >>> 15), 0x2c1b3c6d)
  return ((sum ^ (sum >>> 13)) >>> 0) / 2 ** 32
}
