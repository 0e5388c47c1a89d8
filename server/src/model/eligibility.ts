/** Who may register under a suffix, and whether a caller's country rules that out. */
import type { Status, Verdict } from './verdict.ts'

export interface Eligibility {
  /** A code of `data/eligibility.json`; never `open`. */
  readonly code: string
  /** ISO 3166-1 codes of the countries that satisfy the rule; absent if the rule is not about countries. */
  readonly countries?: readonly string[]
}

/**
 * Whether registrants of the country are not eligible. Without a country nobody knows that they are not, and a rule
 * about something else (a profession, a pledge) cannot be decided by a country.
 */
export function isBarred(eligibility: Eligibility | undefined, country: string | undefined): boolean {
  return country !== undefined && eligibility?.countries?.includes(country) === false
}

// What anybody else could perhaps register. Taken, reserved and offered by its owner stay what they are.
const OPEN: ReadonlySet<Status> = new Set(['available', 'premium', 'unknown'])

/** **Invariant:** a domain whose suffix the caller's country rules out is never registrable for that caller. */
export function restrictTo(
  country: string | undefined,
  eligibility: Eligibility | undefined,
  verdict: Verdict,
): Verdict {
  if (!isBarred(eligibility, country) || !OPEN.has(verdict.status)) return verdict
  const { unasked: _unasked, ...known } = verdict
  return { ...known, status: 'restricted', confidence: 'definitive' }
}
