/** Names as the service handles them: what the naming makes of a name, with labels and suffixes that were parsed. */
import type * as naming from '@namewright/names'
import type { Label, Suffix } from './domain.ts'

/** A name that the caller gives. */
export interface Candidate extends naming.Candidate {
  readonly label: Label
  readonly suffix?: Suffix
}

/** A name before its availability is known. */
export interface Proposal extends naming.Proposal {
  readonly label: Label
  readonly suffix?: Suffix
}
