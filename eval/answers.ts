/** The engine's answer as a caller under pressure would see it: the first ten of its proposals that are still free. */
import type { Candidate } from '../server/src/model/name.ts'
import type { Names } from '../server/src/names/names.ts'
import { plainNameRequest } from '../server/src/names/plain-name-request.ts'
import type { Pressure } from './pressure.ts'

export interface Answer {
  readonly description: string
  /** Free names, best first, ten at most. */
  readonly names: readonly Candidate[]
  /** All that the engine proposed, free or not. */
  readonly proposals: readonly Candidate[]
}

export const NAMES_PER_ANSWER = 10
const PROPOSALS = 120

/** Without a language the names are of the description's own. */
export async function answer(
  engine: Names,
  pressure: Pressure,
  description: string,
  language?: string,
): Promise<Answer> {
  const ask = { ...plainNameRequest(description), ...(language === undefined ? {} : { language }) }
  const proposals = await engine.propose(ask, PROPOSALS, new AbortController().signal)
  const names = proposals.filter(({ label }) => !pressure.isTaken(label)).slice(0, NAMES_PER_ANSWER)
  return { description, names, proposals }
}
