/** What a log comes to: how many, how soon, which errors and when. Nothing here judges. */
import type { Kind, Operation } from '../load/log.ts'

export interface Span {
  /** Milliseconds since 1970; by when an operation was due. */
  readonly from: number
  readonly until: number
}

export interface Summary {
  readonly operations: number
  readonly done: number
  /** Patience ended, or the service refused what it should have done. */
  readonly failed: number
  /** A key without units got quota_exceeded. */
  readonly outOfQuota: number
  readonly attempts: number
  /** Attempts that ended in 5xx or in nothing. */
  readonly rawErrors: number
  /** From when an operation was due until it was done, over those that were. */
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
}

export function within(log: readonly Operation[], { from, until }: Span): Operation[] {
  return log.filter(({ intended }) => intended >= from && intended < until)
}

export function ofKinds(log: readonly Operation[], ...kinds: readonly Kind[]): Operation[] {
  return log.filter(({ kind }) => kinds.includes(kind))
}

export function summarize(log: readonly Operation[]): Summary {
  const done = log.filter(({ end }) => end?.end === 'done')
  const attempts = log.flatMap((operation) => operation.attempts.filter(({ again }) => !again))
  const latencies = done.map(latencyOf).toSorted((a, b) => a - b)
  const at = (share: number) => latencies[Math.floor((latencies.length - 1) * share)] ?? 0
  return {
    operations: log.length,
    done: done.length,
    failed: log.filter(isFailed).length,
    outOfQuota: log.filter(isOutOfQuota).length,
    attempts: attempts.length,
    rawErrors: attempts.filter(isRawError).length,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    maxMs: at(1),
  }
}

export function isFailed(operation: Operation): boolean {
  return operation.end?.end !== 'done' && !isOutOfQuota(operation)
}

function isOutOfQuota({ end }: Operation): boolean {
  return end?.code === 'quota_exceeded'
}

export function isRawError({ status }: { readonly status: number }): boolean {
  return status === 0 || status >= 500
}

export function latencyOf({ intended, end }: Operation): number {
  return (end?.ended ?? intended) - intended
}

/** Lines such as `+31 s  generate 503 unavailable ×12`, in order. */
export function errorsBySecond(log: readonly Operation[], startedAt: number): string[] {
  const counts = new Map<string, number>()
  for (const { kind, attempts } of log) {
    for (const { status, code, ended } of attempts) {
      if (!isRawError({ status })) continue
      const second = String(Math.floor((ended - startedAt) / 1000)).padStart(4)
      const what = `+${second} s  ${kind} ${status} ${code ?? ''}`
      counts.set(what, (counts.get(what) ?? 0) + 1)
    }
  }
  return [...counts].toSorted(([a], [b]) => a.localeCompare(b)).map(([what, times]) => `${what} ×${times}`)
}

/** Those that failed first, then the slowest, each with its attempts. */
export function worst(log: readonly Operation[], startedAt: number, most: number): string[] {
  const rank = (one: Operation) => (isFailed(one) ? 1e9 : 0) + latencyOf(one)
  return log
    .toSorted((a, b) => rank(b) - rank(a))
    .slice(0, most)
    .map((one) => describe(one, startedAt))
}

/** Of many attempts the first ones and the last two. */
const MAX_TRIES = 5

export function describe(operation: Operation, startedAt: number): string {
  const { op, kind, intended, end, attempts } = operation
  const since = (at: number) => `+${((at - startedAt) / 1000).toFixed(2)}`
  const shown = attempts.length <= MAX_TRIES ? attempts : [...attempts.slice(0, MAX_TRIES - 2), ...attempts.slice(-2)]
  const tries = shown.map(
    ({ sent, ended, status, code, requestId }) =>
      `${since(sent)} ${status}${code === undefined ? '' : ` ${code}`} in ${ended - sent} ms${requestId === undefined ? '' : ` (${requestId})`}`,
  )
  return `${kind} ${op} due ${since(intended)}: ${end?.end ?? 'no end'} in ${latencyOf(operation)} ms, ${attempts.length} attempts: ${tries.join('; ')}`
}
