/** What can come of asking a language model, in our words. */

export const OUTCOMES = [
  'answered',
  /** A list, and not one name in it. */
  'no_names',
  /** The text is not the list that was asked for. */
  'malformed',
  /** It would not say. */
  'declined',
  'late',
  'unreachable',
  /** An HTTP status of 400 or more. */
  'refused',
  'too_large',
  /** The answer is not of the protocol. */
  'unreadable',
  /** Too many questions under way. */
  'busy',
  /** It has failed too often in a row. */
  'paused',
  /** The request leaves it less time than any model needs. */
  'no_time',
  /** The caller wants only names of a style that a proposal never has. */
  'no_style',
  'hung_up',
] as const
export type Outcome = (typeof OUTCOMES)[number]

/** Thrown where there is no answer to read. */
export class NoAnswer extends Error {
  readonly outcome: Outcome

  constructor(outcome: Outcome) {
    super(outcome)
    this.outcome = outcome
  }
}

export interface Fault {
  readonly outcome: Outcome
  /** Of the HTTP answer that says so. */
  readonly status?: number
}
