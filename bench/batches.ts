/**
 * A batch through queue and worker, beside the bare flow in a loop: the same requests, the same process, so many at the
 * same time in both, rounds taking turns. What is more is what the queue, the chunks and the results cost.
 *
 * CPU is that of this process, which is the worker; PostgreSQL and Redis are not counted.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { createBatch } from '../server/src/features/batches/routes.ts'
import { JsonText } from '../server/src/http/ask.ts'
import { ofAccount } from '../server/src/platform/db/db.ts'
import { readConfig } from '../server/test/read-config.ts'
import { openContext } from '../server/src/context.ts'
import type { Context } from '../server/src/context.ts'
import { generate } from '../server/src/features/generate/routes.ts'
import { perform } from '../server/src/http/commit.ts'
import { openLog } from '../server/src/platform/log.ts'
import type { Caller } from '../server/src/model/caller.ts'
import { parseGenerateRequest } from '../server/src/features/generate/generate-request.ts'
import { readMessages } from '../server/src/http/wire/language.ts'
import { startWorker } from '../server/src/service.ts'
import { ITEMS_AT_ONCE } from '../server/src/features/batches/jobs.ts'
import { startApp } from '../server/test/start-app.ts'
import { descriptions } from './descriptions.ts'

interface Round {
  readonly perSecond: number
  readonly cpuUs: number
}

export async function benchBatches({ items, rounds }: { items: number; rounds: number }) {
  await using world = await startApp({ own: true })
  const { secret } = await world.makeKey(await world.makeAccount())
  const caller = await world.keys.verify(secret, { ip: '127.0.0.1', audience: 'v1' })
  await using ctx = await openContext(readConfig(world.env), openLog('warn'))
  const texts = descriptions()
  const bodies = Array.from({ length: items }, (_, i) => ({ description: texts[i % texts.length] ?? '', count: 5 }))

  const whole = await takeTurns(ctx, caller, bodies, rounds)
  const ratio = median(whole.map(({ bare, queued }) => queued.perSecond / bare.perSecond))
  // What else runs on the machine only ever adds CPU time, so the least of each is nearest to what the work costs.
  const cpuRatio = leastCpu(whole.map(({ bare }) => bare)) / leastCpu(whole.map(({ queued }) => queued))

  // Naming is nearly all of an item, so what the queue adds to it is lost in its spread. Without it, it is seen.
  const { names } = requestOf(ctx, bodies[0] ?? { description: '', count: 5 })
  const proposed = await ctx.names.propose(names, 40, new AbortController().signal)
  const named = { ...ctx, names: { ...ctx.names, propose: async () => proposed } }
  const rest = await takeTurns(named, caller, bodies, rounds)
  const overheadUs = median(rest.map(({ bare, queued }) => queued.cpuUs - bare.cpuUs))

  console.log(`without the naming: overhead ${overheadUs.toFixed(0)} µs CPU per item`)
  console.log(`cpu ratio ${cpuRatio.toFixed(2)}, ratio ${ratio.toFixed(2)}`)
  return { ratio, cpuRatio, overheadUs }
}

async function takeTurns(ctx: Context, caller: Caller, bodies: readonly Body[], rounds: number) {
  const loop = () => inLoop(ctx, caller, bodies)
  const batch = () => asBatch(ctx, caller, bodies)
  const worker = startWorker(ctx)
  try {
    // Once each, so that verdicts are remembered and everything is compiled.
    await loop()
    await batch()
    const pairs: { bare: Round; queued: Round }[] = []
    for (let i = 0; i < rounds; i++) {
      const bare = await measured(bodies.length, loop)
      const queued = await measured(bodies.length, batch)
      console.log(`in a loop: ${formatRound(bare)}; as a batch: ${formatRound(queued)}`)
      pairs.push({ bare, queued })
    }
    return pairs
  } finally {
    await worker.stop()
  }
}

interface Body {
  readonly description: string
  readonly count: number
}

async function inLoop(ctx: Context, caller: Caller, bodies: readonly Body[]): Promise<void> {
  const messages = readMessages().get('en')
  if (!messages) throw new Error('there is English')
  let next = 0
  const line = async () => {
    for (let body = bodies[next++]; body; body = bodies[next++]) {
      const { signal } = new AbortController()
      await perform(generate, { operation: 'bench', body, caller, language: 'en', messages, signal }, ctx)
    }
  }
  await Promise.all(Array.from({ length: ITEMS_AT_ONCE }, line))
}

function requestOf(ctx: Context, body: Body) {
  const { prices, config } = ctx
  return parseGenerateRequest(body, {
    prices,
    suffixes: config.suffixes,
    withModel: false,
    language: 'en',
    currency: undefined,
  })
}

async function asBatch(ctx: Context, caller: Caller, bodies: readonly Body[]): Promise<void> {
  const messages = readMessages().get('en')
  if (!messages) throw new Error('there is English')
  const { signal } = new AbortController()
  const use = { operation: 'bench', body: { requests: bodies }, caller, language: 'en', messages, signal } as const
  const { data } = await perform(createBatch, use, ctx)
  if (!data || data instanceof JsonText) throw new Error('a new batch is shown')
  const { accountId } = caller
  for (;;) {
    const [{ rows }] = await ctx.db.read(accountId, [ofAccount(accountId, ctx.batches.finding(data.batch.id))])
    const [row] = rows
    if (row?.state === 'completed') {
      if (row.succeeded !== bodies.length) throw new Error(`${row.failed} items failed`)
      return
    }
    // Seldom, because each look costs CPU time that no worker spends.
    await sleep(100)
  }
}

async function measured(items: number, work: () => Promise<void>): Promise<Round> {
  const cpu = process.cpuUsage()
  const startedAt = performance.now()
  await work()
  const seconds = (performance.now() - startedAt) / 1000
  const { user, system } = process.cpuUsage(cpu)
  return { perSecond: items / seconds, cpuUs: (user + system) / items }
}

function formatRound({ perSecond, cpuUs }: Round): string {
  return `${perSecond.toFixed(0)} items/s, ${cpuUs.toFixed(0)} µs CPU each`
}

function leastCpu(rounds: readonly Round[]): number {
  return Math.min(...rounds.map(({ cpuUs }) => cpuUs))
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN
}
