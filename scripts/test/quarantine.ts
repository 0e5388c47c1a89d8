/**
 * Tests that fail now and then for a reason that is known and not yet mended: quarantine.json, each with its reason and
 * the day since when. They run like all others and are reported apart; their failure does not fail the run. At most
 * three may stand there, and an entry that names no test of its file fails the run.
 */
import { readFileSync } from 'node:fs'

export interface Quarantined {
  readonly file: string
  /** The full name, as the run prints it. */
  readonly test: string
  readonly reason: string
  /** YYYY-MM-DD. */
  readonly since: string
}

export const MAX_QUARANTINED = 3

export function readQuarantine(): readonly Quarantined[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- held by problemsOf
  return JSON.parse(readFileSync(new URL('quarantine.json', import.meta.url), 'utf8')) as Quarantined[]
}

export function problemsOf(entries: readonly Partial<Quarantined>[]): string[] {
  const found = entries.flatMap(({ file = '', test = '', reason = '', since = '' }) => [
    ...(file === '' || test === '' ? [`an entry names no file or no test: ${file} ${test}`] : []),
    ...(reason.length < 20 ? [`${test}: the reason says too little: "${reason}"`] : []),
    ...(/^\d{4}-\d{2}-\d{2}$/.test(since) ? [] : [`${test}: "${since}" is no day`]),
  ])
  if (entries.length > MAX_QUARANTINED)
    found.push(`${entries.length} tests are quarantined, and at most ${MAX_QUARANTINED} may be`)
  return found
}
