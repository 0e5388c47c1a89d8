/** The possible outcomes of a language model request. */

export const OUTCOMES = [
  'answered',
  /** Some names arrived before the time was over. */
  'partial',
  /** The names of an earlier reply, which came late. */
  'stored',
  /** Names that an earlier reply proposed for the same kind of project, and that nobody was shown. */
  'reused',
  /** A list without any name. */
  'no_names',
  /** The text has no list. */
  'malformed',
  /** The model refused to answer. */
  'declined',
  'late',
  'unreachable',
  /** An HTTP status of 400 or more. */
  'refused',
  'too_large',
  /** The response violates the protocol. */
  'unreadable',
  /** The operator's budget of calls for this day is used up. */
  'over_budget',
  /** Too many requests in flight. */
  'busy',
  /** The circuit is open after too many consecutive failures. */
  'paused',
  /** The request leaves less time than any model needs. */
  'no_time',
  /** The caller wants only styles that a proposal never has. */
  'no_style',
  'hung_up',
] as const
export type ModelOutcome = (typeof OUTCOMES)[number]

export interface ModelFault {
  readonly outcome: ModelOutcome
  /** The status of the HTTP response. */
  readonly status?: number
}
