/** Suffixes that are well and suffixes that are sick, all asked through one resolver and one chain. */
import type { Fault } from '../../../internet/rdap-faults.ts'
import type { DnsManner } from './dns-manners.ts'

/** The registrar sells the first; for the second, which it does not sell, the registry is asked. */
export const HEALTHY = ['com', 'fr'] as const

export interface Sick {
  readonly suffix: string
  readonly dns: DnsManner
  readonly rdap: Exclude<Fault, object>
  /** It shares its RDAP host with the healthy ones. */
  readonly sharesHost: boolean
}

export const SICK: readonly Sick[] = [
  { suffix: 'de', dns: 'silent', rdap: 'silent', sharesHost: true },
  { suffix: 'nl', dns: 'slow', rdap: 'trickle', sharesHost: true },
  { suffix: 'it', dns: 'garbage', rdap: 'hang_up', sharesHost: false },
  { suffix: 'se', dns: 'truncated, nothing over TCP', rdap: 'huge_in_chunks', sharesHost: false },
  { suffix: 'ca', dns: 'rewriting', rdap: 'gzip_bomb', sharesHost: false },
  { suffix: 'eu', dns: 'servfail', rdap: 'html', sharesHost: false },
]

/** Nobody has one of these. */
export function freeName(at: number, suffix: string): string {
  return `nobodys-${at}.${suffix}`
}
