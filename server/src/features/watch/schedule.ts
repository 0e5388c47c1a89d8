/**
 * Decides when to check a watched domain again. Pure: facts and a time in, a time out.
 *
 * Most domains do not change for a year, and registry lookups are scarce. So a registered domain is checked rarely
 * until its expiry comes near, then often until it is renewed or dropped. After the expiry it can take up to 80 days:
 * 45 in which it can be renewed normally, 30 in which it can be redeemed, and 5 in which nothing is possible. Early in
 * that time little happens; late in it the name drops.
 *
 * Many registries renew a registration automatically on its last day and revert that when nobody pays. Then the expiry
 * is suddenly a year away while the name is about to drop: hence `lapsedAt`.
 *
 * Domains that were added together must not be checked together forever: each has its own jitter, derived from its
 * name.
 */
import type { WatchFacts } from './facts.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** The interval until the next check, a tenth more or less. `docs/watching.md` shows this table. */
export const EVERY_MS = {
  /** The change may be reversed, or be a mistake. */
  changed: HOUR_MS,
  available: DAY_MS,
  /** Registered, with a known expiry that is not near. */
  settled: 7 * DAY_MS,
  /** Registered, with an unknown expiry. */
  unknownExpiry: DAY_MS,
  ending: 6 * HOUR_MS,
  dropping: HOUR_MS,
} as const

export const CHANGED_FOR_MS = DAY_MS
/** Relative to the expiry: when `ending` begins, when `dropping` begins, and when both are over. */
export const ENDING_BEFORE_MS = 3 * DAY_MS
export const DROPPING_AFTER_MS = 30 * DAY_MS
export const OVER_AFTER_MS = 80 * DAY_MS
/** The back-off after checks without a result: the first pause, doubled each time, and the longest. */
export const FIRST_PAUSE_MS = 5 * MINUTE_MS
export const MAX_PAUSE_MS = 12 * HOUR_MS

const JITTER = 0.1
// A registry that reports no expiry will not report one tomorrow.
const EXPIRY_LOOKUP_MS = 30 * DAY_MS
// Around the expiry it may be renewed on any day.
const EXPIRY_LOOKUP_NEAR_END_MS = DAY_MS

export type Paced = Pick<
  WatchFacts,
  'domain' | 'available' | 'changedAt' | 'registeredUntil' | 'lapsedAt' | 'expiryAskedAt' | 'failures'
>

export function nextCheck(facts: Paced, now: number): number {
  const factor = 1 - JITTER + 2 * JITTER * fractionOf(facts.domain)
  const after = (ms: number) => Math.round(now + ms * factor)
  // Beyond thirty doublings the number is meaningless.
  if (facts.failures > 0) return after(Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(30, facts.failures - 1)))
  const phase = phaseOf(facts, now)
  if (phase !== 'settled') return after(EVERY_MS[phase])
  // Not later than the day on which `ending` begins.
  const begins = Math.round((expiryOf(facts, now) ?? now) - ENDING_BEFORE_MS)
  return Math.max(after(EVERY_MS.ending), Math.min(after(EVERY_MS.settled), begins))
}

function phaseOf(facts: Paced, now: number): keyof typeof EVERY_MS {
  const { available, changedAt } = facts
  if (changedAt !== undefined && now - changedAt < CHANGED_FOR_MS) return 'changed'
  if (available) return 'available'
  const expiry = expiryOf(facts, now)
  if (expiry === undefined) return 'unknownExpiry'
  if (now < expiry - ENDING_BEFORE_MS) return 'settled'
  if (now < expiry + DROPPING_AFTER_MS) return 'ending'
  return now < expiry + OVER_AFTER_MS ? 'dropping' : 'unknownExpiry'
}

/** The relevant expiry: one that passed recently, or else the next one. */
function expiryOf({ lapsedAt, registeredUntil }: Paced, now: number): number | undefined {
  const isOpen = lapsedAt !== undefined && now < lapsedAt + OVER_AFTER_MS
  const expiry = isOpen ? lapsedAt : registeredUntil
  return expiry !== undefined && Number.isFinite(expiry) ? expiry : undefined
}

/** Whether a registry lookup of the expiry is worthwhile, when DNS alone would show that the domain is taken. */
export function needsExpiryDate(facts: Paced, now: number): boolean {
  if (facts.available) return false
  const askedFor = now - (facts.expiryAskedAt ?? -Infinity)
  const phase = phaseOf(facts, now)
  return askedFor >= (phase === 'ending' || phase === 'dropping' ? EXPIRY_LOOKUP_NEAR_END_MS : EXPIRY_LOOKUP_MS)
}

/** From 0 to 1, identical everywhere for the same text (FNV-1a). */
function fractionOf(text: string): number {
  let sum = 0x811c9dc5
  for (let at = 0; at < text.length; at++) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193)
  // FNV keeps similar inputs close together; the last step spreads them.
  sum = Math.imul(sum ^ (sum >>> 15), 0x2c1b3c6d)
  return ((sum ^ (sum >>> 13)) >>> 0) / 2 ** 32
}
