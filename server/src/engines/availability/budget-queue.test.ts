/** No lookup that waits for budget is lost, however much time passes between two steps. */
import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createBudgetQueue } from './budget-queue.ts'
import type { WaitingRequest } from './budget-queue.ts'

test('who cannot wait is refused, also where the wait is over before it was noted', async () => {
  let at = 0
  const { promise: refused, resolve: refuse } = Promise.withResolvers<WaitingRequest>()
  const queue = createBudgetQueue<WaitingRequest>({
    budget: { take: async () => 0, waitOf: () => 0, rateOf: () => 1 },
    host: 'one.example',
    // Every read of the clock advances it by more than any wait.
    now: () => (at += 5),
    perToken: 1,
    wantedTokens: ({ size }) => size,
    send: () => {},
    refuse,
  })
  const item = { fairnessKeys: new Set(['ada']), giveUpAt: 0 }
  queue.add([item])
  expect(await refused).toBe(item)
})

/** A host without budget, or one that takes nothing now; nobody gives up. */
function openStill(wanted: (size: number) => number) {
  const refused: number[] = []
  const queue = createBudgetQueue<WaitingRequest>({
    budget: { take: async () => 0, waitOf: () => 60_000, rateOf: () => 1 },
    host: 'one.example',
    now: () => 0,
    perToken: 1,
    wantedTokens: (waiting) => wanted([...waiting].length),
    send: () => {},
    refuse: (_, retryMs) => void refused.push(retryMs),
  })
  return { queue, refused }
}

const itemOf = (key: string, giveUpAt = Infinity): WaitingRequest => ({ fairnessKeys: new Set([key]), giveUpAt })

/** What it costs to add so many one by one, as a source does that looks each up on its own. */
async function cpuOf(count: number, wanted: (size: number) => number): Promise<number> {
  const { queue } = openStill(wanted)
  queue.add([itemOf('first')])
  await turn()
  await turn()
  const items = Array.from({ length: count }, (_, at) => itemOf(`key-${at % 100}`, at % 2 === 0 ? Infinity : 1))
  const before = process.cpuUsage()
  for (const item of items) {
    queue.add([item])
    await Promise.resolve()
  }
  await turn()
  const { user, system } = process.cpuUsage(before)
  for (const item of items) queue.delete(item)
  queue.delete(items[0]!)
  return user + system
}

test.each([
  ['without budget', (size: number) => size],
  ['that takes no more now', () => 0],
])('four times as many lookups for a host %s cost about four times as much', async (_, wanted) => {
  await cpuOf(4_000, wanted)
  const [many, few]: [number[], number[]] = [[], []]
  for (let round = 0; round < 5; round++) {
    many.push(await cpuOf(8_000, wanted))
    few.push(await cpuOf(2_000, wanted))
  }
  // The least of each, because other work and collected garbage only add. 16 if each costs a pass over the others.
  expect(Math.min(...many) / Math.min(...few)).toBeLessThan(9)
})

test('a full queue refuses at once, with the time after which a retry makes sense', async () => {
  const { queue, refused } = openStill((size) => size)
  const items = Array.from({ length: 10_005 }, (_, at) => itemOf(`key-${at}`))
  queue.add(items)
  expect(refused).toHaveLength(5)
  expect(Math.min(...refused)).toBeGreaterThan(60_000)
  for (const item of items) queue.delete(item)
})
