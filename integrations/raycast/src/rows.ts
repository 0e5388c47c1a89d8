/**
 * Results of the service to sections and rows of a list.
 *
 * **Invariant**: a row is `isFree`, and has links to register, only if the service says both `available: true` and a
 * status that can be registered. Everything that contradicts itself, or that this version does not know, is “Unknown”.
 */
import type { CheckedDomain, CheckedName, DomainEntry, Generated, NameVerdict } from 'namewright'
import { registerLinksOf } from './registrars.ts'
import type { RegisterLinks } from './registrars.ts'

export interface Row {
  readonly id: string
  readonly title: string
  /** The price of the first year; nothing if there is none, or if the domain is not free. */
  readonly price: string | undefined
  readonly status: string
  readonly kind: 'free' | 'premium' | 'not free' | 'unknown'
  readonly tooltip: string
  readonly isFree: boolean
  readonly register: RegisterLinks | undefined
  /** Where a person can look. */
  readonly page: string | undefined
}

export interface Section {
  readonly title: string
  readonly subtitle: string
  readonly rows: readonly Row[]
}

const NOT_FREE: ReadonlyMap<string, string> = new Map([
  ['for_sale', 'Taken, for sale'],
  ['taken', 'Taken'],
  ['reserved', 'Reserved'],
  ['restricted', 'Restricted'],
  ['unsupported', 'No price here'],
  ['invalid', 'Invalid'],
  ['premium', 'Premium, not included'],
])

export function suggestionSections({ suggestions, shortfall }: Generated): Section[] {
  return suggestions.map(({ name, domains, rationale }, index) => ({
    title: name,
    subtitle:
      index === 0 && shortfall !== undefined
        ? `${shortfall.returned} of ${shortfall.wanted} names: ${shortfall.reason.replaceAll('_', ' ')}`
        : (rationale ?? ''),
    rows: domains.map((entry) => domainRow(entry, name)),
  }))
}

export function domainSections(domains: readonly CheckedDomain[]): Section[] {
  return [{ title: 'Domains', subtitle: '', rows: domains.map((entry) => domainRow(entry, 'domain')) }]
}

export function nameSections(names: readonly CheckedName[]): Section[] {
  return names.flatMap(({ label, domains, packages = [], code = [] }) => [
    { title: label, subtitle: 'Domains', rows: domains.map((entry) => domainRow(entry, label)) },
    ...sectionOf('Package Registries', packages),
    ...sectionOf('Code Hosts', code),
  ])
}

function sectionOf(title: string, verdicts: readonly NameVerdict[]): Section[] {
  return verdicts.length === 0 ? [] : [{ title, subtitle: '', rows: verdicts.map(namespaceRow) }]
}

function domainRow(entry: DomainEntry | CheckedDomain, group: string): Row {
  const verdict = verdictOf(entry.available, entry.status)
  return {
    id: `${group} ${entry.domain}`,
    title: entry.domain,
    ...verdict,
    price: verdict.isFree ? (entry.price ?? undefined) : undefined,
    tooltip: tooltipOf(entry),
    register: verdict.isFree ? registerLinksOf(entry.domain, entry.pricing) : undefined,
    page: undefined,
  }
}

function namespaceRow(verdict: NameVerdict): Row {
  const { namespace, label, available, status, url } = verdict
  return {
    id: `${namespace} ${label}`,
    title: `${namespace}: ${label}`,
    ...verdictOf(available, status),
    price: undefined,
    tooltip: tooltipOf(verdict),
    register: undefined,
    page: url.startsWith('https://') ? url : undefined,
  }
}

function verdictOf(available: boolean | 'unknown', status = ''): Pick<Row, 'status' | 'kind' | 'isFree'> {
  if (available === true && status === 'available') return { status: 'Available', kind: 'free', isFree: true }
  if (available === true && status === 'premium') return { status: 'Premium', kind: 'premium', isFree: true }
  const words = available === false ? NOT_FREE.get(status) : undefined
  if (words !== undefined) return { status: words, kind: 'not free', isFree: false }
  return { status: 'Unknown', kind: 'unknown', isFree: false }
}

function tooltipOf({ checked_at: at, sources = [] }: Pick<DomainEntry, 'checked_at' | 'sources'>): string {
  const by = sources.length === 0 ? 'No source responded' : `Checked with ${sources.join(', ')}`
  return at === undefined ? by : `${by}, ${at}`
}
