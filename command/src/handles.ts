/** Packages and accounts of a name, in one cell. */
import type { Handles } from '../../sdk/src/api-types.ts'
import type { Cell } from './table.ts'

/** For programs: `npm=exists`. */
export function rulesOf({ packages, code }: Handles): string[] {
  return [...packages, ...code].map(({ namespace, rule }) => `${namespace}=${rule}`)
}

/** For people: where the name is taken, and how many others show no entry or are unknown. Nothing is called free. */
export function handlesCell(handles: Handles | undefined): Cell {
  if (handles === undefined) return { text: '…', colour: 'dim' }
  const all = [...handles.packages, ...handles.code]
  const taken = all
    .filter(({ status }) => status !== 'unknown' && status !== 'available')
    .map(({ namespace }) => namespace)
  const absent = all.filter(({ rule }) => rule === 'not_found').length
  const unknown = all.length - taken.length - absent
  const parts = [
    ...(taken.length === 0 ? [] : [`● ${taken.join(', ')}`]),
    ...(absent === 0 ? [] : [`${absent} not found`]),
    ...(unknown === 0 ? [] : [`${unknown} unknown`]),
  ]
  return { text: parts.join(' · '), colour: taken.length === 0 ? 'dim' : 'red' }
}
