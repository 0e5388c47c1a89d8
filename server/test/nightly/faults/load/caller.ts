/**
 * The process that calls: one job as its argument, a log as its output, and a line on stdout when it has begun.
 *
 * It is a process of its own so that nothing that a plan does while it waits shows as latency of the service.
 */
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { DESCRIPTIONS } from './descriptions.ts'
import type { Begun, Line } from './log.ts'
import { askAgain, operate } from './operation.ts'
import type { Patience, Request } from './operation.ts'
import { randomOf, scheduleOf } from './schedule.ts'
import type { Due } from './schedule.ts'
import { openLine } from './line.ts'

export interface CallingKey {
  readonly account: string
  readonly id: string
  readonly secret: string
}

export interface Job {
  /** Called in turn, so that a second attempt meets another node. */
  readonly urls: readonly string[]
  readonly keys: readonly CallingKey[]
  /** In every mark, so that two runs on one database are distinguishable. */
  readonly run: string
  readonly perSecond: number
  readonly seconds: number
  readonly patience: Patience
  readonly logFile: string
  /** Of all writes that are done, the share that is sent once more. */
  readonly again: number
}

const COUNT = 5
const SEED = 1
// More than are ever under way while the service answers; beyond it calls wait, and that is counted as latency.
const CONNECTIONS = 512
const AGAIN_AFTER_MS = 3_000

const job = JSON.parse(await readFile(process.argv[2] ?? '', 'utf8')) as Job
const { send, ...connections } = openLine(job.urls, CONNECTIONS)
const log = createWriteStream(job.logFile, { flags: 'a' })
const write = (line: Line) => void log.write(`${JSON.stringify(line)}\n`)
const random = randomOf(SEED + 1)
// Whoever started it is gone, and nobody will stop it.
process.stdin.once('close', () => process.exit(1)).resume()
process.stdin.unref()

const startedAt = Date.now()
console.log(JSON.stringify({ startedAt }))
const running = new Set<Promise<unknown>>()
let op = 0
for (const due of scheduleOf(job.perSecond, job.seconds, SEED)) {
  const waitMs = startedAt + due.atMs - Date.now()
  if (waitMs > 0) await sleep(waitMs)
  const one = call(op++, due).finally(() => running.delete(one))
  running.add(one)
}
await Promise.all(running)
await connections[Symbol.asyncDispose]()
log.end()
await once(log, 'finish')

async function call(id: number, { atMs, kind, chance }: Due): Promise<void> {
  const key = job.keys[Math.floor(chance * job.keys.length)]
  if (!key) throw new Error('there is no key to call with')
  const { mark, ...request } = requestOf(id, kind, chance)
  const idempotencyKey = mark === undefined ? undefined : `${job.run}-${id}`
  const begun: Begun = {
    is: 'begin',
    op: id,
    kind,
    account: key.account,
    key: key.id,
    intended: Math.round(startedAt + atMs),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    ...(mark === undefined ? {} : { mark }),
  }
  write(begun)
  const whole: Request = { ...request, secret: key.secret, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) }
  const { end } = await operate(begun, whole, { send, write, patience: job.patience })
  if (end !== 'done' || mark === undefined || random() >= job.again) return
  await sleep(random() * AGAIN_AFTER_MS)
  await askAgain(begun, whole, send, write)
}

function requestOf(id: number, kind: Due['kind'], chance: number): Omit<Request, 'secret'> & { mark?: string } {
  // Other digits of the same chance than those that chose the key.
  const other = (chance * 1_000) % 1
  switch (kind) {
    case 'generate': {
      const words = DESCRIPTIONS[Math.floor(other * DESCRIPTIONS.length)] ?? ''
      const mark = `${words}, order ${job.run}-${id}`
      const body = JSON.stringify({ description: mark, count: COUNT })
      return { method: 'POST', path: '/v1/generate', body, mark }
    }
    case 'favorite': {
      const mark = `load-${job.run}-${id}.com`
      return { method: 'POST', path: '/v1/favorites', body: JSON.stringify({ domain: mark }), mark }
    }
    case 'read':
      return { method: 'GET', path: other < 0.5 ? '/v1/history?limit=5' : '/v1/favorites?limit=10' }
    default:
      throw new Error(`unknown kind: ${String(kind satisfies never)}`)
  }
}
