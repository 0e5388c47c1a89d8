/** Notes about suffixes that not everybody can register under, one line for each. */
import type { CheckedDomain, DomainEntry } from '../../sdk/src/api-types.ts'

type Ruled = Pick<DomainEntry | CheckedDomain, 'domain' | 'available' | 'status' | 'eligibility' | 'eligible_countries'>

const MAX_COUNTRIES = 8

/** Only for domains that somebody could register. */
export function eligibilityNotes(entries: readonly Ruled[]): readonly string[] {
  const notes = entries.flatMap(({ domain, available, status, eligibility, eligible_countries: countries = [] }) => {
    if (eligibility === undefined || (!available && status !== 'restricted')) return []
    const first = countries.slice(0, MAX_COUNTRIES).join(', ')
    const others = countries.length - MAX_COUNTRIES
    const who = others > 0 ? `${first} and ${others} more countries` : first
    const suffix = domain.slice(domain.indexOf('.'))
    return [
      who === ''
        ? `${suffix}: not everybody can register (${eligibility}).`
        : `${suffix}: only for registrants of ${who} (${eligibility}).`,
    ]
  })
  return [...new Set(notes)]
}
