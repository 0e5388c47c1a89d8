/**
 * Faults of the network, with an outage in between: every call succeeds within its time budget, and takes effect exactly
 * once, as counted in the database.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp } from '../../../server/test/start-app.ts'
import type { Node, World } from '../../../server/test/world.ts'
import { createNamewright } from '../../src/namewright.ts'
import { createRandom, openFaultProxy } from './fault-proxy.ts'
import type { Fault } from './fault-proxy.ts'
import { runningMs } from '../../../scripts/test/running-ms.ts'

const CALLS = 1_000
const STREAMS = 200
const AT_ONCE = 25
const BUDGET_MS = 30_000
const OUTAGE_MS = 20 * 1_000

/** Out of a thousand; the rest has no fault. */
type Shares = readonly (readonly [Fault, number])[]
const FOR_CALLS: Shares = [
  ['reset_before', 40],
  ['reset_after', 40],
  ['refuse_429', 30],
  ['refuse_503', 40],
  ['truncate', 40],
  ['stall', 5],
]
const FOR_STREAMS: Shares = [
  ['reset_before', 40],
  ['reset_after', 40],
  ['refuse_503', 40],
  ['truncate', 300],
  ['stall_half', 20],
]

let world: World
let node: Node
beforeAll(async () => {
  world = await startApp({ own: true })
  node = await world.startNodeProcess()
})
afterAll(() => world[Symbol.asyncDispose]())

/** Picks the same faults in the same order in every run. */
function createFaultPicker(shares: Shares): () => Fault {
  const random = createRandom(20_261_123)
  return () => {
    let drawn = Math.floor(random() * 1_000)
    return shares.find(([, share]) => (drawn -= share) < 0)?.[0] ?? 'none'
  }
}

/** Runs the work with limited concurrency. */
async function runConcurrently(count: number, work: (n: number) => Promise<void>): Promise<void> {
  let next = 0
  const worker = async () => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

async function expectEachOnce(account: string, count: number): Promise<void> {
  const text = `SELECT description, count(*)::int AS times FROM history WHERE account_id = $1 GROUP BY description`
  const { rows } = await world.owner.query<{ description: string; times: number }>(text, [account])
  expect(rows).toHaveLength(count)
  expect(rows.filter(({ times }) => times !== 1)).toEqual([])
}

test(`${CALLS.toLocaleString('en')} calls all succeed, and each takes effect once`, { timeout: 240_000 }, async () => {
  const account = await world.makeAccount()
  const { secret } = await world.makeKey(account)
  const pick = createFaultPicker(FOR_CALLS)
  let mayStall = true
  await using proxy = await openFaultProxy(node.url, () => {
    const fault = pick()
    return fault === 'stall' && !mayStall ? 'none' : fault
  })
  const namewright = createNamewright({ baseUrl: proxy.url, apiKey: secret, timeBudgetMs: BUDGET_MS })

  const took: number[] = []
  const failed: unknown[] = []
  const call = async (n: number) => {
    const startedAt = runningMs()
    await namewright.generate({ description: `call number ${n} of a bakery`, count: 1 }).catch((e) => failed.push(e))
    took.push(runningMs() - startedAt)
  }
  const HALF = CALLS / 2
  await runConcurrently(HALF, call)
  // A stall and the outage together may exceed the time budget.
  mayStall = false
  let outage: Promise<void> | undefined
  await runConcurrently(HALF, async (n) => {
    if (n === HALF / 2) outage = proxy.takeDown(OUTAGE_MS)
    await call(HALF + n)
  })
  await outage

  expect(failed).toEqual([])
  for (const [fault] of FOR_CALLS) expect(proxy.counts.get(fault) ?? 0, fault).toBeGreaterThan(0)
  // A busy machine fires timers late.
  expect(Math.max(...took)).toBeLessThan(BUDGET_MS + 2_000)
  expect(Math.max(...took)).toBeGreaterThan(OUTAGE_MS / 2)
  await expectEachOnce(account, CALLS)
  const longest = Math.round(Math.max(...took))
  console.log(`calls: ${JSON.stringify(Object.fromEntries(proxy.counts))}; the longest took ${longest} ms`)
})

test(`${STREAMS} streams are all read to their end, and each takes effect once`, { timeout: 240_000 }, async () => {
  const account = await world.makeAccount()
  const { secret } = await world.makeKey(account)
  await using proxy = await openFaultProxy(node.url, createFaultPicker(FOR_STREAMS))
  const namewright = createNamewright({ baseUrl: proxy.url, apiKey: secret, timeBudgetMs: BUDGET_MS })

  const wrong: unknown[] = []
  await runConcurrently(STREAMS, async (n) => {
    const ids: string[] = []
    let names: number | undefined
    try {
      const body = { description: `stream number ${n} of a bakery`, count: 3, deadline_ms: 20_000 }
      for await (const event of namewright.stream(body)) {
        if (event.event !== 'restarted') ids.push(event.id)
        if (event.event === 'done') names = event.data.suggestions.length
      }
    } catch (error) {
      wrong.push(error)
    }
    if (names !== 3 || new Set(ids).size !== ids.length) wrong.push({ n, names, ids })
  })

  expect(wrong).toEqual([])
  for (const [fault] of FOR_STREAMS) expect(proxy.counts.get(fault) ?? 0, fault).toBeGreaterThan(0)
  await expectEachOnce(account, STREAMS)
  console.log(`streams: ${JSON.stringify(Object.fromEntries(proxy.counts))}`)
})
