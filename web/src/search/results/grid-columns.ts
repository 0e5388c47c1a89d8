/** The columns of the grid: every suffix that some name has, in the order in which they were first seen. */
import type { DomainEntry } from '@namewright/client'
import { suffixOf } from '../result.ts'
import type { Result } from '../result.ts'

export function columnsOf(results: readonly Result[]): readonly string[] {
  return [...new Set(results.flatMap(({ domains }) => domains.map(({ domain }) => suffixOf(domain))))]
}

export function entryIn({ domains }: Result, suffix: string): DomainEntry | undefined {
  return domains.find(({ domain }) => suffixOf(domain) === suffix)
}
