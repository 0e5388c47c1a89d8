/**
 * The shape of a plan: what is done to the service, and which bars it must reach meanwhile.
 *
 * A file `rNN-name.ts` in this folder exports one as `plan`; `run.ts` finds it by that.
 */
import type { Cluster } from '../cluster/cluster.ts'

export interface Bar {
  readonly name: string
  readonly wanted: string
  readonly measured: string
  readonly ok: boolean
  /**
   * `safety`: what must never be, such as a lost write; one miss is a failure. `timing`: hangs on how busy the machine
   * is; a plan that misses only such bars is run once more.
   */
  readonly kind: 'safety' | 'timing'
}

export interface Outcome {
  readonly bars: readonly Bar[]
  /** What the callers saw, kept where a bar was missed. */
  readonly logFile?: string
  /** Printed where a bar was missed: the worst operations, errors by second. */
  readonly details?: readonly string[]
  /** Figures without a bar, always printed. */
  readonly figures?: readonly string[]
}

export interface Stage {
  /** `ci` is as short as the plan still means something. */
  readonly length: 'ci' | 'full'
  /** How many operations a second, unless the plan is about that. */
  readonly perSecond: number
  /** For logs and whatever else a plan writes; removed at the end unless a bar was missed. */
  readonly folder: string
  /** Shared by the plans of a run, and whole: every node ready, both members of PostgreSQL up, Redis there. */
  cluster(): Promise<Cluster>
  say(text: string): void
}

export interface Plan {
  /** Such as `r5`. */
  readonly id: string
  readonly title: string
  run(stage: Stage): Promise<Outcome>
}
