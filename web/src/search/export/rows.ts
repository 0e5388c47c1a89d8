/** Results as a flat list: one row for each domain, with everything that is known of it. */
import type { DomainEntry } from '@namewright/client'
import { stateOf } from '../result.ts'
import type { CellState, Result } from '../result.ts'

export interface Row {
  readonly name: string
  readonly domain: string
  readonly state: CellState
  readonly entry: DomainEntry
  readonly rationale: string | undefined
}

export function rowsOf(results: readonly Result[]): readonly Row[] {
  return results.flatMap(({ name, rationale, domains }) =>
    domains.map((entry) => ({ name, domain: entry.domain, state: stateOf(entry), entry, rationale })),
  )
}
