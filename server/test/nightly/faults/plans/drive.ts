/**
 * Most plans in one function: keys, load, faults at fixed moments of the load, and then what callers saw and what the
 * database has of it.
 *
 * Facts are gathered when every operation has ended: what is not there then counts as lost.
 */
import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { gatherFacts } from '../check/facts.ts'
import type { Facts } from '../check/facts.ts'
import { judge } from '../check/judge.ts'
import type { Finding } from '../check/judge.ts'
import { describe, errorsBySecond, worst } from '../check/summary.ts'
import type { Span } from '../check/summary.ts'
import type { Cluster } from '../cluster/cluster.ts'
import { makeKeys, startLoad, USUAL_KEYS } from '../load/load.ts'
import type { KeyPlan, LoadOptions, Registrar } from '../load/load.ts'
import { readLog } from '../load/log.ts'
import type { Operation } from '../load/log.ts'
import type { Stage } from './plan.ts'

/** What is called, and where its effects are. */
export interface Ground extends Registrar {
  readonly urls: readonly string[]
  /** As the owner. */
  readonly databaseUrl: string
}

export function groundOf(cluster: Cluster): Ground {
  const { url, postgres, makeAccount, makeKey } = cluster
  return { urls: [url], databaseUrl: postgres.url(), makeAccount, makeKey }
}

export interface Clock {
  /** Until so many seconds after the load began. */
  at(seconds: number): Promise<void>
  /** Milliseconds since 1970 of that moment. */
  momentOf(seconds: number): number
}

export interface Drive extends Partial<Pick<LoadOptions, 'patience' | 'again'>> {
  readonly name: string
  readonly seconds: number
  readonly perSecond?: number
  readonly keys?: KeyPlan
  /** Runs beside the load. What it has broken it mends, or leaves to `afterwards`. */
  faults?(clock: Clock): Promise<void>
  /** When every operation has ended, before facts are gathered. */
  afterwards?(): Promise<void>
}

export interface Driven {
  readonly log: readonly Operation[]
  readonly facts: Facts
  readonly findings: readonly Finding[]
  readonly startedAt: number
  readonly logFile: string
  /** By seconds after the start. */
  span(from: number, until: number): Span
  /** What to print when a bar was missed. */
  details(): string[]
}

const START_SECONDS = 60

export async function drive(stage: Stage, ground: Ground, wish: Drive): Promise<Driven> {
  const keys = await makeKeys(ground, wish.keys ?? USUAL_KEYS)
  await using load = await startLoad({
    urls: ground.urls,
    keys,
    // Digits only: a description is read for words.
    run: `${Date.now() % 1e8}${randomInt(100)}`,
    perSecond: wish.perSecond ?? stage.perSecond,
    seconds: wish.seconds,
    folder: stage.folder,
    ...(wish.patience === undefined ? {} : { patience: wish.patience }),
    ...(wish.again === undefined ? {} : { again: wish.again }),
  })
  const { startedAt, logFile } = load
  const momentOf = (seconds: number) => startedAt + seconds * 1000
  const clock: Clock = {
    momentOf,
    async at(seconds) {
      const waitMs = momentOf(seconds) - Date.now()
      if (waitMs > 0) await sleep(waitMs)
    },
  }
  await Promise.all([load.ended, wish.faults?.(clock)])
  await wish.afterwards?.()
  const log = await readLog(logFile)
  const accounts = [...new Set(keys.map(({ account }) => account))]
  const facts = await factsWhenUp(ground.databaseUrl, accounts)
  const findings = judge(log, facts)
  return {
    log,
    facts,
    findings,
    startedAt,
    logFile,
    span: (from, until) => ({ from: momentOf(from), until: momentOf(until) }),
    details: () => detailsOf(log, findings, startedAt),
  }
}

/** A database that a plan has broken may still be starting. */
async function factsWhenUp(databaseUrl: string, accounts: readonly string[]): Promise<Facts> {
  const endsAt = Date.now() + START_SECONDS * 1000
  for (;;) {
    try {
      return await gatherFacts(databaseUrl, accounts)
    } catch (error) {
      if (Date.now() > endsAt) throw error
    }
    await sleep(1_000)
  }
}

const MAX_SHOWN = 6
const MAX_SECONDS = 40

function detailsOf(log: readonly Operation[], findings: readonly Finding[], startedAt: number): string[] {
  const errors = errorsBySecond(log, startedAt)
  return [
    ...findings
      .slice(0, MAX_SHOWN)
      .flatMap(({ kind, about, detail, operation }) => [
        `${kind}: ${about}: ${detail}`,
        ...(operation === undefined ? [] : [`  ${describe(operation, startedAt)}`]),
      ]),
    ...(findings.length > MAX_SHOWN ? [`and ${findings.length - MAX_SHOWN} more findings`] : []),
    'the worst operations:',
    ...worst(log, startedAt, MAX_SHOWN).map((line) => `  ${line}`),
    ...(errors.length === 0 ? [] : ['errors by second:']),
    ...errors.slice(0, MAX_SECONDS).map((line) => `  ${line}`),
    ...(errors.length > MAX_SECONDS ? [`  and ${errors.length - MAX_SECONDS} more lines`] : []),
  ]
}
