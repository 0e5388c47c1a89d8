/** Describes the test result of a source with the same texts as `/readyz` and `/v1/status`. */
import type { Notes } from './finding.ts'

interface Tested {
  readonly state: string
  readonly why: string | undefined
}

/** What to do about a source, by state. */
interface Todos {
  readonly untrusted: string
  readonly unreachable?: string
}

export function judgeTrust(notes: Notes, name: string, tested: Tested | undefined, todos: Todos): void {
  const { state, why } = tested ?? { state: 'proving', why: undefined }
  const found = `${name} ${state}${why === undefined ? '' : `: ${why}`}`
  if (state === 'trusted' && why === undefined) notes.ok(found)
  else if (state === 'trusted') notes.warning(found, 'it is not trusted for these suffixes; other sources are used')
  else if (state === 'untrusted') notes.problem(found, todos.untrusted)
  else if (state === 'unreachable') notes.problem(found, todos.unreachable ?? todos.untrusted)
  else notes.warning(found, 'the test failed; try again later')
}
