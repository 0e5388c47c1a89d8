/** A name as a family proposes it, before anybody judged it. */
import type { Suffix } from '../../model/domain.ts'
import type { Style } from '../../model/name.ts'
import type { Family } from '../judge/judge.ts'
import type { Spelled } from '../judge/form.ts'
import type { Kind } from '../knowledge/kinds.ts'
import type { Lead } from '../understand/understand.ts'

export interface Draft extends Spelled {
  readonly family: Family
  readonly kind: Kind
  readonly style: Style
  readonly lead: Lead
  /** The other lead of a name made of two. */
  readonly second?: Lead
  /** Place among what its aspect leads to: 0 best. */
  readonly rank: number
  /** Its number among the written names, whose form is counted already; -1 for what was made now. */
  readonly written: number
  /** Chosen among the best of its aspect: 1; passed over: 0; between where nobody has chosen. */
  readonly starred?: number
  /** What it makes one think of, where that was written down. */
  readonly image: string
  /** The entry it is, of the written ones; that knows its image. */
  readonly entry?: number
  /** Why somebody proposed it, in their words. */
  readonly reason?: string
  /** How people write it, when that is not its parts capitalised: 茶. */
  readonly native?: string
  /** The word that is read, when the label is only the beginning of it or another spelling. */
  readonly whole?: string
  /** The one suffix it stands under, when that completes it. */
  readonly suffix?: Suffix
}
