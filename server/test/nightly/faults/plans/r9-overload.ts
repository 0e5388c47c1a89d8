/**
 * Three times as much as the cluster can do: it does about as much as before, sheds the rest quickly, and is as
 * good as ever once they are gone.
 *
 * The knee is the highest rate of the search at which nearly everything is done in good time. Callers do not retry:
 * what is measured is what the service does with what is offered.
 */
import { figuresOf, kept, percent, safety, timing } from './bars.ts'
import { drive, groundOf } from './drive.ts'
import type { Driven, Ground } from './drive.ts'
import type { Plan, Stage } from './plan.ts'
import { summarize, within } from '../check/summary.ts'
import type { Cluster } from '../cluster/cluster.ts'

const SEARCH_SECONDS = { ci: 8, full: 20 }
const OVER_SECONDS = { ci: 20, full: 60 }
const AFTER_SECONDS = { ci: 12, full: 30 }
const FIRST_RATE = 40
const HIGHEST_RATE = 1_280
const TIMES = 3
const GOOD_SHARE = 0.97
const GOOD_P99_MS = 1_000
// The callers have the same cores, and three times as many of them take more of these.
const GOODPUT = { ci: 0.5, full: 0.9 }
const ADMITTED_P99_MS = { ci: 5_000, full: 500 }
const SHED_P50_MS = { ci: 200, full: 20 }
const RECOVERY_SECONDS = 5
const PATIENCE = { budgetMs: 30_000, attemptMs: 10_000, mostAttempts: 1 }
const KEYS = { accounts: 8, keysEach: 1, budget: 1_000_000 }

export const plan: Plan = {
  id: 'r9',
  title: 'three times more than the cluster can do',
  async run(stage) {
    const cluster = await stage.cluster()
    const withLimit = { NAMEWRIGHT_OVERLOAD: 'adaptive' }
    await restartNodes(cluster, withLimit)
    await using mending = new AsyncDisposableStack()
    // As they were.
    mending.defer(() => restartNodes(cluster))
    const ground = groundOf(cluster)
    const knee = await findKnee(stage, ground)
    stage.say(`the knee is at ${knee} operations a second`)
    const over = await offer(stage, ground, knee * TIMES, OVER_SECONDS[stage.length])
    const after = await offer(stage, ground, knee / 2, AFTER_SECONDS[stage.length])
    const seconds = OVER_SECONDS[stage.length]
    const goodput = summarize(over.log).done / seconds
    const least = Math.round(knee * GOODPUT[stage.length])
    const attempts = over.log.flatMap((operation) => operation.attempts)
    const shed = attempts.filter(({ code }) => code === 'overloaded')
    const waits = shed.map(({ sent, ended }) => ended - sent).toSorted((a, b) => a - b)
    const shedP50 = waits[Math.floor(waits.length / 2)] ?? 0
    const withoutRetryAfter = shed.filter(({ retryAfter }) => retryAfter === undefined).length
    const admitted = summarize(over.log)
    const others = attempts.filter(
      ({ status, code }) => (status === 0 || status >= 500) && code !== 'overloaded',
    ).length
    const recovered = within(after.log, after.span(RECOVERY_SECONDS, AFTER_SECONDS[stage.length]))
    const failedAfter = summarize(recovered).failed
    return {
      bars: [
        timing(
          'done a second at three times the knee',
          `≥ ${least} (knee ${knee})`,
          Math.round(goodput),
          goodput >= least,
        ),
        timing(
          'p99 of what was admitted',
          `≤ ${ADMITTED_P99_MS[stage.length]} ms`,
          `${admitted.p99Ms} ms`,
          admitted.p99Ms <= ADMITTED_P99_MS[stage.length],
        ),
        timing(
          'half of those turned away waited',
          `≤ ${SHED_P50_MS[stage.length]} ms`,
          `${shedP50} ms`,
          shedP50 <= SHED_P50_MS[stage.length],
        ),
        safety(
          'turned away without Retry-After',
          '0',
          `${withoutRetryAfter} of ${shed.length}`,
          withoutRetryAfter === 0,
        ),
        timing(
          'errors that are not a turning away',
          '≤ 1.0 %',
          percent(others / Math.max(1, attempts.length)),
          others / Math.max(1, attempts.length) <= 0.01,
        ),
        timing(`failed from ${RECOVERY_SECONDS} s after`, '0', failedAfter, failedAfter === 0),
        ...kept([...over.findings, ...after.findings]),
      ],
      figures: [figuresOf(`${knee * TIMES} a second`, over.log), figuresOf(`then ${knee / 2} a second`, after.log)],
      logFile: over.logFile,
      details: [...over.details(), ...after.details()],
    }
  },
}

async function restartNodes(cluster: Cluster, env: Record<string, string> = {}): Promise<void> {
  for (const node of cluster.nodes) {
    await node.term()
    await node.start(env)
  }
}

async function findKnee(stage: Stage, ground: Ground): Promise<number> {
  let good = 0
  let rate = FIRST_RATE
  while (rate <= HIGHEST_RATE && (await isGood(stage, ground, rate))) {
    good = rate
    rate *= 2
  }
  if (good === 0) return FIRST_RATE / 2
  if (stage.length === 'ci') return good
  const between = Math.round((good + rate) / 2)
  return (await isGood(stage, ground, between)) ? between : good
}

async function isGood(stage: Stage, ground: Ground, rate: number): Promise<boolean> {
  const { log } = await offer(stage, ground, rate, SEARCH_SECONDS[stage.length])
  const { done, operations, p99Ms } = summarize(log)
  stage.say(`${rate} a second: ${percent(done / operations)} done, p99 ${p99Ms} ms`)
  return done / operations >= GOOD_SHARE && p99Ms <= GOOD_P99_MS
}

function offer(stage: Stage, ground: Ground, perSecond: number, seconds: number): Promise<Driven> {
  return drive(stage, ground, { name: 'r9', seconds, perSecond, patience: PATIENCE, keys: KEYS, again: 0 })
}
