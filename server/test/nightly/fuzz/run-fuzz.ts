/**
 * Sends so many shots, a dozen at a time, and reports the results. Each shot has a seed of its own, made from the
 * seed of the run and its number: so a failure is sent again by these two numbers alone, and shrunk while the others go
 * on.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import type { Answer } from '../../world.ts'
import { errorsOf } from './fuzz-world.ts'
import type { FuzzWorld } from './fuzz-world.ts'
import { createJudge } from './judge.ts'
import type { Holding } from './probe.ts'
import { sendShot } from './send-shot.ts'
import type { Exchange } from './send-shot.ts'
import { createShots } from './shots.ts'
import type { Operation, Shot } from './shots.ts'

export interface Failure {
  readonly number: number
  readonly fault: string
  readonly shot: Shot
  /** How many more were like it. */
  more: number
}

export interface Report {
  readonly seed: number
  readonly sent: number
  /** How often the node said that it has too much to do; each of these was sent again. */
  readonly shed: number
  readonly seconds: number
  /** For each operation how often each status was answered; 0 is no answer. */
  readonly statuses: ReadonlyMap<string, ReadonlyMap<number, number>>
  readonly failures: readonly Failure[]
  /** Milliseconds over the deadline of its request of the answer that was latest. */
  readonly latestMs: number
  /** After warming up, and at the end. */
  readonly holdings: readonly [Holding, Holding]
  readonly isOtherUntouched: boolean
  readonly loggedErrors: readonly string[]
}

export interface Plan {
  readonly seed: number
  readonly count: number
  /** Only this one. */
  readonly only?: number | undefined
  readonly onProgress?: (sent: number) => void
}

const AT_ONCE = 8
const MAX_ATTEMPTS = 20
const BACK_OFF_MS = 50
const RESTOCK_EVERY = 100
// After so many the node has opened its connections, compiled its code and filled its caches. Its resident memory grows for the
// first fifteen thousand, to half a gigabyte, and then stands: with so large a machine V8 is in no hurry to collect.
const WARM_UP = 0.5
const SHRINK_MS = 20_000
const DEFAULT_DEADLINE_MS = 2_500
// Two cores are shared with whatever else runs; a node that hangs takes longer than this.
export const SLACK_MS = 20_000

export async function runFuzz(world: FuzzWorld, { seed, count, only, onProgress }: Plan): Promise<Report> {
  const before = await world.theirs()
  const judge = await createJudge(world, before)
  const shots = createShots(operationsOf(world), world.document.components.schemas)
  const statuses = new Map<string, Map<number, number>>()
  const failures = new Map<string, Failure>()
  let latestMs = -Infinity
  let next = 0
  let sent = 0
  let shed = 0
  const startedAt = performance.now()

  async function shoot(number: number): Promise<void> {
    let chased: string | undefined
    let smallest: { fault: string; shot: Shot } | undefined
    const property = fc.asyncProperty(shots, async (shot) => {
      const deadlineMs = deadlineOf(shot)
      const exchange = await sendPatiently(world, shot, deadlineMs)
      if (smallest === undefined) {
        count1(statuses, shot.operation, exchange.answers[0]?.status ?? exchange.broken?.status ?? 0)
        latestMs = Math.max(latestMs, exchange.ms - deadlineMs)
      }
      for (const fault of judge(shot, exchange)) {
        const kind = `${shot.operation} ${fault.split(':')[0]}`
        if (chased === undefined) {
          const known = failures.get(kind)
          if (known) known.more++
          else {
            chased = kind
            failures.set(kind, { number, fault, shot, more: 0 })
          }
        }
        if (chased !== kind) continue
        smallest = { fault, shot }
        return false
      }
      return true
    })
    await fc.check(property, { seed: mixed(seed, number), numRuns: 1, interruptAfterTimeLimit: SHRINK_MS })
    if (chased !== undefined && smallest)
      failures.set(chased, { ...failures.get(chased), number, more: failures.get(chased)?.more ?? 0, ...smallest })
  }

  /** A node with load shedding may shed on a busy machine; the caller then retries. */
  async function sendPatiently(of: FuzzWorld, shot: Shot, deadlineMs: number): Promise<Exchange> {
    for (let attempt = 1; ; attempt++) {
      const exchange = await sendShot(of.port, shot, of.fill, deadlineMs + SLACK_MS)
      if (attempt === MAX_ATTEMPTS || !exchange.answers.some(isShed)) return exchange
      shed++
      await sleep(attempt * BACK_OFF_MS)
    }
  }

  async function shootUntil(end: number): Promise<void> {
    const worker = async () => {
      for (let number = next++; number < end; number = next++) {
        if (number % RESTOCK_EVERY === RESTOCK_EVERY - 1) await world.restock()
        await shoot(number)
        sent++
        onProgress?.(sent)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, worker))
    next = end
  }

  let warm: Holding | undefined
  if (only === undefined) {
    await shootUntil(Math.floor(count * WARM_UP))
    warm = await world.hold()
    await shootUntil(count)
  } else {
    warm = await world.hold()
    await shoot(only)
    sent++
  }
  const seconds = (performance.now() - startedAt) / 1000
  const after = await world.theirs()
  return {
    seed,
    sent,
    shed,
    seconds,
    statuses,
    failures: failures
      .values()
      .toArray()
      .map((failure) => ({ ...failure, fault: withReason(failure.fault, world) })),
    latestMs,
    holdings: [warm, await world.hold()],
    isOtherUntouched: after.state === before.state,
    loggedErrors: errorsOf(world.node),
  }
}

/** With what the node wrote about that request into its log. */
function withReason(fault: string, { node }: FuzzWorld): string {
  const [, id] = /"request_id":"([^"]+)"/.exec(fault) ?? []
  const lines =
    id === undefined
      ? []
      : node
          .output()
          .split('\n')
          .filter((line) => line.includes(id))
  return [fault, ...lines].join('\n')
}

function operationsOf({ document, tools }: FuzzWorld): Operation[] {
  const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody }]) => ({
      method: method.toUpperCase(),
      path,
      parameters,
      body: requestBody?.content['application/json']?.schema,
    })),
  )
  return [
    ...routes,
    ...tools.map(({ name, inputSchema }) => ({
      method: 'POST',
      path: '/mcp',
      parameters: [],
      body: inputSchema,
      tool: name,
    })),
  ]
}

function isShed({ status, json }: Answer): boolean {
  return status === 503 && (json?.error?.code ?? json?.code) === 'overloaded'
}

/** How long this request may take, if it says so. */
function deadlineOf({ body }: Shot): number {
  const [, text] = /"deadline_ms":(\d{1,5})[,}]/.exec(body ?? '') ?? []
  return text === undefined ? DEFAULT_DEADLINE_MS : Math.max(DEFAULT_DEADLINE_MS, Number(text))
}

function count1(statuses: Map<string, Map<number, number>>, operation: string, status: number): void {
  const counts = statuses.get(operation) ?? new Map<number, number>()
  statuses.set(operation, counts.set(status, (counts.get(status) ?? 0) + 1))
}

/** Seeds that differ in one bit make generators that begin alike, so both numbers are stirred (MurmurHash3's finish). */
function mixed(seed: number, number: number): number {
  let hash = (seed ^ Math.imul(number + 1, 0x9e3779b1)) | 0
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}
