/** The bars that plans share. */
import type { Finding, FindingKind } from '../check/judge.ts'
import { isRawError, summarize } from '../check/summary.ts'
import type { Summary } from '../check/summary.ts'
import type { Operation } from '../load/log.ts'
import type { Bar, Stage } from './plan.ts'

export function safety(name: string, wanted: string, measured: string | number, ok: boolean): Bar {
  return { name, wanted, measured: String(measured), ok, kind: 'safety' }
}

export function timing(name: string, wanted: string, measured: string | number, ok: boolean): Bar {
  return { name, wanted, measured: String(measured), ok, kind: 'timing' }
}

const PROMISES: readonly { readonly name: string; readonly kinds: readonly FindingKind[] }[] = [
  { name: 'acknowledged writes lost', kinds: ['lost'] },
  { name: 'effects there twice, or never sent', kinds: ['twice', 'unsent'] },
  {
    name: 'stored answers missing or other than given',
    kinds: ['unstored', 'other_answer', 'other_again', 'other_count'],
  },
  { name: 'units spent beyond a limit', kinds: ['overspent', 'overleased'] },
  { name: 'ledgers that disagree with history', kinds: ['miscounted', 'unbalanced'] },
]

/** Every promise that the checker knows of. */
export function kept(findings: readonly Finding[]): Bar[] {
  return PROMISES.map(({ name, kinds }) => {
    const found = findings.filter(({ kind }) => kinds.includes(kind)).length
    return safety(name, '0', found, found === 0)
  })
}

/** After all retries. */
export function allDone(log: readonly Operation[], name = 'operations that failed after retries'): Bar {
  const { failed, operations } = summarize(log)
  return safety(name, '0', `${failed} of ${operations}`, failed === 0)
}

/** Where every key has more than is asked of it. */
export function noneOutOfQuota(log: readonly Operation[]): Bar {
  const { outOfQuota } = summarize(log)
  return safety('refusals for a quota that was there', '0', outOfQuota, outOfQuota === 0)
}

/** Of attempts, before any retry. */
export function rawErrors(name: string, log: readonly Operation[], most: number): Bar {
  const attempts = log.flatMap((operation) => operation.attempts.filter(({ again }) => !again))
  const errors = attempts.filter(isRawError).length
  const share = errors / Math.max(1, attempts.length)
  const wanted = most === 0 ? '0' : `≤ ${percent(most)}`
  return timing(name, wanted, `${errors} of ${attempts.length} (${percent(share)})`, share <= most)
}

const RATIO = 2.5
// A collection of garbage or a neighbour's burst, which a short calm phase may not have seen.
const SLACK_MS = { ci: 500, full: 100 }

/** Against the calm phase of the same run, on the same machine with the same neighbours. */
export function noSlower(stage: Stage, name: string, calm: readonly Operation[], rough: readonly Operation[]): Bar {
  const [before, during] = [summarize(calm).p99Ms, summarize(rough).p99Ms]
  const most = Math.round(before * RATIO + SLACK_MS[stage.length])
  return timing(name, `≤ ${most} ms (calm ${before})`, `${during} ms`, during <= most)
}

/** The slowest of them, from when it was due. */
export function doneWithin(name: string, log: readonly Operation[], mostMs: number): Bar {
  const { maxMs } = summarize(log)
  return timing(name, `≤ ${mostMs} ms`, `${maxMs} ms`, maxMs <= mostMs)
}

/** What callers without a retry would have seen meanwhile, and for how long nothing could be written. */
export function outageIn(writes: readonly Operation[], meanwhile: readonly Operation[]): string {
  const firsts = meanwhile.flatMap(({ attempts: [first] }) => first ?? [])
  const failed = firsts.filter(isRawError).length
  const doneAt = writes.flatMap(({ end }) => (end?.end === 'done' ? end.ended : [])).toSorted((a, b) => a - b)
  const gapMs = Math.max(0, ...doneAt.slice(1).map((at, i) => at - (doneAt[i] ?? at)))
  const share = percent(failed / Math.max(1, firsts.length))
  return `first tries to write that failed: ${failed} of ${firsts.length} (${share}); no write done for ${(gapMs / 1000).toFixed(1)} s`
}

export function percent(share: number): string {
  return `${(share * 100).toFixed(share < 0.01 ? 3 : 1)} %`
}

export function figuresOf(name: string, log: readonly Operation[]): string {
  const s: Summary = summarize(log)
  return (
    `${name}: ${s.operations} operations, ${s.done} done, ${s.failed} failed, ${s.outOfQuota} out of quota; ` +
    `${s.attempts} attempts, ${s.rawErrors} raw errors; ` +
    `p50 ${s.p50Ms}, p99 ${s.p99Ms}, max ${s.maxMs} ms`
  )
}
