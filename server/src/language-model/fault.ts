/** What an error of the SDK amounts to. Never more of it than this: its text quotes what was sent and what came back. */
import { APICallError, NoObjectGeneratedError } from 'ai'
import { NoAnswer } from './outcome.ts'
import type { Fault } from './outcome.ts'

const STOPPED = new Set(['AbortError', 'TimeoutError'])

export function faultOf(error: unknown): Fault {
  // What `outbound.ts` found may be wrapped in what the SDK made of it.
  for (let one = error, depth = 0; one instanceof Error && depth < 5; one = one.cause, depth++) {
    if (one instanceof NoAnswer) return { outcome: one.outcome }
    if (STOPPED.has(one.name)) return { outcome: 'late' }
  }
  if (APICallError.isInstance(error)) {
    const { statusCode: status = 0 } = error
    return status >= 400 ? { outcome: 'refused', status } : { outcome: 'unreadable' }
  }
  const isSilent = NoObjectGeneratedError.isInstance(error) && (error.text ?? '') === ''
  return { outcome: isSilent ? 'declined' : 'malformed' }
}
